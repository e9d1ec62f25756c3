package main

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wfagpu/align"
	"wfagpu/gpu/hybrid"
	"wfagpu/scripts/internal/steady"
)

// gpuMeasurement has the options of a measurement.
type gpuMeasurement struct {
	penalties align.Penalties
	approx    *align.Approx // nil in exact mode
	device    string        // numbers of GPUs, or cpu
	rounds    int
	seconds   float64
	most      float64

	alone, scores, host, first bool // what to measure besides,
	flanks                     int  // and ends-free alignments with flanks of up to so many letters, 0 for none
}

// gpuResult is a measured set. Rates that were not measured are zero.
type gpuResult struct {
	name    string
	set     steady.Set
	letters float64    // in both sequences of all pairs
	counts  pairCounts // of the run with CIGARs
	cigar   steady.Rate
	score   steady.Rate
	host    steady.Rate // of identical pairs, with CIGARs
	first   steady.Rate // of the first GPU alone, with CIGARs
	free    steady.Rate // of ends-free alignments within flanks, with CIGARs
	alone   float64     // pairs a second of the CPU engine
}

// gpuWork is a set in batches, of which some are in the engine's hands at a time.
type gpuWork struct {
	name     string
	batches  []*align.Batch
	flanked  []*align.Batch // the set with flanks, if it is measured
	inFlight int
}

// row measures a set.
func (m *gpuMeasurement) row(ctx context.Context, w gpuWork) (r gpuResult, err error) {
	batches, inFlight := w.batches, w.inFlight
	r.name = w.name
	for _, b := range batches {
		r.letters += float64(b.Bases())
	}
	if r.cigar, r.set, r.counts, err = m.rate(ctx, m.device, false, batches, inFlight); err != nil {
		return r, err
	}
	if m.scores {
		if r.score, _, _, err = m.rate(ctx, m.device, true, batches, inFlight); err != nil {
			return r, err
		}
	}
	if m.host {
		if r.host, _, _, err = m.rate(ctx, m.device, false, identical(batches), inFlight); err != nil {
			return r, err
		}
	}
	if m.first {
		if r.first, _, _, err = m.rate(ctx, firstOf(m.device), false, batches, inFlight); err != nil {
			return r, err
		}
	}
	if m.flanks > 0 {
		o := m.options(false).alignOptions()
		o.Span, o.Free = align.EndsFree, align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
		if r.free, _, _, err = m.rateOf(ctx, m.device, o, w.flanked, inFlight); err != nil {
			return r, err
		}
	}
	if m.alone {
		cpu, err := m.options(false).cpu()
		if err != nil {
			return r, err
		}
		// Once over some pairs is enough for a rate that varies little.
		if r.alone, err = runFor(ctx, cpu, batches[:min(len(batches), gpuCallers)], 0); err != nil {
			return r, err
		}
	}
	return r, nil
}

// identical pairs every target with itself: the host has the same letters to read,
// pack and copy, and the GPU next to nothing to do.
func identical(batches []*align.Batch) []*align.Batch {
	same := make([]*align.Batch, len(batches))
	for i, b := range batches {
		same[i] = &align.Batch{First: 1, Pairs: make([]align.Pair, len(b.Pairs))}
		for j, p := range b.Pairs {
			same[i].Pairs[j] = align.Pair{Pattern: p.Text, Text: p.Text}
		}
	}
	return same
}

// options are those of the engines for scores alone or alignments.
func (m *gpuMeasurement) options(scoreOnly bool) engineOptions {
	o := engineOptions{penalties: m.penalties}
	if m.approx != nil {
		o.approx = *m.approx
	}
	o.mode = modeOf(m.approx != nil, scoreOnly)
	return o
}

// rate returns the rate of a steady state, the median of some rounds, what the set
// is, and the engine's counts.
func (m *gpuMeasurement) rate(ctx context.Context, device string, scoreOnly bool, batches []*align.Batch, inFlight int) (steady.Rate, steady.Set, pairCounts, error) {
	return m.rateOf(ctx, device, m.options(scoreOnly).alignOptions(), batches, inFlight)
}

// rateOf is rate for any options.
func (m *gpuMeasurement) rateOf(ctx context.Context, device string, o align.Options, batches []*align.Batch, inFlight int) (steady.Rate, steady.Set, pairCounts, error) {
	e, err := openOn(ctx, device, o)
	if err != nil {
		return steady.Rate{}, steady.Set{}, pairCounts{}, err
	}
	defer e.Close()
	_, scale := m.penalties.Reduced()
	load := steady.Load{InFlight: inFlight, Windows: m.rounds, Seconds: m.seconds, Most: m.most, Scale: scale}
	for _, b := range batches {
		load.Parts = append(load.Parts, b.Pairs)
	}
	rates, set, err := steady.Measure(ctx, e, load)
	if err != nil {
		return steady.Rate{}, set, pairCounts{}, err
	}
	slices.SortFunc(rates, func(a, b steady.Rate) int { return cmp.Compare(a.Pairs, b.Pairs) })
	return rates[len(rates)/2], set, countsOf(e.Stats()), nil
}

// pairCounts are the pairs of all GPUs.
type pairCounts struct {
	kernels                        map[string]int64 // by family
	finished, fallback, secondPass int64
}

func countsOf(s hybrid.Stats) pairCounts {
	sum := pairCounts{kernels: map[string]int64{}}
	for _, g := range s.GPUs {
		for family, n := range g.Kernels {
			sum.kernels[family] += n
		}
		sum.finished += g.Finished()
		sum.fallback += g.Fallback.Pairs()
		sum.secondPass += g.SecondPass
	}
	return sum
}

// runFor aligns all batches concurrently and repeatedly, for at least some seconds
// and at least once.
func runFor(ctx context.Context, r hybrid.Aligner, batches []*align.Batch, seconds float64) (float64, error) {
	var wg sync.WaitGroup
	var pairs atomic.Int64
	errs := make([]error, len(batches))
	start := time.Now()
	for i, b := range batches {
		wg.Go(func() {
			for {
				if errs[i] = r.AlignBatch(ctx, b); errs[i] != nil {
					return
				}
				pairs.Add(int64(len(b.Pairs)))
				if time.Since(start).Seconds() >= seconds {
					return
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(start).Seconds()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return float64(pairs.Load()) / took, nil
}
