package main

import (
	"context"
	"errors"
	"strconv"
	"time"

	"wfagpu/align"
	"wfagpu/gpu/hybrid"
	"wfagpu/scripts/internal/recall"
)

// workload is a set in batches for the engine: all pairs in order and, for a GPU,
// repeated from the first one.
type workload struct {
	pairs   []align.Pair
	batches []*align.Batch
	optima  []int
}

func (m *bandmap) workload(pairs []align.Pair) *workload {
	w := &workload{pairs: pairs, batches: []*align.Batch{{First: 1, Pairs: pairs}}}
	if m.gpu {
		w.batches = dealt(pairs)
	}
	return w
}

// results calls do for each pair with its result.
func (w *workload) results(do func(i int, r align.Result) error) error {
	i := 0
	for _, b := range w.batches {
		for _, r := range b.Results {
			if i == len(w.pairs) {
				return nil
			}
			if err := errors.Join(r.Err, do(i, r)); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// approxCell is the measurement of one band and λ.
type approxCell struct {
	ms             float64 // a pair
	recall, excess float64 // in %
	exactly        float64 // % of the pairs were aligned exactly
	left           float64 // % of the pairs were CPU fallbacks
}

// exact aligns the workload exactly, keeps the optima, and returns milliseconds
// a pair.
func (m *bandmap) exact(ctx context.Context, w *workload) (float64, error) {
	c, err := m.time(ctx, nil, w)
	if err != nil {
		return 0, err
	}
	w.optima = make([]int, len(w.pairs))
	return c.ms, w.results(func(i int, r align.Result) error {
		w.optima[i] = r.Score
		return nil
	})
}

// cell measures one band and λ.
func (m *bandmap) cell(ctx context.Context, approx align.Approx, w *workload) (approxCell, error) {
	c, err := m.time(ctx, &approx, w)
	if err != nil {
		return c, err
	}
	var tally recall.Tally
	rule := recall.Rule{Penalties: m.penalties}
	err = w.results(func(i int, r align.Result) error {
		return addResult(&tally, rule, modeOf(true, m.scoreOnly), w.pairs[i], w.optima[i], r)
	})
	if err == nil && tally.Invalid > 0 {
		err = tally.First
	}
	c.recall, c.excess = tally.Recall(), tally.Excess()
	return c, err
}

// time aligns the workload repeatedly, in rounds of which the median counts. The
// first pass makes the allocations; it counts only if it takes as long as several.
func (m *bandmap) time(ctx context.Context, approx *align.Approx, w *workload) (c approxCell, err error) {
	o := engineOptions{penalties: m.penalties, mode: modeOf(approx != nil, m.scoreOnly), threads: m.threads, device: m.device}
	if approx != nil {
		o.approx = *approx
	}
	device := "cpu"
	if m.gpu {
		device = strconv.Itoa(m.device)
	}
	engine, err := o.on(ctx, device)
	if err != nil {
		return c, err
	}
	defer engine.Close()
	const rounds = 3
	start := time.Now()
	rate, err := runFor(ctx, engine, w.batches, 0)
	if err != nil {
		return c, err
	}
	first := time.Since(start).Seconds()
	c.exactly, c.left = shares(w, engine.Stats())
	rates := []float64{rate}
	if m.gpu || first < 5*m.seconds {
		rates = rates[:0]
		for range rounds {
			if rate, err = runFor(ctx, engine, w.batches, m.seconds/rounds); err != nil {
				return c, err
			}
			rates = append(rates, rate)
		}
	}
	c.ms = 1000 / median(rates)
	return c, nil
}

// shares returns the shares of the pairs, in %, that were aligned exactly and that
// were CPU fallbacks.
func shares(w *workload, s hybrid.Stats) (exactly, left float64) {
	all := int64(0)
	for _, b := range w.batches {
		all += int64(len(b.Pairs))
	}
	onGPU := countsOf(s)
	of := 100 / float64(all)
	return of * float64(all-s.CPU.Approx.Aligned-onGPU.kernels["approx"]), of * float64(onGPU.fallback)
}
