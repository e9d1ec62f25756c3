package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu"
)

// gpuSet is a row of the table: its pairs, and how many are made to be aligned
// over and over.
type gpuSet struct {
	length int
	rate   float64
	pairs  int
}

var gpuSets = []gpuSet{
	{150, 0.02, 1_600_000}, {150, 0.05, 1_600_000}, {150, 0.10, 1_600_000},
	{1000, 0.02, 200_000}, {1000, 0.05, 200_000}, {1000, 0.10, 200_000},
	{10_000, 0.02, 20_000}, {10_000, 0.05, 20_000}, {10_000, 0.10, 20_000},
}

// runGPU measures the GPU engine, with the CPU engine behind it, from sequences
// in host memory to scores and alignments in host memory. It needs no Go and
// none of the repository's files, so the built program can be carried to a
// machine with a GPU.
func runGPU(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("gpu", flag.ContinueOnError)
	penalties := align.DefaultPenalties
	f.Func("penalties", "mismatch,open,extend (default 2,3,1)", func(s string) (err error) {
		penalties, err = align.ParsePenalties(s)
		return err
	})
	seconds := f.Float64("seconds", 1, "time of each of the rounds of a row")
	rounds := f.Int("rounds", 3, "rounds, of which the median is shown")
	callers := f.Int("callers", 16, "batches in the engine's hands at a time")
	only := f.String("sets", "", "rows to measure, such as 150_0.02,1000_0.1; empty for all")
	profile := f.String("cpuprofile", "", "write a CPU profile to this `file`")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *profile != "" {
		out, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer out.Close()
		if err := pprof.StartCPUProfile(out); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	fmt.Println("| set | mean score | CIGAR, M pairs/s | warp / block / general / other engine, % | score only, M pairs/s | passes after the first, % |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, s := range gpuSets {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), fmt.Sprintf("%d_%v", s.length, s.rate)) {
			continue
		}
		batches, err := s.batches(*callers)
		if err != nil {
			return err
		}
		var rates [2]float64
		var stats [2]gpu.Stats
		for i, scoreOnly := range []bool{false, true} {
			if rates[i], stats[i], err = measureGPU(ctx, penalties, scoreOnly, batches, *rounds, *seconds); err != nil {
				return err
			}
		}
		all := float64(stats[0].Finished() + stats[0].Unfinished())
		share := func(n int64) float64 { return 100 * float64(n) / all }
		fmt.Printf("| %d bp %g %% | %.2f | %.4g | %.1f / %.1f / %.1f / %.1f | %.4g | %.2f |\n",
			s.length, 100*s.rate, meanScore(batches), rates[0]/1e6,
			share(stats[0].Warp), share(stats[0].Block), share(stats[0].General), share(stats[0].Unfinished()),
			rates[1]/1e6, share(stats[0].SecondPass))
	}
	return nil
}

// batches makes the set's pairs, dealt to a number of batches.
func (s gpuSet) batches(n int) ([]*align.Batch, error) {
	out := make([]*align.Batch, n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range out {
		wg.Go(func() {
			g, err := simulate.New(simulate.Options{Length: s.length, ErrorRate: s.rate, Seed: uint64(100 + i)})
			if err != nil {
				errs[i] = err
				return
			}
			b := &align.Batch{First: 1}
			for range s.pairs / n {
				p, t := g.Next()
				b.Pairs = append(b.Pairs, align.Pair{Pattern: bytes.Clone(p), Text: bytes.Clone(t)})
			}
			out[i] = b
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func meanScore(batches []*align.Batch) float64 {
	sum, n := 0, 0
	for _, b := range batches {
		for i := range b.Results {
			sum += b.Results[i].Score
			n++
		}
	}
	return float64(sum) / float64(n)
}

// measureGPU returns the median rate of some rounds, in pairs a second, and the
// engine's counts.
func measureGPU(ctx context.Context, p align.Penalties, scoreOnly bool, batches []*align.Batch, rounds int, seconds float64) (float64, gpu.Stats, error) {
	e, err := gpu.Open(gpu.Options{Penalties: p, ScoreOnly: scoreOnly})
	if err != nil {
		return 0, gpu.Stats{}, err
	}
	defer e.Close()
	cpu, err := align.New(align.Options{Penalties: p, ScoreOnly: scoreOnly})
	if err != nil {
		return 0, gpu.Stats{}, err
	}
	r := &gpu.Rescue{GPU: e, Other: cpu}
	// The first time makes lanes, storage for the results and an idea of the
	// scores.
	if _, err := runFor(ctx, r, batches, 0); err != nil {
		return 0, gpu.Stats{}, err
	}
	var rates []float64
	for range rounds {
		rate, err := runFor(ctx, r, batches, seconds)
		if err != nil {
			return 0, gpu.Stats{}, err
		}
		rates = append(rates, rate)
	}
	slices.Sort(rates)
	return rates[len(rates)/2], e.Stats(), nil
}

// runFor has every batch aligned again and again, all at the same time, for at
// least some seconds and at least once.
func runFor(ctx context.Context, r *gpu.Rescue, batches []*align.Batch, seconds float64) (float64, error) {
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
