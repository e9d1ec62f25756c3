package main

import (
	"context"
	"io"
	"sync"
	"testing"
	"time"

	"wfagpu/align"
)

func TestPipelineRecyclesBatches(t *testing.T) {
	src := &fakeSource{pairs: 20000, perBatch: 10, seen: map[*align.Batch]bool{}}
	p := testPipeline(src, &fakeEngine{}, io.Discard)
	if _, err := p.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(src.seen) > p.buffers {
		t.Errorf("%d batches were made for %d buffers", len(src.seen), p.buffers)
	}
}

// Buffers that may not be used yet are not, and are later.
func TestPipelineUsesBuffersNow(t *testing.T) {
	for _, now := range []int{1, 2, 4} {
		src := &fakeSource{pairs: 2000, perBatch: 10, seen: map[*align.Batch]bool{}}
		p := testPipeline(src, &fakeEngine{}, io.Discard)
		p.buffersNow = func() int { return now }
		if sum, err := p.run(t.Context()); err != nil || sum.pairs != 2000 {
			t.Fatalf("%+v, %v", sum, err)
		}
		if len(src.seen) > now {
			t.Errorf("%d batches were made for %d buffers", len(src.seen), now)
		}
	}
}

// The number of allocations must not grow with the input.
func TestPipelineSteadyStateAllocatesNothing(t *testing.T) {
	measure := func(pairs int) float64 {
		return testing.AllocsPerRun(3, func() {
			p := testPipeline(&fakeSource{pairs: pairs, perBatch: 10}, &fakeEngine{}, io.Discard)
			p.format = func(dst []byte, b *align.Batch) []byte { return append(dst, b.Buf...) }
			if _, err := p.run(context.Background()); err != nil {
				t.Fatal(err)
			}
		})
	}
	short, long := measure(1000), measure(50000)
	// 4,900 more batches; a handful of allocations is the scheduler's.
	if long-short > 50 {
		t.Errorf("%v allocations for 1,000 pairs, %v for 50,000", short, long)
	}
}

// boundSource yields one pair a batch and records the most bases that were in
// flight at once.
type boundSource struct {
	fakeSource
	mu             sync.Mutex
	inFlight, most int
}

func (b *boundSource) ReadBatch(batch *align.Batch) error {
	err := b.fakeSource.ReadBatch(batch)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inFlight += batch.Bases()
	b.most = max(b.most, b.inFlight)
	return err
}

func (b *boundSource) wrote(bases int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inFlight -= bases
}

// Batches larger than usual, as one giant pair makes them, must not all be in
// memory together.
func TestPipelineBoundsBasesInFlight(t *testing.T) {
	src := &boundSource{fakeSource: fakeSource{pairs: 500, perBatch: 5}} // 40 bases each
	p := testPipeline(src, &fakeEngine{maxDelay: time.Millisecond}, io.Discard)
	p.basesInFlight = 41
	last := 0
	p.wrote = func(now totals) {
		src.wrote(int(now.bases) - last)
		last = int(now.bases)
	}
	if _, err := p.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	// A batch is read while less than 41 bases are in flight: two batches.
	if src.most > 80 {
		t.Errorf("%d bases in flight, want at most 80", src.most)
	}
}

func TestBufferDropsGiantStorage(t *testing.T) {
	s := &buffer{text: make([]byte, 10, 5000)}
	s.batch.Buf = make([]byte, 10, 5000)
	s.reset(5000)
	if cap(s.batch.Buf) != 5000 || cap(s.text) != 5000 {
		t.Error("storage of ordinary size was dropped")
	}
	s.reset(4999)
	if cap(s.batch.Buf) != 0 || cap(s.text) != 0 {
		t.Error("storage beyond the bound was kept")
	}
}
