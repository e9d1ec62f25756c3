package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"wfagpu/align"
	"wfagpu/gpu/hybrid"
	"wfagpu/scripts/internal/recall"
	"wfagpu/scripts/internal/sets"
)

// engineOptions are common to the CPU and the GPU engine.
type engineOptions struct {
	penalties align.Penalties
	mode      mode
	threads   int // of the CPU
	approx    align.Approx
	device    int // number of the GPU
	cutoff    int // see align.Options
}

func (o engineOptions) cpu() (*align.Engine, error) {
	return align.New(o.alignOptions())
}

func (o engineOptions) alignOptions() align.Options {
	a := align.Options{Penalties: o.penalties, ScoreOnly: o.mode.scoreOnly(), Threads: o.threads, Cutoff: o.cutoff}
	if o.mode.approx() {
		a.Approx = &o.approx
	}
	return a
}

// on opens an engine on a device: cpu, or the numbers of GPUs, such as 0,1, with the
// CPU as the fallback. The caller closes it. One at a time: each takes most of the
// memory that is free.
func (o engineOptions) on(ctx context.Context, device string) (*hybrid.Engine, error) {
	return openOn(ctx, device, o.alignOptions())
}

// openOn is on for any options.
func openOn(ctx context.Context, device string, o align.Options) (*hybrid.Engine, error) {
	h := hybrid.Options{CPU: o, Devices: hybrid.CPUOnly}
	if device != "cpu" {
		for _, number := range strings.Split(device, ",") {
			n, err := strconv.Atoi(number)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("device %q: want cpu, or numbers of GPUs such as 0,1", device)
			}
			h.Ordinals = append(h.Ordinals, n)
		}
	}
	return hybrid.Open(ctx, h)
}

// firstOf is the first of several GPUs.
func firstOf(device string) string {
	first, _, _ := strings.Cut(device, ",")
	return first
}

// gpu opens the GPU.
func (o engineOptions) gpu(ctx context.Context) (*hybrid.Engine, error) {
	return o.on(ctx, strconv.Itoa(o.device))
}

// engineRows are this program's rows.
func engineRows(t *trial, c *paperConfig) []*row {
	var rows []*row
	add := func(r *row) {
		r.tool, r.family, r.ours = "wfagpu", "wfagpu, "+r.device, true
		if c.modes[r.mode] {
			rows = append(rows, r)
		}
	}
	if c.gpu {
		for _, m := range modes {
			add(gpuRow(t, c, engineOptions{penalties: c.penalties, mode: m, approx: c.approx, device: c.device}))
		}
	}
	threads := []int{c.threads}
	if c.threads > 1 {
		threads = append(threads, 1)
	}
	for _, n := range threads {
		for _, m := range modes {
			add(cpuRow(t, c, m, n))
		}
	}
	return rows
}

func cpuRow(t *trial, c *paperConfig, m mode, threads int) *row {
	o := engineOptions{penalties: c.penalties, mode: m, threads: threads, approx: c.approx}
	r := &row{device: "CPU", mode: m, threads: threads}
	own := &align.Batch{First: 1, Pairs: t.sample.Pairs}
	var e *align.Engine
	r.check = func(ctx context.Context) (recall.Tally, error) {
		var err error
		if e, err = o.cpu(); err != nil {
			return recall.Tally{}, err
		}
		if err := e.AlignBatch(ctx, own); err != nil {
			return recall.Tally{}, err
		}
		return tallyBatch(t, c.penalties, own, m)
	}
	var many *align.Batch
	r.measure = func(ctx context.Context) (int, float64, error) {
		if many == nil {
			// Enough for every thread to make the start and the end of a
			// batch, where threads wait for each other, negligible.
			letters := min(own.Bases(), 6_000_000) * threads
			many = sets.Deal(own.Pairs, 1, max(letters, own.Bases()))[0]
			many.PrepareResults()
		}
		start, pairs := time.Now(), 0
		for {
			if err := e.AlignBatch(ctx, many); err != nil {
				return 0, 0, err
			}
			pairs += len(many.Pairs)
			if took := time.Since(start).Seconds(); took >= c.seconds {
				return pairs, took, nil
			}
		}
	}
	return r
}

// gpuCallers is the number of batches in flight, as in `bench gpu`.
const gpuCallers = 32

// dealt returns all pairs in batches for the GPU. A small set is repeated.
func dealt(pairs []align.Pair) []*align.Batch {
	all := align.Batch{Pairs: pairs}
	return sets.Deal(pairs, gpuCallers, max(gpuBatch, all.Bases()/gpuCallers+1))
}

// noteFallback reports that figures of a GPU include CPU fallbacks.
func noteFallback(what string, c pairCounts) {
	if c.fallback > 0 {
		fmt.Fprintf(os.Stderr, "bench: %s: %d of %d pairs were CPU fallbacks\n", what, c.fallback, c.fallback+c.finished)
	}
}

func gpuRow(t *trial, c *paperConfig, o engineOptions) *row {
	m := o.mode
	r := &row{device: "GPU", mode: m, threads: runtime.GOMAXPROCS(0)}
	r.check = func(ctx context.Context) (recall.Tally, error) {
		a, err := o.gpu(ctx)
		if err != nil {
			return recall.Tally{}, err
		}
		defer a.Close()
		own := &align.Batch{First: 1, Pairs: t.sample.Pairs}
		if err := a.AlignBatch(ctx, own); err != nil {
			return recall.Tally{}, err
		}
		noteFallback(t.title+", "+string(m), countsOf(a.Stats()))
		return tallyBatch(t, c.penalties, own, m)
	}
	r.measure = func(ctx context.Context) (int, float64, error) {
		a, err := o.gpu(ctx)
		if err != nil {
			return 0, 0, err
		}
		defer a.Close()
		batches := dealt(t.pairs)
		// A first pass, not measured, makes the allocations and the
		// estimate of the scores.
		if _, err := runFor(ctx, a, batches, 0); err != nil {
			return 0, 0, err
		}
		start := time.Now()
		rate, err := runFor(ctx, a, batches, c.seconds)
		took := time.Since(start).Seconds()
		return int(rate * took), took, err
	}
	return r
}

// tallyBatch counts an engine's results in a batch of the sample.
func tallyBatch(t *trial, p align.Penalties, own *align.Batch, m mode) (recall.Tally, error) {
	var tally recall.Tally
	rule := recall.Rule{Penalties: p}
	for i, got := range own.Results {
		if got.Err != nil {
			return tally, got.Err
		}
		if err := addResult(&tally, rule, m, own.Pairs[i], t.sample.Results[i].Score, got); err != nil {
			return tally, err
		}
	}
	return tally, nil
}

// addResult adds an engine's result in a mode to a tally.
func addResult(tally *recall.Tally, rule recall.Rule, m mode, p align.Pair, optimum int, r align.Result) error {
	if m.scoreOnly() {
		return tally.AddScore(optimum, r.Score)
	}
	return tally.Add(rule, p, optimum, r.Score, r.CIGAR)
}
