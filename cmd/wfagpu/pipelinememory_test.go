package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wfagpu/align"
	"wfagpu/cigar"
)

func TestPipelineRecyclesBatches(t *testing.T) {
	src := &fakeSource{pairs: 20000, perBatch: 10, seen: map[*align.Batch]bool{}}
	p := testPipeline(src, &fakeEngine{}, io.Discard)
	if _, err := p.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(src.seen) > 5 {
		t.Errorf("%d batches were made for 5 in flight", len(src.seen))
	}
}

// As many batches are in flight as the engine asks for and memory allows.
func TestPipelineInFlight(t *testing.T) {
	for _, tc := range []struct {
		inFlight int
		memory   int64
		least    int // batches
		most     int
	}{
		{1, 1 << 20, 1, 1}, {2, 1 << 20, 2, 2}, {4, 1 << 20, 4, 4}, {4, 1, 1, 1}, {0, 20 << 10, 4, 20}, {0, 1 << 20, 100, 1024},
	} {
		synctest.Test(t, func(t *testing.T) {
			src := &fakeSource{pairs: 20000, perBatch: 10, seen: map[*align.Batch]bool{}}
			// All that are in flight wait for the first one.
			engine := &fakeEngine{}
			p := testPipeline(src, alignerFunc(func(ctx context.Context, b *align.Batch) error {
				if b.First == 1 {
					time.Sleep(time.Second) // until nothing else can go on
				}
				return engine.AlignBatch(ctx, b)
			}), io.Discard)
			p.inFlight, p.memory = func() int { return tc.inFlight }, tc.memory
			if sum, err := p.run(t.Context()); err != nil || sum.pairs != 20000 {
				t.Fatalf("%+v, %v", sum, err)
			}
			if len(src.seen) < tc.least || len(src.seen) > tc.most {
				t.Errorf("%d in flight, %d bytes: %d batches were made, want %d to %d", tc.inFlight, tc.memory, len(src.seen), tc.least, tc.most)
			}
		})
	}
}

// While devices are being opened, less is read ahead of them; an interrupt does not wait for them.
func TestPipelineIsEarly(t *testing.T) {
	const each, early, most = 1 << 10, 8, 40 // bytes of a batch, and batches
	run := func(t *testing.T, opens bool) {
		src := &boundSource{fakeSource: fakeSource{pairs: 2000, perBatch: 10}}
		opened := make(chan struct{})
		engine := &fakeEngine{}
		p := testPipeline(src, alignerFunc(func(ctx context.Context, b *align.Batch) error {
			select {
			case <-opened:
				time.Sleep(time.Second) // until nothing else can be read
				return engine.AlignBatch(ctx, b)
			case <-ctx.Done():
				return ctx.Err()
			}
		}), io.Discard)
		p.inFlight, p.memory, p.expected, p.wrote = nil, most*each, each, src.wrote
		p.opened, p.early = opened, early*each
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()                                  // until nothing else can go on
			if n := src.flying(); n < early/3 || n > early { // the storage of slices is at most twice what they hold
				t.Errorf("%d batches ahead of a device, want %d", n, early)
			}
			if !opens {
				cancel()
				return
			}
			close(opened)
		}()
		sum, err := p.run(ctx)
		if opens && (err != nil || sum.pairs != 2000) || !opens && !errors.Is(err, context.Canceled) {
			t.Errorf("%+v, %v", sum, err)
		}
		if opens && src.most < most/3 {
			t.Errorf("%d batches after it is open, want %d", src.most, most)
		}
		cancel()
	}
	for _, opens := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) { run(t, opens) })
	}
}

// alignerFunc is an aligner in a function.
type alignerFunc func(ctx context.Context, b *align.Batch) error

func (f alignerFunc) AlignBatch(ctx context.Context, b *align.Batch) error { return f(ctx, b) }

