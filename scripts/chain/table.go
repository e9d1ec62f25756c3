package main

import (
	"fmt"
	"io"
	"strings"
)

// table writes a table in Markdown, the first row of which is the head.
func table(w io.Writer, rows [][]any) {
	for i, cells := range rows {
		for _, c := range cells {
			fmt.Fprintf(w, "| %v ", c)
		}
		fmt.Fprintln(w, "|")
		if i == 0 {
			fmt.Fprintln(w, strings.Repeat("|---", len(cells))+"|")
		}
	}
	fmt.Fprintln(w)
}

// percent is the share of a part in percent, nothing of nothing.
func percent(part, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(all))
}

func seconds(s float64) string { return fmt.Sprintf("%.2f", s) }

// String is what a table has: better, equal and worse ones, nothing if there are none.
func (c tally) String() string {
	if c == (tally{}) {
		return ""
	}
	text := fmt.Sprintf("%d / %d / %d", c.better, c.equal, c.worse)
	if c.worseN > 0 {
		text += fmt.Sprintf(" + %d N", c.worseN)
	}
	return text
}

// tables writes the results.
func tables(w io.Writer, results []*result) {
	places := [][]any{{"set", "minimap2", "reads", "hits", "records of -a", "same place", "letters aligned, %", "by minimap2 -a, %", "of whole reads, %"}}
	scores := [][]any{{"set", "the hit", "place of minimap2 -c", "whole read"}}
	times := [][]any{{"set", "minimap2", "the chain", "minimap2 -a", "CPU, wfagpu", "CPU, minimap2's alignment"}}
	trips := [][]any{{"set", "pairs", "hits", "differences", "lines of the pileup"}}
	for _, r := range results {
		options := strings.Join(append([]string{"-x", r.kind.preset}, r.kind.more...), " ")
		all := r.bases()
		places = append(places, []any{r.name, options, len(r.reads), r.hits, r.mapped, r.places,
			percent(r.aligned[0], all), percent(r.aligned[2], all), percent(r.aligned[1], r.whole)})
		scores = append(scores, []any{r.name, r.chain, r.same, r.wide})
		times = append(times, []any{r.name, seconds(r.spent.hits.wall), seconds(r.spent.chain.wall), seconds(r.spent.mapped.wall),
			seconds(r.spent.chain.cpu[1]), seconds(r.spent.mapped.cpu[0] - r.spent.hits.cpu[0])})
		trips = append(trips, []any{r.name, r.checked[0], r.checked[1], r.faults.n, r.lines})
	}
	table(w, places)
	table(w, scores)
	table(w, times)
	table(w, trips)
}
