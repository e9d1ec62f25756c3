package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/scripts/peers"
)

// paperConfig has the options of a measurement of the paper's tables.
type paperConfig struct {
	of           string // the paper: ofWFAGPU or ofEWFAGPU
	penalties    align.Penalties
	approx       align.Approx
	threads      int // of every tool but where rows say 1
	seconds      float64
	checkSeconds float64
	rounds       int
	letters      int
	full         bool
	modes        map[mode]bool
	sets         string
	data         []string
	tools        string
	gpuChoice    string
	gpu          bool
	device       int

	dir, out, peers string
	noNative        bool
	external        []*peers.Driver
	externalGPU     []*peers.Driver
	wfaGPU          string
	page            pageOptions
	plotter         plotter
}

// quickTargets and fullTargets are the numbers of alignments that T in the tables is
// the time of, by length. The text of the paper has no numbers for its simulated
// sets; the full ones are those of its real sets of similar lengths.
var (
	quickTargets = map[int]int{150: 1_000_000, 1000: 100_000, 10_000: 10_000}
	fullTargets  = map[int]int{150: 100_000_000, 1000: 10_000_000, 10_000: 10_000_000}
)

// runPaper measures every tool on every set and writes the tables and plots of
// the WFA-GPU paper, or of eWFA-GPU's.
func runPaper(ctx context.Context, args []string) error {
	c, err := paperFlags(args)
	if err != nil {
		return err
	}
	for _, dir := range []string{c.dir, c.out} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := c.plotter.prepare(ctx, c.dir); err != nil {
		return err
	}
	c.gpu = c.hasGPU()
	if c.gpuChoice == "on" && !c.gpu {
		return errors.New("there is no usable GPU")
	}
	drivers, err := c.drivers(ctx)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(c.dir, "run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	var done []*outcome
	for _, make := range c.trials() {
		t, err := make()
		if err != nil {
			return err
		}
		o, err := c.trial(ctx, t, drivers, work)
		if err != nil {
			return fmt.Errorf("%s: %w", t.title, err)
		}
		done = append(done, o)
		// After each set, so that an interrupt leaves results.
		if err := c.write(ctx, done); err != nil {
			return err
		}
	}
	if len(done) == 0 {
		return fmt.Errorf("no set is called %q", c.sets)
	}
	fmt.Printf("# the tables are in %s\n", c.out)
	return nil
}

func paperFlags(args []string) (*paperConfig, error) {
	c := &paperConfig{penalties: align.DefaultPenalties}
	f := flag.NewFlagSet("paper", flag.ContinueOnError)
	f.StringVar(&c.of, "of", ofWFAGPU, "the paper: "+ofWFAGPU+", or "+ofEWFAGPU+" for edit distance")
	f.Func("penalties", "mismatch,open,extend (default 2,3,1)", func(s string) (err error) {
		c.penalties, err = align.ParsePenalties(s)
		return err
	})
	f.BoolVar(&c.full, "full", false, "the paper's numbers of alignments, larger samples, longer runs")
	f.Float64Var(&c.seconds, "seconds", 0, "time of each tool on each set in each round (default 0.4; 10 with -full)")
	f.Float64Var(&c.checkSeconds, "check", 0, "time for the alignments that recall is found from (default 0.8; 30 with -full)")
	f.IntVar(&c.rounds, "rounds", 0, "rounds, of which medians are shown (default 2; 3 with -full)")
	f.IntVar(&c.letters, "letters", 0, "letters in both sequences that a sample has at most (default 6M; 40M with -full)")
	f.IntVar(&c.threads, "threads", runtime.GOMAXPROCS(0), "threads of every tool; this program is measured with one, too")
	modeList := f.String("modes", "exact,approx,score,approx-score", "modes to measure")
	f.StringVar(&c.sets, "sets", "", "only sets whose name contains this, such as \"150 bp\" or \"1000 bp 5 %\"; - for no simulated set")
	data := f.String("data", "", "comma-separated .seq(.gz) files, or directories of them, to measure as well")
	f.StringVar(&c.tools, "tools", "", "only peers whose name contains one of these, comma-separated; - for none")
	f.StringVar(&c.gpuChoice, "gpu", "auto", "measure the GPU engine: auto, on or off")
	f.IntVar(&c.device, "device", 0, "number of the GPU")
	f.IntVar(&c.approx.Band, "band", 0, "the approximate mode's band, 0 for auto")
	f.IntVar(&c.approx.Lambda, "lambda", 0, "the approximate mode's lambda, 0 for auto")
	f.StringVar(&c.dir, "dir", "scripts/build", "directory for built drivers and samples")
	f.StringVar(&c.out, "out", "", "directory for tables and plots (default DIR/paper, or DIR/ewfa)")
	f.StringVar(&c.peers, "peers", "", "directory of built drivers, as `bench drivers` makes it; nothing is compiled")
	f.BoolVar(&c.noNative, "no-native", false, "do not fetch and build WFA2-lib from source")
	external := func(list *[]*peers.Driver) func(string) error {
		return func(s string) error {
			name, path, ok := strings.Cut(s, "=")
			if !ok {
				return errors.New("want NAME=PROGRAM")
			}
			*list = append(*list, peers.External(name, path))
			return nil
		}
	}
	f.Func("peer", "`NAME=PROGRAM`: one more CPU tool, a program with the options of align/aligntest/wfa2/driver/driver.h", external(&c.external))
	f.Func("gpu-peer", "`NAME=PROGRAM`: the same for a GPU tool", external(&c.externalGPU))
	f.StringVar(&c.wfaGPU, "wfa-gpu", "", "the program wfa.affine.gpu of WFA-GPU")
	c.page.flags(f)
	c.plotter.flags(f)
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if err := c.choosePaper(f, modeList); err != nil {
		return nil, err
	}
	var ok bool
	if c.modes, ok = parseModes(*modeList); !ok {
		return nil, fmt.Errorf("unknown mode in %q", *modeList)
	}
	if c.out == "" {
		c.out = filepath.Join(c.dir, "paper")
		if c.of == ofEWFAGPU {
			c.out = filepath.Join(c.dir, "ewfa")
		}
	}
	c.defaults()
	var err error
	c.data, err = dataFiles(*data)
	return c, err
}

func (c *paperConfig) defaults() {
	seconds, check, rounds, letters := 0.4, 0.8, 2, 6_000_000
	if c.full {
		seconds, check, rounds, letters = 10, 30, 3, 40_000_000
	}
	if c.seconds <= 0 {
		c.seconds = seconds
	}
	if c.checkSeconds <= 0 {
		c.checkSeconds = check
	}
	if c.rounds <= 0 {
		c.rounds = rounds
	}
	if c.letters <= 0 {
		c.letters = letters
	}
	c.threads = max(1, c.threads)
}

// dataFiles lists the files named, and the files of pairs in directories named.
func dataFiles(list string) ([]string, error) {
	var files []string
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, name)
			continue
		}
		plain, _ := filepath.Glob(filepath.Join(name, "*.seq"))
		packed, _ := filepath.Glob(filepath.Join(name, "*.seq.gz"))
		found := append(plain, packed...)
		if len(found) == 0 {
			return nil, fmt.Errorf("no .seq or .seq.gz files in %s", name)
		}
		slices.Sort(found)
		files = append(files, found...)
	}
	return files, nil
}

