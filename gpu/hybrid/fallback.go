package hybrid

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/gpu/internal/ended"
)

// Fallback is an Aligner that aligns on a GPU, and on another engine the pairs that
// the GPU cannot align, while the GPU continues. It is safe for concurrent use.
type Fallback struct {
	GPU   GPU
	Other Aligner
}

// GPUError is the failure of a GPU. It does not concern single pairs: those have
// a Result.Err.
type GPUError struct {
	Device gpu.DeviceInfo
	Err    error
}

func (e *GPUError) Error() string {
	return fmt.Sprintf("GPU %d (%s) failed: %v", e.Device.Ordinal, e.Device.Name, e.Err)
}

func (e *GPUError) Unwrap() error { return e.Err }

// FallbackCounts counts the pairs that another engine has aligned in place of a GPU,
// by cause.
type FallbackCounts = gpu.FallbackCounts

// AlignBatch fills b.Results[i] for every b.Pairs[i]. The error is the first
// engine's to fail, a *GPUError for the GPU, or ctx.Err().
func (f *Fallback) AlignBatch(ctx context.Context, b *align.Batch) error {
	_, err := f.align(ctx, b)
	return err
}

// align is AlignBatch. It also counts the pairs that the other engine has aligned.
func (f *Fallback) align(ctx context.Context, b *align.Batch) (FallbackCounts, error) {
	outer := ctx
	ctx, cancel := context.WithCancelCause(outer)
	defer cancel(nil)
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		counts FallbackCounts
	)
	err := f.GPU.AlignBatchFunc(ctx, b, func(pairs []int32) {
		pairs = slices.Clone(pairs)
		mu.Lock()
		defer mu.Unlock()
		for _, i := range pairs {
			counts.Count(b.Results[i].Err)
		}
		wg.Go(func() {
			if err := f.alignRest(ctx, b, pairs); err != nil {
				cancel(err)
			}
		})
	})
	if err != nil {
		cancel(f.named(ctx, err))
	}
	wg.Wait()
	return counts, ended.Cause(outer, ctx)
}

// finished returns the number of pairs that the GPU has finished.
func (f *Fallback) finished() int64 { return f.GPU.Stats().Finished() }

// named returns a failure of the GPU as a *GPUError, and an interruption unchanged.
func (f *Fallback) named(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return &GPUError{f.GPU.Device(), err}
}

// alignRest aligns some of a batch's pairs on the other engine. No other goroutine
// uses their results.
func (f *Fallback) alignRest(ctx context.Context, b *align.Batch, pairs []int32) error {
	var rest align.Batch
	for _, i := range pairs {
		rest.Pairs = append(rest.Pairs, b.Pairs[i])
		rest.Results = append(rest.Results, align.Result{CIGAR: b.Results[i].CIGAR})
	}
	if err := f.Other.AlignBatch(ctx, &rest); err != nil {
		return err
	}
	for j, i := range pairs {
		b.Results[i] = rest.Results[j]
	}
	return nil
}
