package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/scripts/internal/chart"
	"wfagpu/scripts/internal/recall"
	"wfagpu/scripts/internal/sets"
)

// The grid of the paper's Supplement S5.
var (
	bands   = []int{16, 32, 64, 128, 256, 512, 1024}
	lambdas = []int{5, 10, 25, 50, 100, 200}
)

// bandmap is how the approximate mode is looked at for all its settings.
type bandmap struct {
	penalties align.Penalties
	threads   int
	seconds   float64
	pairs     int
	scoreOnly bool
	files     string
	dir, out  string
	page      pageOptions
}

// runBandmap measures recall, excess of the score, and time of the approximate
// mode for every width and step of its band.
func runBandmap(ctx context.Context, args []string) error {
	m := &bandmap{penalties: align.DefaultPenalties}
	f := flag.NewFlagSet("bandmap", flag.ContinueOnError)
	f.Func("penalties", "mismatch,open,extend (default 2,3,1)", func(s string) (err error) {
		m.penalties, err = align.ParsePenalties(s)
		return err
	})
	f.IntVar(&m.threads, "threads", runtime.GOMAXPROCS(0), "threads")
	f.Float64Var(&m.seconds, "seconds", 0.2, "least time for each cell of the map")
	f.IntVar(&m.pairs, "pairs", 200, "pairs of each set, at most; 0 for all of a file")
	f.BoolVar(&m.scoreOnly, "score-only", false, "time scores without alignments")
	f.StringVar(&m.files, "data", "", "comma-separated .seq(.gz) files, or directories of them, to look at as well")
	simulatedToo := f.Bool("simulated", true, "look at simulated pairs: 10,000 bases, 10 %, with and without bursts")
	f.StringVar(&m.dir, "dir", "scripts/build", "working directory")
	f.StringVar(&m.out, "out", "", "directory for maps (default DIR/bandmap)")
	m.page.flags(f)
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if m.out == "" {
		m.out = filepath.Join(m.dir, "bandmap")
	}
	if err := os.MkdirAll(m.out, 0o755); err != nil {
		return err
	}
	return m.run(ctx, *simulatedToo)
}

// run draws a map for every set.
func (m *bandmap) run(ctx context.Context, simulatedToo bool) error {
	var text strings.Builder
	m.preface(&text)
	tsv, err := os.Create(filepath.Join(m.out, "bandmap.tsv"))
	if err != nil {
		return err
	}
	defer tsv.Close()
	fmt.Fprintln(tsv, "set\tpenalties\tthreads\tband\tlambda\tpairs\trecall_pct\texcess_pct\tms_per_pair\texact_ms_per_pair\tfailed")
	look := func(name, title string, pairs []align.Pair) error {
		if len(pairs) == 0 {
			return fmt.Errorf("%s has no pairs", title)
		}
		g, err := m.measure(ctx, title, pairs)
		if err != nil {
			return fmt.Errorf("%s: %w", title, err)
		}
		if err := g.writeTSV(tsv, m); err != nil {
			return err
		}
		return m.show(&text, name, g)
	}
	if simulatedToo {
		for _, model := range []simulate.Model{simulate.Bursts, simulate.Uniform} {
			s := sets.Set{Options: simulate.Options{Length: 10_000, ErrorRate: 0.1, Seed: 21, Model: model}, Count: max(1, m.pairs)}
			b, err := s.Batch()
			if err != nil {
				return err
			}
			if err := look("10000-0.1-"+string(model), s.String(), b.Pairs); err != nil {
				return err
			}
		}
	}
	files, err := dataFiles(m.files)
	if err != nil {
		return err
	}
	for _, file := range files {
		b, err := sets.Read(file, m.pairs)
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(filepath.Base(file), ".seq")
		if err := look(name, name, b.Pairs); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(m.out, "bandmap.md"), []byte(text.String()), 0o644); err != nil {
		return err
	}
	fmt.Printf("# the maps are in %s\n", m.out)
	return m.page.update(text.String())
}

func (m *bandmap) preface(w io.Writer) {
	m.page.provenance(w)
	what := "with CIGARs"
	if m.scoreOnly {
		what = "scores alone"
	}
	fmt.Fprintf(w, `The approximate mode of the CPU engine, %s, penalties %v, %d threads. Recall is
the share of pairs whose score is the optimum, excess by how much the scores'
sum exceeds that of the optima, time that of alignment alone by pair, at least
%g s for each cell. A pair that the band loses is aligned exactly, so that it
counts as optimal, and its time in full.
`, what, m.penalties, m.threads, m.seconds)
}

// grid is a set with its results by band and lambda.
type grid struct {
	title                string
	pairs                int
	exact                float64 // milliseconds a pair
	recall, excess, time [][]float64
	failed               [][]int64 // pairs that were aligned exactly after all
}

