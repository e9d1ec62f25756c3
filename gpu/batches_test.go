package gpu

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
)

// A pair that does not fit into a load falls back to the other engine, among pairs
// that fit.
func TestTooLongOnFake(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 1000), Options{})
	r := withCPU(t, e, align.Options{Threads: 1})
	pairs := 0
	for n := 3 << 20; e.Stats().Fallback.Length == 0; n *= 3 {
		if n > 1<<28 {
			t.Fatal("no pair is too long")
		}
		b := mixedPairs(t, 20, 9)
		at := len(b.Pairs) / 2
		long := bytes.Repeat([]byte("ACGGT"), n/5)
		b.Pairs[at] = align.Pair{Pattern: long, Text: long}
		pairs += len(b.Pairs)
		mustAlignAll(t, r, b)
		if got := b.Results[at]; got.Err != nil || got.Score != 0 || got.CIGAR.String() != fmt.Sprintf("%d=", len(long)) {
			t.Errorf("%d letters: score %d, CIGAR %.100v, error %v", len(long), got.Score, got.CIGAR, got.Err)
		}
		b.Pairs = slices.Delete(b.Pairs, at, at+1)
		b.Results = slices.Delete(b.Results, at, at+1)
		wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, b)
	}
	if s := wantStats(t, e, pairs); s.Fallback.Length != 1 {
		t.Errorf("%d pairs were too long, want 1", s.Fallback.Length)
	}
}

func TestManyLoadsOnFake(t *testing.T) {
	t.Run("long pairs", func(t *testing.T) {
		e := openOnFake(t, newFakeGPU(t, 4000), Options{})
		few := longPairs(t)
		b := repeated(few, 70)
		if b.Bases() < 3*loadLetters {
			t.Fatal("the batch is not several loads")
		}
		mustAlignAll(t, e, b)
		wantRepeated(t, align.Options{Penalties: align.DefaultPenalties}, few, b)
		wantStats(t, e, len(b.Pairs))
	})
	t.Run("no more memory than at first", func(t *testing.T) {
		g := newFakeGPU(t, 4000)
		e := openOnFake(t, g, Options{})
		few := longPairs(t)
		mustAlignAll(t, e, &align.Batch{Pairs: few.Pairs})
		g.Resize(0, 0)
		b := repeated(few, 70)
		mustAlignAll(t, withCPU(t, e, align.Options{}), b)
		wantRepeated(t, align.Options{Penalties: align.DefaultPenalties}, few, b)
		wantStats(t, e, 4+len(b.Pairs))
	})
	t.Run("many pairs", func(t *testing.T) {
		few := simulated(t, 50, simulate.Options{Length: 12, ErrorRate: 0.1, Seed: 18})
		few.Pairs = append(few.Pairs, align.Pair{Pattern: []byte("A"), Text: []byte("N")}, align.Pair{Text: []byte("ACG")})
		const times = 3000
		b := repeated(few, times)
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly}
			e := openOnFake(t, newFakeGPU(t, 1000), Options{ScoreOnly: scoreOnly})
			mustAlignAll(t, withCPU(t, e, o), b)
			wantRepeated(t, o, few, b)
			if s := wantStats(t, e, len(b.Pairs)); s.Fallback.Letters != times || s.Trivial != times {
				t.Errorf("%+v, want %d trivial pairs and as many with strange letters", s, times)
			}
		}
	})
}

// Batches of no, one or two pairs, many of them.
func TestTinyBatchesOnFake(t *testing.T) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		e := openOnFake(t, newFakeGPU(t, 1000), opts)
		r := withCPU(t, e, o)
		all := mixedPairs(t, 150, 19)
		var results []align.Result
		for from := 0; from < len(all.Pairs); {
			to := min(from+len(results)%3, len(all.Pairs))
			if len(results)%3 == 0 {
				mustAlignAll(t, r, &align.Batch{})
				to = min(from+1, len(all.Pairs))
			}
			b := &align.Batch{Pairs: all.Pairs[from:to]}
			mustAlignAll(t, r, b)
			results = append(results, b.Results...)
			from = to
		}
		all.Results = results
		wantAsOnCPU(t, o, all)
		wantStats(t, e, len(all.Pairs))
	})
}

// Batches do not disturb one another.
func TestConcurrentBatchesOnFake(t *testing.T) {
	for _, memory := range []int{neededMemory(t, Options{}), 1000} { // little, and plenty
		e := openOnFake(t, newFakeGPU(t, memory), Options{})
		o := align.Options{Penalties: align.DefaultPenalties, Threads: 2}
		r := withCPU(t, e, o)
		var calls sync.WaitGroup
		var pairs atomic.Int64
		for caller := range uint64(6) {
			calls.Go(func() {
				for i := range uint64(3) {
					b := mixedPairs(t, 60, 20+3*caller+i)
					pairs.Add(int64(len(b.Pairs)))
					if err := r.AlignBatch(context.Background(), spoiled(b)); err != nil {
						t.Error(err)
						return
					}
					wantAsOnCPU(t, o, b)
					e.Stats()
				}
			})
		}
		calls.Wait()
		wantStats(t, e, int(pairs.Load()))
	}
}

// A pair's alignment does not depend on the other pairs of its batch, nor on what
// the engine has learned from earlier ones.
func TestSameBytesOnFake(t *testing.T) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		b := mixedPairs(t, 150, 50)
		for _, lesson := range []float64{0, 0.3} {
			e := openOnFake(t, newFakeGPU(t, 1000), opts)
			r := withCPU(t, e, o)
			if lesson > 0 {
				for _, length := range []int{20, 150, 1000} {
					mustAlignAll(t, r, simulated(t, 110, simulate.Options{Length: length, ErrorRate: lesson, Seed: 51}))
				}
			}
			for _, size := range []int{7, 64, len(b.Pairs)} {
				got := &align.Batch{}
				for part := range slices.Chunk(b.Pairs, size) {
					p := &align.Batch{Pairs: part}
					mustAlignAll(t, r, p)
					got.Pairs = append(got.Pairs, p.Pairs...)
					got.Results = append(got.Results, p.Results...)
				}
				wantAsOnCPU(t, o, got)
			}
		}
	})
}

// An idle engine keeps no batch in memory, however its alignment ended.
func TestReleasesBatchesOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	e := openOnFake(t, g, Options{})
	collected := make(chan bool, 2)
	for _, fails := range []bool{false, true} {
		if fails {
			g.before = func(string) driver.Result { return 719 }
		}
		b := mixedPairs(t, 50, 91)
		runtime.AddCleanup(b, func(fails bool) { collected <- fails }, fails)
		if err := alignInTime(t, e, context.Background(), b); (err != nil) != fails {
			t.Fatalf("error %v", err)
		}
	}
	for range 2 {
		runtime.GC()
		runtime.GC()
		select {
		case <-collected:
		case <-time.After(5 * time.Second):
			t.Fatal("the engine holds a batch")
		}
	}
	runtime.KeepAlive(e)
}
