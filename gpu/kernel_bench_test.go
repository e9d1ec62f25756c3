package gpu

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/estimate"
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

// BenchmarkKernels measures, by the device's own clock, the kernels of two loads, one
// launch after another, without copies and decoding, with the score bounds that the
// estimator arrives at. It reports millions of passes of pairs a second and the share of
// them that do not finish a pair, as bounding passes do not.
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
	e, err := open(clock.API, kernelImage, o)
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

// learnedRates returns the rates that an engine arrives at with a batch.
func learnedRates(b *testing.B, o Options, batch *align.Batch) *estimate.Rates {
	e, err := Open(o)
	if err != nil {
		b.Fatal(err)
	}
	for range 3 {
		if err := e.AlignBatch(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	learned := e.estimate.Rates()
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	return learned
}

func benchmarkKernels(b *testing.B, o simulate.Options, scoreOnly bool, approx *align.Approx) {
	options := Options{ScoreOnly: scoreOnly, Approx: approx}
	pairs := simulated(b, 2*loadLetters/(2*o.Length), o)
	learned := learnedRates(b, options, pairs)
	e, clock := openTimed(b, options)
	var kernels struct {
		mu                   sync.Mutex
		took                 time.Duration
		tasks, again, others int
	}
	k := &kernels
	e.scheduler.execute = func(l *launch) { // one launch at a time, in one stream
		k.mu.Lock()
		defer k.mu.Unlock()
		clock.Reset()
		before := e.Stats().Finished()
		e.runners.execute(l)
		if l.work != run {
			k.others++
			return
		}
		took, err := clock.Took()
		if err != nil {
			b.Error(err)
		}
		k.took += took
		k.tasks += l.group.Count
		k.again += l.group.Count - int(e.Stats().Finished()-before)
	}
	for b.Loop() {
		// No scores from the launches: all passes are the first ones of a benchmark
		// with these rates.
		e.estimate.Use(learned)
		c := queued(b, e, pairs)
		e.scheduler.wake()
		<-c.done
	}
	if k.others > 0 {
		b.Logf("%d launches chose tasks again", k.others)
	}
	b.ReportMetric(float64(k.tasks)/k.took.Seconds()/1e6, "Mpairs/s")
	b.ReportMetric(100*float64(k.again)/float64(k.tasks), "%unaligned")
	b.ReportMetric(0, "ns/op")
}
