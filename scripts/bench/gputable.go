package main

import (
	"fmt"
	"io"
	"strings"

	"wfagpu/align"
	"wfagpu/scripts/internal/report"
	"wfagpu/scripts/internal/sets"
)

// gpuTable prints the rows of `bench gpu`.
type gpuTable struct {
	*gpuFlags
	w    io.Writer
	unit float64 // score² a second of the unit's set in this run; 0 if it was not measured
}

func (t *gpuTable) head() {
	inFlight := fmt.Sprintf("%.4g M letters or %.4g M pairs", float64(t.letters)/(1<<20), float64(t.pairs)/(1<<20))
	if t.callers > 0 {
		inFlight = fmt.Sprintf("%d batches", t.callers)
	}
	fmt.Fprintf(t.w, "# device %s, penalties %v, %s in flight\n", t.device, t.penalties, inFlight)
	heads := []string{"set", "pairs", "mean score", "CIGAR, M pairs/s", "score², G/s", "of 10 kbp 10 %", "warp / block / edit / gotoh / span / tiles / gated / general / approx / in pieces / CPU, %", "second pass, %",
		"score only, M pairs/s", "CIGAR / score only, time", "identical pairs, M/s", "of identical pairs", "first GPU alone, M pairs/s", "all / first", "ends-free in flanks, M pairs/s", "ends-free / global, time", "CPU engine alone, CIGAR", "passes in s"}
	line(t.w, heads)
	fmt.Fprintf(t.w, "|%s\n", strings.Repeat("---|", len(heads)))
}

// row prints a set; goal is nil where there is none.
func (t *gpuTable) row(r gpuResult, goal *rateGoal) {
	all := float64(r.counts.finished + r.counts.fallback)
	share := func(n int64) string { return fmt.Sprintf("%.1f", 100*ratio(float64(n), all)) }
	k := r.counts.kernels
	line(t.w, []string{
		r.name, fmt.Sprint(r.set.Pairs), fmt.Sprintf("%.2f", r.set.MeanScore),
		million(r.cigar.Pairs), fmt.Sprintf("%.4g", r.cigar.Squares/1e9), known("%.3f", ratio(r.cigar.Squares, t.unit)),
		strings.Join([]string{share(k["warp"]), share(k["block"]), share(k["edit"]), share(k["gotoh"]), share(k["span"]), share(k["tiles"]), share(k["gated"]), share(k["general"]), share(k["approx"]), share(k["pieces"]), share(r.counts.fallback)}, " / "),
		fmt.Sprintf("%.2f", 100*ratio(float64(r.counts.secondPass), all)),
		million(r.score.Pairs), known("%.2f", ratio(r.score.Pairs, r.cigar.Pairs)),
		million(r.host.Pairs), known("%.3f", ratio(r.cigar.Pairs, r.host.Pairs)),
		million(r.first.Pairs), known("%.2f", ratio(r.cigar.Pairs, r.first.Pairs)),
		million(r.free.Pairs), known("%.2f", ratio(r.cigar.Pairs, r.free.Pairs)),
		million(r.alone), fmt.Sprintf("%.1f in %.1f", r.cigar.Passes, r.cigar.Seconds),
	})
	t.values(r, goal)
}

// values prints the lines for programs.
func (t *gpuTable) values(r gpuResult, goal *rateGoal) {
	p := t.report()
	one := func(metric string, v float64, unit string, g *report.Goal) {
		if v > 0 {
			p.Result(r.name, metric, v, unit, g)
		}
	}
	var hold, reach *report.Goal
	if goal != nil {
		hold, reach = report.AtLeast(goal.today), report.AtLeast(goal.goal)
	}
	one("rate", r.cigar.Pairs/1e6, "M pairs/s", hold)
	if reach != nil {
		one("rate, goal", r.cigar.Pairs/1e6, "M pairs/s", reach)
	}
	one("score-only rate", r.score.Pairs/1e6, "M pairs/s", nil)
	one("score²", r.cigar.Squares/1e9, "G/s", nil)
	one("first GPU's rate", r.first.Pairs/1e6, "M pairs/s", nil)
	one("all GPUs / first", ratio(r.cigar.Pairs, r.first.Pairs), "times", report.AtLeast(1.85))
	one("ends-free / global", ratio(r.cigar.Pairs, r.free.Pairs), "times", report.AtMost(1.5))
	if t.data == "" || t.first || r.name == unitName() {
		return
	}
	// Either the device or the host limits a set of long reads.
	device, host := ratio(r.cigar.Squares, t.unit), ratio(r.cigar.Pairs, r.host.Pairs)
	one("score² of 10 kbp 10 %", device, "times", nil)
	one("of identical pairs", host, "times", nil)
	if t.isLong(r) && t.approx == nil { // a band's work is no square
		limit, v, g := "device", device, report.AtLeast(0.6)
		if host/0.8 > device/0.6 {
			limit, v, g = "host", host, report.AtLeast(0.8)
		}
		one("share of the "+limit+"'s limit", v, "times", g)
	}
	if t.isLong(r) {
		one("CIGAR / score only", ratio(r.score.Pairs, r.cigar.Pairs), "times", report.AtMost(1.5))
	}
}

func unitName() string {
	for _, s := range sets.Paper() {
		if setKey(s) == unitSet {
			return s.String()
		}
	}
	panic("the unit is not among the sets")
}

// isLong tells sets of long reads from others by the letters of a pair.
func (t *gpuTable) isLong(r gpuResult) bool { return r.letters > 2*1000*float64(r.set.Pairs) }

// rateGoal has rates of one H200 with 16 CPUs, with CIGARs, in M pairs a second.
type rateGoal struct{ today, goal float64 }

// simulatedGoals are for exact alignments with the default penalties; those of that day are in
// RESULTS-gpu-history.md.
var simulatedGoals = map[string]rateGoal{
	"150_0.02": {137.7, 300}, "150_0.05": {114.8, 250}, "150_0.1": {94.87, 180},
	"1000_0.02": {35.46, 65}, "1000_0.05": {19.53, 32}, "1000_0.1": {7.029, 14},
	"10000_0.02": {1.14, 2.3}, "10000_0.05": {0.3987, 0.65}, "10000_0.1": {0.1547, 0.23},
}

func (g *gpuFlags) simulatedGoal(s sets.Set) *rateGoal {
	goal, ok := simulatedGoals[setKey(s)]
	if !ok || g.approx != nil || g.penalties != align.DefaultPenalties {
		return nil
	}
	return &goal
}

func million(v float64) string { return known("%.4g", v/1e6) }

// known formats a value, or n/a for one that was not measured.
func known(format string, v float64) string {
	if v == 0 {
		return "n/a"
	}
	return fmt.Sprintf(format, v)
}

// ratio is 0 if the divisor was not measured.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
