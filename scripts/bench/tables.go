package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wfagpu/scripts/internal/chart"
	"wfagpu/scripts/internal/published"
)

// write makes all files from what has been measured so far.
func (c *paperConfig) write(done []*outcome) error {
	tsv, err := os.Create(filepath.Join(c.out, "results.tsv"))
	if err != nil {
		return err
	}
	defer tsv.Close()
	if err := c.writeTSV(tsv, done); err != nil {
		return err
	}
	plots, err := c.plots(done)
	if err != nil {
		return err
	}
	var text strings.Builder
	c.preface(&text)
	for _, part := range grouped(done) {
		c.tables(&text, part, plots)
	}
	if err := os.WriteFile(filepath.Join(c.out, "tables.md"), []byte(text.String()), 0o644); err != nil {
		return err
	}
	return c.page.update(text.String())
}

// preface says how the figures were made.
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

// grouped divides trials into those that share tables.
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

// tables writes those of a group.
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

// label identifies a row across trials.
type label struct {
	tool, device string
	mode         mode
	threads      int
	ours         bool
}

func (r *row) label() label { return label{r.tool, r.device, r.mode, r.threads, r.ours} }

func (l label) cells() []string {
	name := l.tool
	if l.mode != exactCIGAR {
		name += ", " + string(l.mode)
	}
	threads := fmt.Sprint(l.threads)
	if l.threads == 0 || l.device == "GPU" {
		threads = ""
	}
	return []string{l.device, name, threads}
}

func (l label) in(o *outcome) *row {
	for _, r := range o.rows {
		if r.label() == l {
			return r
		}
	}
	return nil
}

// labelsOf are those of all trials: GPUs first, then this program, then the
// peers, with their alignments before their scores.
func labelsOf(group []*outcome) []label {
	var all []label
	for _, o := range group {
		for _, r := range o.rows {
			if !slices.Contains(all, r.label()) {
				all = append(all, r.label())
			}
		}
	}
	rank := func(l label) int {
		rank := 0
		if l.device == "CPU" {
			rank += 4
			if !l.ours {
				rank += 2
				if l.mode.scoreOnly() {
					rank++
				}
			}
		}
		return rank
	}
	slices.SortStableFunc(all, func(a, b label) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}

func line(w io.Writer, cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }

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

// reference is the rate of this program in a row's mode.
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

// figures writes about three significant ones.
func figures(v float64) string {
	switch {
	case v == 0 || math.IsInf(v, 0) || math.IsNaN(v):
		return "n/a"
	case v >= 100:
		return grouping(int(math.Round(v)))
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%#.3g", v)
}

// grouping writes a number with commas.
func grouping(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// writeTSV writes every figure.
func (c *paperConfig) writeTSV(w io.Writer, done []*outcome) error {
	fmt.Fprintln(w, "set\tdevice\ttool\tmode\tthreads\tpenalties\tmean_length\tmean_score\trounds\tpairs\tseconds\t"+
		"pairs_per_s\tmin_pairs_per_s\tmax_pairs_per_s\ttarget\ttarget_seconds\tchecked\toptimal\trecall_pct\texcess_pct\tinvalid\t"+
		"wfagpu_cpu_times\twfagpu_gpu_times\tfailure")
	for _, o := range done {
		sum := 0
		for _, r := range o.sample.Results {
			sum += r.Score
		}
		for _, r := range o.rows {
			failure, low, high := "", 0.0, 0.0
			if r.failure != nil {
				failure = strings.Join(strings.Fields(r.failure.Error()), " ")
			} else {
				low, high = slices.Min(r.rates), slices.Max(r.rates)
			}
			over := func(device string) float64 {
				if r.rate() == 0 {
					return 0
				}
				return reference(o, r, device) / r.rate()
			}
			target := 0.0
			if r.rate() > 0 {
				target = float64(o.target) / r.rate()
			}
			_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%v\t%d\t%.2f\t%d\t%d\t%.4f\t%.6g\t%.6g\t%.6g\t%d\t%.6g\t%d\t%d\t%.3f\t%.4f\t%d\t%.4g\t%.4g\t%s\n",
				o.title, r.device, r.tool, r.mode, r.threads, c.penalties, o.meanLength(),
				float64(sum)/float64(max(1, len(o.sample.Results))), len(r.rates), r.pairs, r.seconds,
				r.rate(), low, high, o.target, target,
				r.tally.Checked, r.tally.Optimal, r.tally.Recall(), r.tally.Excess(), r.tally.Invalid,
				over("CPU"), over("GPU"), failure)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// families are what there are bars for, in the order of the tables.
func families(group []*outcome, threads int) []string {
	var names []string
	for _, l := range labelsOf(group) {
		for _, o := range group {
			r := l.in(o)
			if r == nil || r.mode != exactCIGAR || r.threads != threads && r.device == "CPU" {
				continue
			}
			if !slices.Contains(names, r.family) {
				names = append(names, r.family)
			}
		}
	}
	return names
}

// plots draws the exact rates as the paper's Figure 3 does, of the fastest
// variant of every tool, and returns the names of the pictures by group.
func (c *paperConfig) plots(done []*outcome) (map[string]string, error) {
	pictures := map[string]string{}
	draw := func(name, title string, part []*outcome) error {
		b := chart.Bars{Title: title, YLabel: "alignments per second"}
		for _, o := range part {
			b.Groups = append(b.Groups, o.title)
		}
		for _, name := range families(part, c.threads) {
			s := chart.Series{Name: name}
			for _, o := range part {
				s.Values = append(s.Values, fastest(o.rows, func(r *row) bool {
					return r.family == name && r.mode == exactCIGAR
				}))
			}
			b.Series = append(b.Series, s)
		}
		svg, png := filepath.Join(c.out, name+".svg"), filepath.Join(c.out, name+".png")
		if err := b.Save(svg, png); err != nil {
			return err
		}
		link, err := c.page.picture(svg)
		pictures[part[len(part)-1].group] = link
		return err
	}
	var simulated, real []*outcome
	for _, o := range done {
		if o.real {
			real = append(real, o)
		} else {
			simulated = append(simulated, o)
		}
	}
	if len(simulated) > 0 {
		if err := draw("simulated", "Exact alignments with CIGAR, simulated pairs; the fastest variant of each library", simulated); err != nil {
			return nil, err
		}
	}
	if len(real) > 0 {
		if err := draw("real", "Exact alignments with CIGAR, real reads; the fastest variant of each library", real); err != nil {
			return nil, err
		}
	}
	return pictures, nil
}

// publishedRates writes the paper's Table 1 as rates.
func publishedRates(w io.Writer) {
	entries, err := published.Table1()
	if err != nil {
		return
	}
	fmt.Fprintf(w, "\nPublished: alignments per second, and in brackets recall in %%, of the paper's Table 1, on\n%s\n\n", published.Hardware)
	var names []string
	for _, e := range entries {
		if !slices.Contains(names, e.Set) {
			names = append(names, e.Set)
		}
	}
	line(w, append([]string{"Device", "Tool"}, names...))
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", 2+len(names)))
	for at := 0; at < len(entries); at += len(names) {
		e := entries[at]
		name := e.Tool
		if e.Mode != string(exactCIGAR) {
			name += ", " + e.Mode
		}
		cells := []string{e.Device, name}
		for _, e := range entries[at : at+len(names)] {
			if e.Rate() == 0 {
				cells = append(cells, e.Time)
				continue
			}
			cells = append(cells, fmt.Sprintf("%s (%s)", figures(e.Rate()), e.Recall))
		}
		line(w, cells)
	}
}
