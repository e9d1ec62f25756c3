package gpu

import (
	"fmt"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// benchmarkSets are those of the paper's tables.
var benchmarkSets = []struct {
	length int
	rate   float64
}{
	{150, 0.02}, {150, 0.05}, {150, 0.10},
	{1000, 0.02}, {1000, 0.05}, {1000, 0.10},
	{10_000, 0.02}, {10_000, 0.05}, {10_000, 0.10},
}

// BenchmarkKernels measures, by the device's own clock, the kernels of one chunk
// without copies and decoding, with the score bounds that the estimator arrives at.
// It reports millions of pairs a second and the share of pairs that one pass
// does not finish.
func BenchmarkKernels(b *testing.B) { benchmarkMode(b, nil) }

// BenchmarkApproxKernels is the same of the approximate mode.
func BenchmarkApproxKernels(b *testing.B) { benchmarkMode(b, &align.Approx{}) }

func benchmarkMode(b *testing.B, approx *align.Approx) {
	drivertest.RequireDevice(b)
	for _, scoreOnly := range []bool{false, true} {
		for _, set := range benchmarkSets {
			if set.length < 1000 && approx != nil {
				continue
			}
			what := "cigar"
			if scoreOnly {
				what = "score"
			}
			b.Run(fmt.Sprintf("%s/%d_%v", what, set.length, set.rate), func(b *testing.B) {
				benchmarkKernels(b, simulate.Options{Length: set.length, ErrorRate: set.rate, Seed: 5}, scoreOnly, approx)
			})
		}
	}
}

// openTimed opens the GPU with a clock for its kernels.
func openTimed(b *testing.B, o Options) (*Engine, *drivertest.Clock) {
	api, err := driver.Load()
	if err != nil {
		b.Fatal(err)
	}
	clock, err := drivertest.NewClock(api)
	if err != nil {
		b.Fatal(err)
	}
	image, err := kernelImage()
	if err != nil {
		b.Fatal(err)
	}
	e, err := open(clock.API, image, o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := e.Close(); err != nil {
			b.Error(err)
		}
	})
	return e, clock
}

func benchmarkKernels(b *testing.B, o simulate.Options, scoreOnly bool, approx *align.Approx) {
	e, clock := openTimed(b, Options{ScoreOnly: scoreOnly, Approx: approx})
	pairs := simulated(b, 2*chunkLetters/(2*o.Length), o)
	pairs.PrepareResults()
	s, err := e.acquire(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer func() { e.slots <- s }()
	p := &s.pass
	to := cut(pairs.Pairs, 0)
	for range 3 { // learn the scores, and grow the rows
		if _, err := s.run(b.Context(), pairs, 0, to, &e.estimate, e.finished); err != nil {
			b.Fatal(err)
		}
	}
	var total time.Duration
	var unaligned, tasks int
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		e.estimate.rates(&s.chunk.rates)
		s.chunk.stage(pairs, 0, to)
		must(s.upload())
		planned := p.planner.withRoom()
		groups := p.planner.plan(planned)
		clock.Reset()
		_, err := p.kernels.queue(groups, len(planned), nil)
		must(err)
		took, err := clock.Took()
		must(err)
		total += took
		must(s.stream.ToHost(bytesOf(s.mem.results[:to]), s.mem.device.results))
		must(s.stream.Wait(b.Context()))
		for _, g := range groups {
			tasks += len(g.tasks)
			for _, t := range g.tasks {
				if s.mem.results[t.pair].Score < 0 {
					unaligned++
				}
			}
		}
	}
	b.ReportMetric(float64(tasks)/total.Seconds()/1e6, "Mpairs/s")
	b.ReportMetric(100*float64(unaligned)/float64(tasks), "%unaligned")
	b.ReportMetric(0, "ns/op")
}
