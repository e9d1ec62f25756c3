package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/scripts/internal/report"
	"wfagpu/scripts/internal/sets"
)

// gpuCounts is the number of pairs that tables of other tools make for a GPU, by
// length.
var gpuCounts = map[int]int{150: 1_600_000, 300: 800_000, 1000: 200_000, 10_000: 20_000}

// gpuBatch is the number of bases in every batch, unless -batch says so. Small sets are repeated.
const gpuBatch = 8 << 20

// unitSet is the simulated set whose rate in score² is the unit of the others'.
const unitSet = "10000_0.1"

// gpuFlags has the options of `bench gpu`.
type gpuFlags struct {
	gpuMeasurement
	data, only string
	letters    int
	pairs      int
	callers    int
	results    bool
	profile    string
	batch      int
}

func (g *gpuFlags) parse(args []string) error {
	f := flag.NewFlagSet("gpu", flag.ContinueOnError)
	g.penalties = align.DefaultPenalties
	f.Func("penalties", "mismatch,open,extend (default 2,3,1)", func(s string) (err error) {
		g.penalties, err = align.ParsePenalties(s)
		return err
	})
	f.Float64Var(&g.seconds, "seconds", 1, "time of each of the rounds of a row, which take one pass over the set, and as long as a batch stays, at least")
	f.Float64Var(&g.most, "most", 15, "largest time of a round, even if these take longer; 0 is no limit")
	f.IntVar(&g.rounds, "rounds", 3, "rounds, of which the median is shown")
	f.IntVar(&g.letters, "letters", 4<<30, "letters in the engine's hands at a time, in both sequences; the command holds as many as 4G on a machine with 40 GB")
	f.IntVar(&g.pairs, "pairs", 4<<20, "pairs in the engine's hands at a time, at most, if their letters are fewer")
	f.IntVar(&g.batch, "batch", gpuBatch, "letters in a batch of a file's pairs, in both sequences")
	f.IntVar(&g.callers, "callers", 0, "batches in the engine's hands at a time, in place of -letters and -pairs")
	f.StringVar(&g.data, "data", "", "directory of .seq.gz files to measure instead of simulated sets, after the simulated one that is their unit")
	f.StringVar(&g.device, "device", "0", "numbers of the GPUs, such as 0,1; or cpu, to try the command without one")
	f.StringVar(&g.only, "sets", "", "rows to measure, such as 150_0.02,1000_0.1 or parts of the names of files; empty for all")
	f.Func("approx", "approximate mode with this band and lambda, such as 252,25; 0,0 for automatic ones", func(s string) error {
		g.approx = new(align.Approx)
		_, err := fmt.Sscanf(s, "%d,%d", &g.approx.Band, &g.approx.Lambda)
		return err
	})
	f.BoolVar(&g.alone, "alone", true, "measure the CPU engine alone, too")
	f.BoolVar(&g.scores, "scores", true, "measure scores without alignments, too")
	f.BoolVar(&g.host, "host", false, "measure what the host path allows, too: the same targets, each paired with itself")
	f.BoolVar(&g.first, "first", false, "measure the first of several GPUs alone, too")
	f.IntVar(&g.flanks, "flanks", 0, "measure the files' pairs as ends-free alignments, too: the targets have random flanks of 10 to so many letters")
	f.BoolVar(&g.results, "results", false, "print a line for programs for each value as well, with the goal")
	f.StringVar(&g.profile, "cpuprofile", "", "write a CPU profile to this `file`")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	switch {
	case g.batch < 1:
		return fmt.Errorf("-batch %d: a batch has letters", g.batch)
	case g.flanks != 0 && g.data == "":
		return errors.New("-flanks is for -data")
	case g.flanks != 0 && g.flanks < sets.LeastFlank:
		return fmt.Errorf("-flanks %d: flanks have %d letters at least", g.flanks, sets.LeastFlank)
	}
	return nil
}

// flight returns how many letters of pairs with so many each, in both sequences, are in the engine's
// hands at a time, and in how many batches.
func (g *gpuFlags) flight(each int) (letters, batches int) {
	if g.callers > 0 {
		return g.callers * g.batch, g.callers
	}
	letters = min(g.letters, g.pairs*max(1, each))
	return letters, max(1, letters/g.batch)
}

