package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu"
	"wfagpu/scripts/internal/sets"
)

// bandmap has the options of a measurement of the approximate mode.
type bandmap struct {
	penalties align.Penalties
	threads   int
	seconds   float64
	pairs     int
	scoreOnly bool
	simulated bool
	files     string
	gpu       bool
	device    int // number of the GPU
	dir, out  string
	page      pageOptions
	plotter   plotter
}

// runBandmap measures recall, excess of the score, and time of the approximate
// mode: for every band β and λ, by the rule of the paper, or of many sets at the
// automatic band.
func runBandmap(ctx context.Context, args []string) error {
	m := &bandmap{penalties: align.DefaultPenalties}
	f := flag.NewFlagSet("bandmap", flag.ContinueOnError)
	f.Func("penalties", "mismatch,open,extend (default 2,3,1)", func(s string) (err error) {
		m.penalties, err = align.ParsePenalties(s)
		return err
	})
	f.IntVar(&m.threads, "threads", runtime.GOMAXPROCS(0), "threads of the CPU")
	f.Float64Var(&m.seconds, "seconds", 0.2, "least time for each cell of the map, in three rounds")
	f.IntVar(&m.pairs, "pairs", -1, "pairs of each set, at most; 0 for all of a file (default: those of 4 million letters on a CPU, of 100 million on a GPU)")
	f.BoolVar(&m.scoreOnly, "score-only", false, "time scores without alignments")
	f.StringVar(&m.files, "data", "", "comma-separated .seq(.gz) files, or directories of them, to measure as well")
	f.BoolVar(&m.simulated, "simulated", true, "measure simulated pairs: 10,000 bases, 10 %, with and without bursts")
	rules := f.Bool("rules", false, "compare the rule that the band follows with the paper's instead, scores alone, on the CPU")
	recallOf := f.String("recall-of", "", "measure every .seq(.gz) file of this `directory` instead, at the automatic band")
	device := f.String("device", "auto", "auto, cpu or gpu")
	f.IntVar(&m.device, "gpu", 0, "number of the GPU")
	f.StringVar(&m.dir, "dir", "scripts/build", "working directory")
	f.StringVar(&m.out, "out", "", "directory for tables and maps (default DIR/bandmap)")
	m.page.flags(f)
	m.plotter.flags(f)
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if *rules && *recallOf != "" {
		return errors.New("-rules and -recall-of are different runs")
	}
	if m.out == "" {
		m.out = filepath.Join(m.dir, "bandmap")
	}
	if err := os.MkdirAll(m.out, 0o755); err != nil {
		return err
	}
	if *rules {
		return m.runRules(ctx)
	}
	if err := m.choose(*device); err != nil {
		return err
	}
	if *recallOf != "" {
		return m.runRecall(ctx, *recallOf)
	}
	if err := m.plotter.prepare(ctx, m.dir); err != nil {
		return err
	}
	return m.runMap(ctx)
}

// choose decides between GPU and CPU.
func (m *bandmap) choose(device string) error {
	switch device {
	case "cpu":
		return nil
	case "auto", "gpu":
		e, err := gpu.Open(gpu.Options{Device: m.device})
		if err == nil {
			m.gpu = true
			return e.Close()
		}
		if device == "gpu" {
			return err
		}
		fmt.Fprintf(os.Stderr, "bench: without a GPU: %v\n", err)
		return nil
	}
	return fmt.Errorf("-device is auto, cpu or gpu, not %q", device)
}

// approxSet is a named set of pairs.
type approxSet struct {
	name, title string
	pairs       []align.Pair
}

// each makes the sets one at a time, because they are large.
func (m *bandmap) each(do func(approxSet) error) error {
	if m.simulated {
		for _, model := range []simulate.Model{simulate.Uniform, simulate.Bursts} {
			s := sets.Set{Options: simulate.Options{Length: 10_000, ErrorRate: 0.1, Seed: 21, Model: model}, Count: m.pairs}
			if s.Count <= 0 {
				s.Count = m.letters() / (2 * s.Length)
			}
			b, err := s.Batch()
			if err != nil {
				return err
			}
			if err := do(approxSet{"10000-0.1-" + string(model), s.String(), b.Pairs}); err != nil {
				return fmt.Errorf("%v: %w", s, err)
			}
		}
	}
	files, err := dataFiles(m.files)
	if err != nil {
		return err
	}
	return m.eachFile(files, do)
}

func (m *bandmap) eachFile(files []string, do func(approxSet) error) error {
	for _, file := range files {
		b, err := sets.Read(file, m.pairs)
		if err != nil {
			return err
		}
		if m.pairs < 0 {
			b.Pairs = sets.First(b.Pairs, m.letters())
		}
		if len(b.Pairs) == 0 {
			return fmt.Errorf("%s has no pairs", file)
		}
		name, _, _ := strings.Cut(filepath.Base(file), ".seq")
		if err := do(approxSet{name, name, b.Pairs}); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// letters bounds a set if -pairs does not.
func (m *bandmap) letters() int {
	if m.gpu {
		return 100_000_000
	}
	return 4_000_000
}

// write puts the text of a part into the directory and on the page.
func (m *bandmap) write(name, text string) error {
	if err := os.WriteFile(filepath.Join(m.out, name), []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Printf("# %s is in %s\n", name, m.out)
	return m.page.update(text)
}

// measuredOn describes the measurement and the columns.
func (m *bandmap) measuredOn(w io.Writer) {
	m.page.provenance(w)
	what, engine := "with CIGARs", fmt.Sprintf("CPU engine, %d threads", m.threads)
	if m.scoreOnly {
		what = "scores alone"
	}
	if m.gpu {
		engine = fmt.Sprintf("GPU engine, %d batches at a time, copies and decoding included", gpuCallers)
	}
	fmt.Fprintf(w, `The approximate mode of the %s, %s, penalties
%v. Recall is the share of pairs whose score is the optimum; excess is by how much
the sum of the scores exceeds that of the optima. Time is that of alignment alone
divided by the number of pairs, the median of three rounds of %.2g s. A pair that
the band loses is aligned exactly: it counts as optimal, and its time counts in full.
`, engine, what, m.penalties, m.seconds/3)
}

// unit is the unit of times in tables.
func (m *bandmap) unit() (name string, perMillisecond float64) {
	if m.gpu {
		return "µs", 1000
	}
	return "ms", 1
}
