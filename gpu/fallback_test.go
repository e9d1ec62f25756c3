package gpu

import (
	"context"
	"slices"
	"sync"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/ended"
)

// gpuAndCPU is a GPU with the CPU engine behind it, for tests of all pairs. The
// CPU works beside the GPU, as in gpu/hybrid, which imports this package.
type gpuAndCPU struct {
	GPU *Engine
	CPU aligntest.Engine
}

// withCPU puts the CPU engine behind a GPU.
func withCPU(t testing.TB, e *Engine, o align.Options) *gpuAndCPU {
	t.Helper()
	cpu, err := align.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &gpuAndCPU{GPU: e, CPU: cpu}
}

// AlignBatch fills all results. The error is that of the engine that failed
// first.
func (g *gpuAndCPU) AlignBatch(ctx context.Context, b *align.Batch) error {
	outer := ctx
	ctx, cancel := context.WithCancelCause(outer)
	defer cancel(nil)
	var wg sync.WaitGroup
	err := g.GPU.AlignBatchFunc(ctx, spoiled(b), func(pairs []int32) {
		pairs = slices.Clone(pairs)
		wg.Go(func() {
			if err := g.fallBack(ctx, b, pairs); err != nil {
				cancel(err)
			}
		})
	})
	if err != nil {
		cancel(err)
	}
	wg.Wait()
	return ended.Cause(outer, ctx)
}

// fallBack aligns some pairs of a batch on the CPU.
func (g *gpuAndCPU) fallBack(ctx context.Context, b *align.Batch, pairs []int32) error {
	var rest align.Batch
	for _, i := range pairs {
		rest.Pairs = append(rest.Pairs, b.Pairs[i])
		rest.Results = append(rest.Results, align.Result{CIGAR: b.Results[i].CIGAR})
	}
	if err := g.CPU.AlignBatch(ctx, &rest); err != nil {
		return err
	}
	for j, i := range pairs {
		b.Results[i] = rest.Results[j]
	}
	return nil
}

// Every pair with a FallbackCause is handed over once, with its cause in place,
// and no other pair is.
func TestFallbackCallsOnFake(t *testing.T) {
	g := newFakeGPU(t, 2000)
	api := g.API()
	e, err := open(api, fakeImage, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	alloc := api.MemAlloc
	api.MemAlloc = func(bytes uint64) (driver.Ptr, driver.Result) {
		if g.Used(0) > 0 { // no memory for launches
			return 0, driver.ResultOutOfMemory
		}
		return alloc(bytes)
	}
	few := mixedPairs(t, 100, 21)
	b := repeated(few, 3)
	var mu sync.Mutex
	times := make([]int, len(b.Pairs))
	err = e.AlignBatchFunc(t.Context(), b, func(pairs []int32) {
		mu.Lock()
		defer mu.Unlock()
		for _, i := range pairs {
			times[i]++
			if _, ok := b.Results[i].Err.(FallbackCause); !ok {
				t.Errorf("pair %d is handed over with the error %v", i, b.Results[i].Err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range b.Results {
		_, falls := r.Err.(FallbackCause)
		if falls != (times[i] == 1) || times[i] > 1 || falls != (r.Err != nil) {
			t.Errorf("pair %d is handed over %d times, error %v", i, times[i], r.Err)
		}
	}
	if s := wantStats(t, e, len(b.Pairs)); s.Fallback.Letters == 0 || s.Fallback.Memory == 0 {
		t.Errorf("the batch has no pairs for each cause: %+v", s)
	}
}
