package main

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/hybrid"
)

// The pipeline over several engines keeps the order, uses them all, and
// reports the first error in the order of the input.
func TestSpreadInPipeline(t *testing.T) {
	engines := make([]*countingEngine, 3)
	all := make([]hybrid.Aligner, len(engines))
	for i := range engines {
		engines[i] = &countingEngine{fakeEngine: fakeEngine{maxDelay: 2e6}}
		all[i] = engines[i]
	}
	var out bytes.Buffer
	src := &fakeSource{pairs: 1000, perBatch: 10}
	if _, err := testPipeline(src, hybrid.NewSpread(all...), &out).run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out.String() != numbers(1000) {
		t.Error("output is not in the order of the input")
	}
	for i, e := range engines {
		if e.batches == 0 {
			t.Errorf("engine %d got no batch", i)
		}
	}

	first, second := errors.New("first"), errors.New("second")
	for _, e := range engines {
		e.failAt = map[int64]error{31: first, 41: second}
	}
	out.Reset()
	src = &fakeSource{pairs: 1000, perBatch: 10}
	if _, err := testPipeline(src, hybrid.NewSpread(all...), &out).run(t.Context()); err != first || out.String() != numbers(30) {
		t.Errorf("error %v, wrote %d bytes", err, out.Len())
	}
}

// countingEngine counts its batches.
type countingEngine struct {
	fakeEngine
	mu      sync.Mutex
	batches int
}

func (c *countingEngine) AlignBatch(ctx context.Context, b *align.Batch) error {
	c.mu.Lock()
	c.batches++
	c.mu.Unlock()
	return c.fakeEngine.AlignBatch(ctx, b)
}