// hasGPU tells whether to measure the GPU engine, and reports why not.
func (c *paperConfig) hasGPU() bool {
	if c.gpuChoice == "off" {
		return false
	}
	e, err := gpu.Open(gpu.Options{Device: c.device})
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: without a GPU: %v\n", err)
		return false
	}
	return e.Close() == nil
}

// trials returns functions that make the sets one at a time, because they are large.
func (c *paperConfig) trials() []func() (*trial, error) {
	var list []func() (*trial, error)
	all, target := c.simulatedSets()
	for _, s := range all {
		if strings.Contains(s.String(), c.sets) {
			list = append(list, func() (*trial, error) { return simulated(s, c.size(), target(s)) })
		}
	}
	for _, file := range c.data {
		list = append(list, func() (*trial, error) { return fromFile(file) })
	}
	return list
}

func (c *paperConfig) size() trialSize {
	return trialSize{letters: c.letters, seconds: c.checkSeconds, gpu: c.gpu}
}

// outcome is a trial with its results.
type outcome struct {
	*trial
	rows []*row
}

// trial aligns a set with every tool.
func (c *paperConfig) trial(ctx context.Context, t *trial, drivers []*peers.Driver, work string) (*outcome, error) {
	if err := t.choose(ctx, work, c.penalties, c.size()); err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "bench: %s: %d pairs, %d of them for CPUs\n", t.title, len(t.pairs), len(t.sample.Pairs))
	var rows []*row
	for _, d := range c.externalGPU {
		rows = append(rows, peerRows(t, c, d, "GPU")...)
	}
	if c.wfaGPU != "" {
		more, err := wfaGPURows(t, c, work)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	rows = append(rows, engineRows(t, c)...)
	rows = append(rows, tierRows(t, c)...)
	for _, d := range drivers {
		rows = append(rows, peerRows(t, c, d, "CPU")...)
	}
	if err := run(ctx, rows, c.rounds); err != nil {
		return nil, err
	}
	// The next set needs the memory; the tables need the counts alone.
	for _, r := range rows {
		r.check, r.measure = nil, nil
	}
	t.pairs, t.sample.Pairs = t.pairs[:0:0], make([]align.Pair, len(t.sample.Pairs))
	return &outcome{trial: t, rows: rows}, nil
}