// runGPU measures GPUs, with the CPU engine as the fallback, from sequences
// in host memory to scores and alignments in host memory. The built program needs
// neither Go nor files of the repository on a machine with a GPU.
func runGPU(ctx context.Context, args []string) error {
	var g gpuFlags
	if err := g.parse(args); err != nil {
		return err
	}
	if g.profile != "" {
		out, err := os.Create(g.profile)
		if err != nil {
			return err
		}
		defer out.Close()
		if err := pprof.StartCPUProfile(out); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	t := &gpuTable{w: os.Stdout, gpuFlags: &g}
	t.head()
	if g.data == "" {
		return g.simulated(ctx, t)
	}
	return g.files(ctx, t)
}

// simulated measures the sets of the paper.
func (g *gpuFlags) simulated(ctx context.Context, t *gpuTable) error {
	chosen := func(s sets.Set) bool { return g.only == "" || slices.Contains(strings.Split(g.only, ","), setKey(s)) }
	measured := false
	for _, unit := range []bool{true, false} { // the unit comes first
		for _, s := range sets.Paper() {
			if !chosen(s) || unit != (setKey(s) == unitSet) {
				continue
			}
			measured = true
			if err := g.simulatedRow(ctx, t, s); err != nil {
				return err
			}
		}
	}
	if !measured {
		return fmt.Errorf("no simulated set is named %q", g.only)
	}
	return nil
}

func setKey(s sets.Set) string { return fmt.Sprintf("%d_%v", s.Length, s.ErrorRate) }

func (g *gpuFlags) simulatedRow(ctx context.Context, t *gpuTable, s sets.Set) error {
	letters, callers := g.flight(2 * s.Length)
	s.Count, s.Seed = max(callers, letters/(2*s.Length)), 100
	batches, err := s.Batches(callers)
	if err != nil {
		return err
	}
	m := g.gpuMeasurement
	m.flanks = 0
	r, err := m.row(ctx, gpuWork{name: s.String(), batches: batches, inFlight: callers})
	if err != nil {
		return err
	}
	if setKey(s) == unitSet {
		t.unit = r.cigar.Squares
	}
	t.row(r, g.simulatedGoal(s))
	return nil
}

// files measures the sets of a directory, after the unit. A set that fails is
// reported and leaves the others alone.
func (g *gpuFlags) files(ctx context.Context, t *gpuTable) error {
	files, err := filepath.Glob(filepath.Join(g.data, "*.seq.gz"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no .seq.gz files in %s (%v)", g.data, err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return !g.chosen(file) })
	if len(files) == 0 {
		return fmt.Errorf("no file in %s has a name like %q", g.data, g.only)
	}
	unit := sets.Set{Options: simulate.Options{Length: 10_000, ErrorRate: 0.1}}
	if err := g.simulatedRow(ctx, t, unit); err != nil {
		return err
	}
	var failed []error
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".seq.gz")
		if err := g.fileRow(ctx, t, file, name); err != nil {
			if ctx.Err() != nil {
				return err
			}
			t.report().Fail(name, err)
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(failed...)
}

func (g *gpuFlags) chosen(file string) bool {
	for _, part := range strings.Split(g.only, ",") {
		if strings.Contains(filepath.Base(file), part) {
			return true
		}
	}
	return false
}

func (g *gpuFlags) fileRow(ctx context.Context, t *gpuTable, file, name string) error {
	b, err := sets.Read(file, 0)
	if err != nil {
		return err
	}
	if len(b.Pairs) == 0 {
		return errors.New("no pairs")
	}
	// The whole set, and enough for every caller.
	letters, callers := g.flight(b.Bases() / len(b.Pairs))
	batches := max(callers, b.Bases()/g.batch+1)
	deal := func(pairs []align.Pair) []*align.Batch { return sets.Deal(pairs, batches, min(g.batch, letters)) }
	w := gpuWork{name: name, batches: deal(b.Pairs), inFlight: callers}
	if g.flanks > 0 {
		w.flanked = deal(sets.Flanked(b.Pairs, g.flanks, 1))
	}
	r, err := g.row(ctx, w)
	if err != nil {
		return err
	}
	t.row(r, nil)
	return nil
}

func (t *gpuTable) report() *report.Report {
	out := io.Discard
	if t.results {
		out = t.w
	}
	part := "sets"
	switch {
	case t.first:
		part = "gpus"
	case t.data == "":
		part = "simulated"
	}
	if t.approx != nil {
		part += "-approx"
	}
	return &report.Report{Out: out, Part: part}
}