func (m *bandmap) measure(ctx context.Context, title string, pairs []align.Pair) (*grid, error) {
	fmt.Fprintf(os.Stderr, "bench: %s: %d pairs\n", title, len(pairs))
	exact := &align.Batch{First: 1, Pairs: pairs}
	o := align.Options{Penalties: m.penalties, ScoreOnly: m.scoreOnly, Threads: m.threads}
	g := &grid{title: title, pairs: len(pairs)}
	var err error
	if g.exact, _, err = m.time(ctx, o, exact); err != nil {
		return nil, err
	}
	own := &align.Batch{First: 1, Pairs: pairs}
	for _, band := range bands {
		var recalls, excesses, times []float64
		var failures []int64
		for _, lambda := range lambdas {
			o.Approx = &align.Approx{Band: band, Lambda: lambda}
			time, failed, err := m.time(ctx, o, own)
			if err != nil {
				return nil, err
			}
			tally, err := m.tally(exact, own)
			if err != nil {
				return nil, fmt.Errorf("band %d, lambda %d: %w", band, lambda, err)
			}
			recalls, excesses = append(recalls, tally.Recall()), append(excesses, tally.Excess())
			times, failures = append(times, time), append(failures, failed)
		}
		g.recall, g.excess = append(g.recall, recalls), append(g.excess, excesses)
		g.time, g.failed = append(g.time, times), append(g.failed, failures)
	}
	return g, nil
}

// time aligns the batch over and over, and returns milliseconds a pair, and
// how many of a pass were given up and aligned exactly. The first pass is for
// the allocations unless it takes the time of several.
func (m *bandmap) time(ctx context.Context, o align.Options, b *align.Batch) (float64, int64, error) {
	e, err := align.New(o)
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	if err := e.AlignBatch(ctx, b); err != nil {
		return 0, 0, err
	}
	failed := e.ApproxStats().Failed
	if took := time.Since(start).Seconds(); took > 5*m.seconds {
		return 1000 * took / float64(len(b.Pairs)), failed, nil
	}
	start = time.Now()
	for passes := 1; ; passes++ {
		if err := e.AlignBatch(ctx, b); err != nil {
			return 0, 0, err
		}
		if took := time.Since(start).Seconds(); took >= m.seconds {
			return 1000 * took / float64(passes*len(b.Pairs)), failed, nil
		}
	}
}

func (m *bandmap) tally(exact, own *align.Batch) (*recall.Tally, error) {
	var tally recall.Tally
	rule := recall.Rule{Penalties: m.penalties}
	for i, got := range own.Results {
		if err := errors.Join(got.Err, exact.Results[i].Err); err != nil {
			return nil, err
		}
		var err error
		if m.scoreOnly {
			err = tally.AddScore(exact.Results[i].Score, got.Score)
		} else {
			err = tally.Add(rule, own.Pairs[i], exact.Results[i].Score, got.Score, got.CIGAR)
		}
		if err != nil {
			return nil, err
		}
	}
	if tally.Invalid > 0 {
		return nil, tally.First
	}
	return &tally, nil
}

// show draws a set's maps and writes its table.
func (m *bandmap) show(w io.Writer, name string, g *grid) error {
	fmt.Fprintf(w, "\n### %s\n\n%d pairs; exact alignment takes %s ms a pair. Recall in %%, excess in %%, milliseconds a pair:\n\n",
		g.title, g.pairs, figures(g.exact))
	heads := []string{"β \\ λ"}
	for _, lambda := range lambdas {
		heads = append(heads, fmt.Sprint(lambda))
	}
	line(w, heads)
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(heads)))
	for i, band := range bands {
		cells := []string{fmt.Sprint(band)}
		for j := range lambdas {
			cells = append(cells, fmt.Sprintf("%s, %s, %s", percent(g.recall[i][j]), percent(g.excess[i][j]), figures(g.time[i][j])))
		}
		line(w, cells)
	}
	fmt.Fprintln(w)
	for _, picture := range []struct {
		name, title, format string
		values              [][]float64
		log                 bool
	}{
		{"recall", "Recall, % of pairs", "%.1f", g.recall, false},
		{"time", "Time, ms a pair", "%.2f", g.time, true},
	} {
		h := chart.HeatMap{
			Title: picture.title + ": " + g.title, XLabel: "λ, scores between moves of the band", YLabel: "β, diagonals",
			Columns: heads[1:], Values: picture.values, Format: picture.format, Log: picture.log,
		}
		for _, band := range bands {
			h.Rows = append(h.Rows, fmt.Sprint(band))
		}
		base := filepath.Join(m.out, "bandmap-"+name+"-"+picture.name)
		if err := h.Save(base+".svg", base+".png"); err != nil {
			return err
		}
		link, err := m.page.picture(base + ".svg")
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "![%s](%s)\n", picture.title, link)
	}
	return nil
}

// percent does not round up to 100, nor down to 0.
func percent(v float64) string {
	switch {
	case v == 0 || v == 100:
		return fmt.Sprintf("%.0f", v)
	case v < 0.01:
		return "<0.01"
	case v < 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.1f", math.Floor(10*v)/10)
}

func (g *grid) writeTSV(w io.Writer, m *bandmap) error {
	for i, band := range bands {
		for j, lambda := range lambdas {
			_, err := fmt.Fprintf(w, "%s\t%v\t%d\t%d\t%d\t%d\t%.3f\t%.5f\t%.6g\t%.6g\t%d\n", g.title, m.penalties, m.threads, band, lambda,
				g.pairs, g.recall[i][j], g.excess[i][j], g.time[i][j], g.exact, g.failed[i][j])
			if err != nil {
				return err
			}
		}
	}
	return nil
}
