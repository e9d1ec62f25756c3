package gpu

import (
	"context"
	"sync"

	"wfagpu/align"
)

// gpuAndCPU is a GPU with the CPU engine behind it, for tests of all pairs. It
// is the plainest use of AlignBatchFunc: the CPU aligns in the callback. The
// engine that the product has for this is in gpu/hybrid, which imports this
// package.
type gpuAndCPU struct {
	GPU *Engine
	CPU *align.Engine
}

func (g *gpuAndCPU) AlignBatch(ctx context.Context, b *align.Batch) error {
	var mu sync.Mutex
	var failed error
	err := g.GPU.AlignBatchFunc(ctx, b, func(pairs []int32) {
		var rest align.Batch
		for _, i := range pairs {
			rest.Pairs = append(rest.Pairs, b.Pairs[i])
		}
		if err := g.CPU.AlignBatch(ctx, &rest); err != nil {
			mu.Lock()
			failed = err
			mu.Unlock()
			return
		}
		for j, i := range pairs {
			b.Results[i] = rest.Results[j]
		}
	})
	if err != nil {
		return err
	}
	return failed
}
