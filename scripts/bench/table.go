package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wfagpu/align"
	"wfagpu/align/aligntest/wfa2"
)

func runTable(ctx context.Context, args []string) error {
	c := newCommon("table")
	rounds := c.Int("rounds", 5, "passes of every program over every set")
	data := c.String("data", "", "files of pairs, and directories of them, comma-separated, in place of the simulated sets")
	only := c.String("only", "", "only sets whose name contains this, such as \"150 bp\" or \"1000 bp 5 %\"")
	levelNames := c.String("levels", "", "our code paths, comma-separated; empty for all that this machine has")
	distance := c.Bool("distance", false, "scores alone, without alignments")
	cpu := c.Bool("cpu", false, "CPU time, and the least of the rounds, for a machine that has other work; else the clock's, and the median")
	tsvName := c.String("tsv", "", "also write every figure to this file (default DIR/table.tsv)")
	if err := c.parse(args); err != nil {
		return err
	}
	levels := align.Levels()
	if *levelNames != "" {
		levels = nil
		for _, name := range strings.Split(*levelNames, ",") {
			level, err := align.ParseLevel(name)
			if err != nil {
				return err
			}
			levels = append(levels, level)
		}
	}
	drivers, err := buildPeers(ctx, c.dir)
	if err != nil {
		return err
	}
	if *tsvName == "" {
		*tsvName = filepath.Join(c.dir, "table.tsv")
	}
	tsv, err := os.Create(*tsvName)
	if err != nil {
		return err
	}
	defer tsv.Close()

	t := table{common: c, rounds: *rounds, distance: *distance, cpu: *cpu, drivers: drivers, levels: levels, tsv: tsv}
	list, err := tableSets(*data)
	if err != nil {
		return err
	}
	if err := t.header(); err != nil {
		return err
	}
	for _, s := range list {
		if strings.Contains(s.name, *only) {
			if err := t.row(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return tsv.Close()
}

// table prints one row a set as Markdown, and every figure to a TSV file.
type table struct {
	*common
	rounds   int
	distance bool
	cpu      bool
	drivers  []*wfa2.Driver
	levels   []align.Level
	tsv      *os.File
}

func (t *table) header() error {
	what := "with CIGAR"
	if t.distance {
		what = "scores only"
	}
	time := "medians"
	if t.cpu {
		time = "the best of CPU times"
	}
	fmt.Printf("# one thread, penalties %v, %s, pairs per second, %s of %d alternating rounds; in brackets, times the rate of %s\n",
		t.penalties, what, time, t.rounds, t.drivers[len(t.drivers)-1].Library.Name)
	columns := []string{"set", "mean score"}
	for _, d := range t.drivers {
		columns = append(columns, d.Library.Name)
	}
	for _, l := range t.levels {
		columns = append(columns, string(l))
	}
	fmt.Printf("| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	_, err := fmt.Fprintln(t.tsv, "set\tpenalties\tprogram\tpairs\tmedian_s\tmin_s\tmax_s\tpairs_per_s\tratio")
	return err
}

func (t *table) row(ctx context.Context, s tableSet) error {
	file, batch, err := s.load(t.dir)
	if err != nil {
		return err
	}
	sums := map[string]int64{} // by contestant, all of which must agree
	var contestants []*contestant
	for _, d := range t.drivers {
		for _, memory := range s.modes {
			contestants = append(contestants, t.peer(d, memory, file, sums))
		}
	}
	for _, l := range t.levels {
		c, err := t.ours(ctx, l, batch, sums)
		if err != nil {
			return err
		}
		contestants = append(contestants, c)
	}
	if err := alternate(ctx, t.rounds, contestants); err != nil {
		return err
	}
	var mean float64
	for name, sum := range sums {
		mean = float64(sum) / float64(len(batch.Pairs))
		if want := sums[contestants[0].name]; sum != want {
			return fmt.Errorf("%s has a score sum of %d, %s one of %d", name, sum, contestants[0].name, want)
		}
	}
	return t.print(s, mean, contestants)
}

func (t *table) peer(d *wfa2.Driver, memory wfa2.Memory, file string, sums map[string]int64) *contestant {
	c := &contestant{name: d.Library.Name + ", " + string(memory), least: t.cpu}
	// Each run is a new process. Of two passes the second counts, whose memory
	// is allocated.
	o := wfa2.Options{Penalties: t.penalties, Memory: memory, DistanceOnly: t.distance, Repetitions: 2, CPUTime: t.cpu}
	c.measure = func(ctx context.Context) (int, float64, error) {
		r, err := d.Time(ctx, file, o)
		if err != nil {
			return 0, 0, err
		}
		sums[c.name] = r.ScoreSum
		return int(r.Pairs), slices.Min(r.Seconds), nil
	}
	return c
}

// ours makes one pass unmeasured, as the peer does.
func (t *table) ours(ctx context.Context, l align.Level, all *align.Batch, sums map[string]int64) (*contestant, error) {
	c := &contestant{name: string(l), least: t.cpu}
	clock := clockTime
	if t.cpu {
		clock = cpuTime
	}
	e, err := align.New(align.Options{Penalties: t.penalties, ScoreOnly: t.distance, Threads: 1, Level: l})
	if err != nil {
		return nil, err
	}
	b := &align.Batch{First: 1, Pairs: all.Pairs}
	if l == align.LevelGo {
		// The slow path proves its sum in the tests; a part is enough to time.
		b.Pairs = b.Pairs[:(len(b.Pairs)+3)/4]
	}
	if _, err := timeEngine(ctx, clock, e, b); err != nil {
		return nil, err
	}
	sum, err := scoreSum(b)
	if err != nil {
		return nil, err
	}
	if l != align.LevelGo {
		sums[c.name] = sum
	}
	c.measure = func(ctx context.Context) (int, float64, error) {
		seconds, err := timeEngine(ctx, clock, e, b)
		return len(b.Pairs), seconds, err
	}
	return c, nil
}

func (t *table) print(s tableSet, mean float64, contestants []*contestant) error {
	// A library's rate is that of its better mode; the last library is the
	// reference.
	best := map[string]*contestant{}
	for _, c := range contestants {
		column, _, _ := strings.Cut(c.name, ", ")
		if b := best[column]; b == nil || c.rate() > b.rate() {
			best[column] = c
		}
	}
	reference := best[t.drivers[len(t.drivers)-1].Library.Name].rate()

	cells := []string{s.name, fmt.Sprintf("%.2f", mean)}
	for _, d := range t.drivers {
		c := best[d.Library.Name]
		cell := fmt.Sprintf("%.0f", c.rate())
		if _, mode, _ := strings.Cut(c.name, ", "); len(s.modes) > 1 {
			cell += " " + mode
		}
		cells = append(cells, cell)
	}
	for _, l := range t.levels {
		r := best[string(l)].rate()
		cells = append(cells, fmt.Sprintf("%.0f (%.2f)", r, r/reference))
	}
	fmt.Printf("| %s |\n", strings.Join(cells, " | "))

	for _, c := range contestants {
		_, err := fmt.Fprintf(t.tsv, "%v\t%v\t%s\t%d\t%.6f\t%.6f\t%.6f\t%.1f\t%.3f\n", s.name, t.penalties, c.name, c.pairs,
			median(c.seconds), slices.Min(c.seconds), slices.Max(c.seconds), c.rate(), c.rate()/reference)
		if err != nil {
			return err
		}
	}
	return nil
}
