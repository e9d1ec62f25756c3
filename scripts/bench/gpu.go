package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	"wfagpu/scripts/internal/sets"
)

// gpuCounts is the number of pairs made of each length. They are aligned
// repeatedly.
var gpuCounts = map[int]int{150: 1_600_000, 1000: 200_000, 10_000: 20_000}

// gpuBatch is the number of bases of a real set in every batch. Small sets are
// repeated.
const gpuBatch = 8 << 20

// runGPU measures the GPU engine, with the CPU engine as the fallback, from sequences
// in host memory to scores and alignments in host memory. The built program needs
// neither Go nor files of the repository on a machine with a GPU.
func runGPU(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("gpu", flag.ContinueOnError)
	penalties := align.DefaultPenalties
	f.Func("penalties", "mismatch,open,extend (default 2,3,1)", func(s string) (err error) {
		penalties, err = align.ParsePenalties(s)
		return err
	})
	seconds := f.Float64("seconds", 1, "time of each of the rounds of a row")
	rounds := f.Int("rounds", 3, "rounds, of which the median is shown")
	callers := f.Int("callers", gpuCallers, "batches in the engine's hands at a time")
	data := f.String("data", "", "directory of .seq.gz files to measure instead of simulated sets")
	device := f.Int("device", 0, "number of the GPU")
	only := f.String("sets", "", "rows to measure, such as 150_0.02,1000_0.1; empty for all")
	var approx *align.Approx
	f.Func("approx", "approximate mode with this band and lambda, such as 252,25; 0,0 for automatic ones", func(s string) error {
		approx = new(align.Approx)
		_, err := fmt.Sscanf(s, "%d,%d", &approx.Band, &approx.Lambda)
		return err
	})
	alone := f.Bool("alone", true, "measure the CPU engine alone, too")
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
	fmt.Println("| set | pairs | mean score | CIGAR, M pairs/s | warp / block / general / approx / CPU, % | second pass, % | score only, M pairs/s | CPU engine alone, CIGAR |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	m := &gpuMeasurement{penalties: penalties, approx: approx, alone: *alone, device: *device, rounds: *rounds, seconds: *seconds}
	if *data != "" {
		files, err := filepath.Glob(filepath.Join(*data, "*.seq.gz"))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("no .seq.gz files in %s (%v)", *data, err)
		}
		for _, file := range files {
			pairs, err := sets.Read(file, 0)
			if err != nil {
				return err
			}
			batches := sets.Deal(pairs.Pairs, *callers, gpuBatch)
			if err := m.row(ctx, strings.TrimSuffix(filepath.Base(file), ".seq.gz"), batches); err != nil {
				return err
			}
		}
		return nil
	}
	for _, s := range sets.Paper() {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), fmt.Sprintf("%d_%v", s.Length, s.ErrorRate)) {
			continue
		}
		s.Count, s.Seed = gpuCounts[s.Length], 100
		batches, err := s.Batches(*callers)
		if err != nil {
			return err
		}
		if err := m.row(ctx, s.String(), batches); err != nil {
			return err
		}
	}
	return nil
}

// gpuMeasurement has the options of a measurement.
type gpuMeasurement struct {
	penalties align.Penalties
	approx    *align.Approx // nil in exact mode
	alone     bool
	device    int
	rounds    int
	seconds   float64
}

// row measures a set in both modes and prints it. Shares are those with CIGAR.
func (m *gpuMeasurement) row(ctx context.Context, name string, batches []*align.Batch) error {
	cigar, stats, err := m.rate(ctx, false, batches)
	if err != nil {
		return err
	}
	score, _, err := m.rate(ctx, true, batches)
	if err != nil {
		return err
	}
	alone := 0.0
	if m.alone {
		cpu, err := m.options(false).cpu()
		if err != nil {
			return err
		}
		// Once over the pairs is enough for a rate that varies little.
		if alone, err = runFor(ctx, cpu, batches, 0); err != nil {
			return err
		}
	}
	pairs := 0
	for _, b := range batches {
		pairs += len(b.Pairs)
	}
	all := float64(stats.Finished() + stats.Fallback())
	share := func(n int64) float64 { return 100 * float64(n) / all }
	fmt.Printf("| %s | %d | %.2f | %.4g | %.1f / %.1f / %.1f / %.1f / %.1f | %.2f | %.4g | %.4g |\n",
		name, pairs, meanScore(batches), cigar/1e6,
		share(stats.Kernels["warp"]), share(stats.Kernels["block"]), share(stats.Kernels["general"]), share(stats.Kernels["approx"]), share(stats.Fallback()),
		share(stats.SecondPass), score/1e6, alone/1e6)
	return nil
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

// options are those of the engines for scores alone or alignments.
func (m *gpuMeasurement) options(scoreOnly bool) engineOptions {
	o := engineOptions{penalties: m.penalties, device: m.device}
	if m.approx != nil {
		o.approx = *m.approx
	}
	o.mode = modeOf(m.approx != nil, scoreOnly)
	return o
}

// rate returns the median rate of some rounds, in pairs a second, and the
// engine's counts.
func (m *gpuMeasurement) rate(ctx context.Context, scoreOnly bool, batches []*align.Batch) (float64, gpu.Stats, error) {
	r, _, err := m.options(scoreOnly).gpu()
	if err != nil {
		return 0, gpu.Stats{}, err
	}
	defer r.GPU.Close()
	// The first pass makes the allocations and the estimate of the scores.
	if _, err := runFor(ctx, r, batches, 0); err != nil {
		return 0, gpu.Stats{}, err
	}
	var rates []float64
	for range m.rounds {
		rate, err := runFor(ctx, r, batches, m.seconds)
		if err != nil {
			return 0, gpu.Stats{}, err
		}
		rates = append(rates, rate)
	}
	return median(rates), r.GPU.Stats(), nil
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