// The number of allocations must not grow with the input.
func TestPipelineSteadyStateAllocatesNothing(t *testing.T) {
	measure := func(pairs int) float64 {
		return testing.AllocsPerRun(3, func() {
			p := testPipeline(&fakeSource{pairs: pairs, perBatch: 10}, &fakeEngine{}, io.Discard)
			p.format = func(dst []byte, b *align.Batch, _ []bool) ([]byte, error) { return append(dst, b.Buf...), nil }
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

// boundSource records the most batches that were in flight at once.
type boundSource struct {
	fakeSource
	mu             sync.Mutex
	inFlight, most int
}

func (b *boundSource) ReadBatch(batch *align.Batch) error {
	err := b.fakeSource.ReadBatch(batch)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(batch.Pairs) > 0 {
		b.inFlight++
	}
	b.most = max(b.most, b.inFlight)
	return err
}

func (b *boundSource) flying() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inFlight
}

func (b *boundSource) wrote(totals) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inFlight--
}

// Memory bounds the batches in flight by what they really take: letters and CIGARs, either of which
// may be most of it. Their text does not count: it is made in pieces.
func TestPipelineBoundsMemory(t *testing.T) {
	const elems, text, memory = 1000, 30_000, 1 << 20
	for _, tc := range []struct {
		name    string
		letters int
		cigar   bool
		each    int
	}{
		{"letters", 50_000, false, 50_000},
		{"CIGARs", 8, true, 5 * elems * 4},
		{"both", 20_000, true, 20_000 + 5*elems*4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := &boundSource{fakeSource: fakeSource{pairs: 2500, perBatch: 5, letters: tc.letters}}
			engine := alignerFunc(func(_ context.Context, b *align.Batch) error {
				time.Sleep(time.Millisecond / 2) // so that reading is ahead
				b.PrepareResults()
				for i := range b.Results {
					if c := &b.Results[i].CIGAR; tc.cigar {
						*c = append(*c, make(cigar.CIGAR, elems)...)
					}
				}
				return nil
			})
			p := testPipeline(src, engine, io.Discard)
			p.memory, p.expected, p.inFlight, p.wrote = memory, int64(tc.each), nil, src.wrote
			p.format = func(dst []byte, _ *align.Batch, _ []bool) ([]byte, error) {
				return append(dst, make([]byte, text)...), nil
			}
			if _, err := p.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			// The storage of slices is at most twice what they hold.
			if most := memory / tc.each; src.most > most+1 || src.most < most/3 {
				t.Errorf("%d batches in flight, want about %d", src.most, most)
			}
		})
	}
}

// What a buffer holds is measured, CIGARs of earlier batches too.
func TestBufferMeasures(t *testing.T) {
	s := &buffer{leave: make([]bool, 10, 5000)}
	s.batch.Buf = make([]byte, 10, 7000)
	s.measure()
	if s.measured != 12000 || s.loose {
		t.Errorf("measured %d, loose %v", s.measured, s.loose)
	}
	s.batch.Results = make([]align.Result, 1, 2)
	before := int64(12000 + 2*pairResultBytes)
	s.batch.Results[:2][1].CIGAR = make(cigar.CIGAR, 0, 100)
	s.measure()
	if s.measured != before+400 || s.loose {
		t.Errorf("measured %d, want %d; loose %v", s.measured, before+400, s.loose)
	}
	s.batch.Results[:2][1].CIGAR = make(cigar.CIGAR, 0, 1<<20)
	s.measure()
	if s.measured != before+4<<20 || !s.loose {
		t.Errorf("measured %d, loose %v", s.measured, s.loose)
	}
	s.reset(10_000)
	if cap(s.batch.Results) != 0 || s.loose {
		t.Error("CIGARs that are much larger than those of the batch were kept")
	}
}

// pairResultBytes is the size of a result.
const pairResultBytes = 80

func TestBufferDropsGiantStorage(t *testing.T) {
	s := &buffer{}
	s.batch.Buf = make([]byte, 10, 5000)
	s.reset(5000)
	if cap(s.batch.Buf) != 5000 {
		t.Error("storage of ordinary size was dropped")
	}
	s.reset(4999)
	if cap(s.batch.Buf) != 0 {
		t.Error("storage beyond the bound was kept")
	}
}

// The ledger counts every buffer once, in flight or not, and ends where it began.
func TestLedger(t *testing.T) {
	l := ledger{most: 1000, typical: 100}
	buffers := []*buffer{{measured: 300}, {measured: 300}, {measured: 300}}
	for i, s := range buffers {
		if !l.room() {
			t.Errorf("no room for buffer %d", i)
		}
		l.begin(s)
	}
	if l.flying != 900 || !l.room() {
		t.Errorf("%+v", l)
	}
	fourth := &buffer{measured: 300}
	l.begin(fourth) // more than expected
	if l.room() {
		t.Errorf("room in %+v", l)
	}
	for _, s := range slices.Backward(buffers) {
		l.end(s)
	}
	if l.flying != 300 || l.idle != 600 || buffers[2].measured != 0 {
		t.Errorf("%+v: the storage of one buffer is to be given up", l)
	}
	l.end(fourth)
	if l.flying != 0 || l.idle != 900 {
		t.Errorf("%+v", l)
	}
}
