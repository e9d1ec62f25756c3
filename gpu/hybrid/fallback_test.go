package hybrid

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/gpu"
)

// scriptedGPU does what a test says.
type scriptedGPU struct {
	align func(ctx context.Context, b *align.Batch, fallback func(pairs []int32)) error
}

func (g scriptedGPU) AlignBatchFunc(ctx context.Context, b *align.Batch, fallback func(pairs []int32)) error {
	b.PrepareResults()
	return g.align(ctx, b, fallback)
}
func (scriptedGPU) Device() gpu.DeviceInfo { return gpu.DeviceInfo{Ordinal: 3, Name: "X"} }
func (scriptedGPU) Stats() gpu.Stats       { return gpu.Stats{} }
func (scriptedGPU) Close() error           { return nil }

// alignerFunc is an Aligner in a function.
type alignerFunc func(ctx context.Context, b *align.Batch) error

func (f alignerFunc) AlignBatch(ctx context.Context, b *align.Batch) error {
	b.PrepareResults()
	return f(ctx, b)
}

// lengths scores pairs by their length.
func lengths(_ context.Context, b *align.Batch) error {
	for i, p := range b.Pairs {
		b.Results[i].Score = len(p.Pattern)
		b.Results[i].CIGAR = b.Results[i].CIGAR.Append(cigar.Match, len(p.Pattern))
	}
	return nil
}

func fiveLengths() *align.Batch {
	b := &align.Batch{First: 1}
	for n := range 5 {
		b.Pairs = append(b.Pairs, align.Pair{Pattern: bytes.Repeat([]byte("A"), n)})
	}
	return b
}

// The other engine gets the pairs of a fallback while the GPU continues, in the
// storage of the batch, and nothing else is touched.
func TestFallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int32
		other := alignerFunc(func(ctx context.Context, b *align.Batch) error {
			given.Add(int32(len(b.Pairs)))
			return lengths(ctx, b)
		})
		f := &Fallback{Other: other, GPU: scriptedGPU{func(_ context.Context, b *align.Batch, fallback func([]int32)) error {
			for i := range b.Results {
				b.Results[i].Score = -1
			}
			pairs := []int32{3, 1}
			for _, i := range pairs {
				b.Results[i].Err = gpu.FallbackLetters
			}
			fallback(pairs)
			pairs[0], pairs[1] = 0, 0 // the slice is the GPU's again
			synctest.Wait()
			if n := given.Load(); n != 2 {
				t.Errorf("the other engine has got %d pairs", n)
			}
			return nil
		}}}
		b := fiveLengths()
		b.PrepareResults()
		storage := make(cigar.CIGAR, 9)
		b.Results[3].CIGAR = storage
		if err := f.AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{-1, 1, -1, 3, -1} {
			if r := b.Results[i]; r.Score != want || r.Err != nil {
				t.Errorf("pair %d: %+v, want score %d", i, r, want)
			}
		}
		if &b.Results[3].CIGAR[:1][0] != &storage[0] {
			t.Error("the CIGAR is not in the storage of the batch")
		}
	})
}

// AlignBatch returns the error that came first, and not before both engines are
// through with the batch.
func TestFallbackErrors(t *testing.T) {
	failure := errors.New("failure")
	canceled := func(ctx context.Context, _ *align.Batch) error {
		<-ctx.Done()
		return ctx.Err()
	}
	cause, cancelCause := context.WithCancelCause(t.Context())
	cancelCause(failure)
	for _, tc := range []struct {
		name     string
		ctx      context.Context
		gpu      func(ctx context.Context) error
		other    func(ctx context.Context, b *align.Batch) error
		want     error
		gpuError bool
	}{
		{"none", t.Context(), func(context.Context) error { return nil }, lengths, nil, false},
		{"GPU", t.Context(), func(context.Context) error { return failure }, canceled, failure, true},
		{"other engine", t.Context(), func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
			func(context.Context, *align.Batch) error { return failure }, failure, false},
		{"other engine alone", t.Context(), func(ctx context.Context) error { return nil },
			func(context.Context, *align.Batch) error { return failure }, failure, false},
		{"interrupt", cause, func(ctx context.Context) error { return ctx.Err() }, canceled, context.Canceled, false},
	} {
		var running atomic.Int32
		f := &Fallback{
			GPU: scriptedGPU{func(ctx context.Context, b *align.Batch, fallback func([]int32)) error {
				running.Add(1)
				defer running.Add(-1)
				fallback([]int32{1})
				return tc.gpu(ctx)
			}},
			Other: alignerFunc(func(ctx context.Context, b *align.Batch) error {
				running.Add(1)
				defer running.Add(-1)
				return tc.other(ctx, b)
			}),
		}
		err := f.AlignBatch(tc.ctx, fiveLengths())
		if !errors.Is(err, tc.want) || tc.want == nil && err != nil {
			t.Errorf("%s: error %v, want %v", tc.name, err, tc.want)
		}
		var named *GPUError
		if errors.As(err, &named) != tc.gpuError || tc.gpuError && err.Error() != "GPU 3 (X) failed: failure" {
			t.Errorf("%s: error %v, a GPUError %v", tc.name, err, tc.gpuError)
		}
		if running.Load() != 0 {
			t.Errorf("%s: an engine is still at work", tc.name)
		}
	}
}
