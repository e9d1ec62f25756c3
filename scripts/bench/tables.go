package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// write makes all files from the results so far.
func (c *paperConfig) write(ctx context.Context, done []*outcome) error {
	tsv, err := os.Create(filepath.Join(c.out, "results.tsv"))
	if err != nil {
		return err
	}
	defer tsv.Close()
	if err := c.writeTSV(tsv, done); err != nil {
		return err
	}
	plots, err := c.plots(ctx, done)
	if err != nil {
		return err
	}
	var text strings.Builder
	c.preface(&text)
	for _, part := range grouped(done) {
		c.tables(&text, part, plots)
	}
	if c.of == ofEWFAGPU {
		publishedFactors(&text, done)
	}
	if err := os.WriteFile(filepath.Join(c.out, "tables.md"), []byte(text.String()), 0o644); err != nil {
		return err
	}
	return c.page.update(text.String())
}

// preface describes the measurement.
func (c *paperConfig) preface(w io.Writer) {
	c.page.provenance(w)
	rounds := "1 round"
	if c.rounds > 1 {
		rounds = fmt.Sprintf("%d rounds", c.rounds)
	}
	fmt.Fprintf(w, `Penalties %v. Times are for alignment alone, of pairs in memory: %s of
%g s for each tool and set, in which the tools take turns, and the median of
their rates. CPU tools run %d threads; each has an aligner of its own and takes
the next pairs from a shared counter. T is the time of so many alignments at the
rate measured. R is the share of alignments that cost the least possible,
replayed over their pairs, of the first pairs that a tool finished in %g s, all
threads together; in brackets how many these were, where they are less than
100. "n/c": edit distances are no gap-affine scores.
`, c.penalties, rounds, c.seconds, c.threads, c.checkSeconds)
	if c.page.versions != "" {
		fmt.Fprintf(w, "\nPeers: %s.\n", c.page.versions)
	}
}

// grouped divides trials into groups that share tables.
func grouped(done []*outcome) [][]*outcome {
	var groups [][]*outcome
	for _, o := range done {
		if n := len(groups); n > 0 && groups[n-1][0].group == o.group {
			groups[n-1] = append(groups[n-1], o)
			continue
		}
		groups = append(groups, []*outcome{o})
	}
	return groups
}

// tables writes the tables of a group.
func (c *paperConfig) tables(w io.Writer, group []*outcome, plots map[string]string) {
	labels := labelsOf(group)
	fmt.Fprintf(w, "\n### %s\n\nTime and recall\n\n", strings.ToUpper(group[0].group[:1])+group[0].group[1:])
	heads, counts := []string{"Device", "Tool", "Threads"}, []string{"", "*alignments*", ""}
	for _, o := range group {
		heads = append(heads, o.title+": T (s)", "R (%)")
		counts = append(counts, grouping(o.target), fmt.Sprintf("*of %d pairs*", len(o.sample.Pairs)))
	}
	line(w, heads)
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(heads)))
	line(w, counts)
	for _, l := range labels {
		cells := l.cells()
		for _, o := range group {
			r := l.in(o)
			cells = append(cells, timeCell(o, r), recallCell(r))
		}
		line(w, cells)
	}

	fmt.Fprint(w, "\nAlignments per second; in brackets how many times as fast this program is on the CPU\nwith the same mode and threads")
	if c.gpu {
		fmt.Fprint(w, ", and on the GPU")
	}
	fmt.Fprint(w, "\n\n")
	heads = []string{"Device", "Tool", "Threads"}
	for _, o := range group {
		heads = append(heads, o.title)
	}
	line(w, heads)
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(heads)))
	for _, l := range labels {
		cells := l.cells()
		for _, o := range group {
			cells = append(cells, c.rateCell(o, l.in(o)))
		}
		line(w, cells)
	}
	if plot := plots[group[0].group]; plot != "" {
		fmt.Fprintf(w, "\n![Alignments per second](%s)\n", plot)
	}
	if group[0].real {
		publishedRates(w)
	}
}

func timeCell(o *outcome, r *row) string {
	switch {
	case r == nil:
		return ""
	case r.failure != nil:
		return r.reason
	}
	return figures(float64(o.target) / r.rate())
}

func recallCell(r *row) string {
	switch {
	case r == nil:
		return ""
	case r.failure != nil:
		return "n/a"
	case r.tally.Checked == 0:
		return "n/c"
	}
	cell := "100"
	if r.tally.Optimal < r.tally.Checked {
		// Not rounded up to 100.
		cell = fmt.Sprintf("%.1f", math.Floor(10*r.tally.Recall())/10)
	}
	if r.tally.Checked < 100 {
		cell += fmt.Sprintf(" (%d)", r.tally.Checked)
	}
	if r.tally.Invalid > 0 {
		cell += fmt.Sprintf(", %d invalid", r.tally.Invalid)
	}
	return cell
}

// reference is the rate of this program in the mode of a row.
func reference(o *outcome, r *row, device string) float64 {
	return fastest(o.rows, func(x *row) bool {
		return x.ours && x.device == device && x.mode == r.mode && (device == "GPU" || x.threads == r.threads)
	})
}

func (c *paperConfig) rateCell(o *outcome, r *row) string {
	if r == nil || r.failure != nil {
		return timeCell(o, r)
	}
	cell := figures(r.rate())
	var times []string
	if r.device == "CPU" && !r.ours {
		times = append(times, figures(reference(o, r, "CPU")/r.rate()))
	}
	if g := reference(o, r, "GPU"); c.gpu && g > 0 && !(r.ours && r.device == "GPU") {
		times = append(times, figures(g/r.rate())+" GPU")
	}
	if len(times) > 0 {
		cell += " (" + strings.Join(times, ", ") + ")"
	}
	return cell
}
