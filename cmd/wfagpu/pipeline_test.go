package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wfagpu/align"
)

// fakeSource yields batches of perBatch pairs, pairs in all; then it fails
// with err, or ends.
type fakeSource struct {
	pairs, perBatch int
	err             error
	next            int
	closed          atomic.Bool
	seen            map[*align.Batch]bool
}

func (f *fakeSource) ReadBatch(b *align.Batch) error {
	if f.seen != nil {
		f.seen[b] = true
	}
	b.First = int64(f.next + 1)
	for len(b.Pairs) < f.perBatch && f.next < f.pairs {
		start := len(b.Buf)
		b.Buf = append(b.Buf, "ACGTACGT"...)
		b.Pairs = append(b.Pairs, align.Pair{Pattern: b.Buf[start : start+4], Text: b.Buf[start+4:]})
		f.next++
	}
	if f.next == f.pairs && f.err != nil {
		return f.err
	}
	if len(b.Pairs) == 0 {
		return io.EOF
	}
	return nil
}

func (f *fakeSource) Close() error { f.closed.Store(true); return nil }

// fakeEngine gives each pair its ordinal as score, after a random delay.
type fakeEngine struct {
	maxDelay time.Duration
	failAt   map[int64]error // by the ordinal of a batch's first pair
	running  atomic.Int32
	started  chan struct{} // if not nil, receives when a batch starts, and the batch waits for ctx
}

func (f *fakeEngine) AlignBatch(ctx context.Context, b *align.Batch) error {
	f.running.Add(1)
	defer f.running.Add(-1)
	if f.started != nil {
		select {
		case f.started <- struct{}{}:
		default:
		}
		<-ctx.Done()
		return ctx.Err()
	}
	if f.maxDelay > 0 {
		time.Sleep(rand.N(f.maxDelay))
	}
	if err := f.failAt[b.First]; err != nil {
		return err
	}
	b.PrepareResults()
	for i := range b.Results {
		b.Results[i].Score = int(b.First) + i
	}
	return nil
}

func formatScores(dst []byte, b *align.Batch) []byte {
	for i := range b.Results {
		dst = fmt.Appendf(dst, "%d\n", b.Results[i].Score)
	}
	return dst
}

func ignoreTotals(totals)       {}
func ignoreProblem(pairProblem) {}

func testPipeline(src source, engine aligner, dst io.Writer) *pipeline {
	return &pipeline{
		src: src, engine: engine, inspect: failures, format: formatScores, dst: dst,
		wrote: ignoreTotals, problem: ignoreProblem,
		slots: 5, basesInFlight: 1 << 20, keepBytes: 1 << 20,
	}
}

// numbers is the expected output for pairs 1 to n.
func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d\n", i+1)
	}
	return b.String()
}

// expectGoroutines waits for the number of goroutines to come down to want:
// a goroutine that has told us it is done may take a moment to be gone.
func expectGoroutines(t *testing.T, want int) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > want {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines run, want %d:\n%s", runtime.NumGoroutine(), want,
				stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(time.Millisecond)
	}
}

func TestPipelineKeepsOrder(t *testing.T) {
	before := runtime.NumGoroutine()
	src := &fakeSource{pairs: 1003, perBatch: 10}
	var out bytes.Buffer
	var last totals
	p := testPipeline(src, &fakeEngine{maxDelay: 3 * time.Millisecond}, &out)
	p.wrote = func(now totals) {
		if now.pairs < last.pairs {
			t.Errorf("totals went back from %d to %d pairs", last.pairs, now.pairs)
		}
		last = now
	}
	sum, err := p.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != numbers(1003) {
		t.Errorf("output is not in the order of the input:\n%.200s", out.String())
	}
	if want := (totals{pairs: 1003, bases: 8024}); sum != want || last != want {
		t.Errorf("totals %+v, last told %+v, want %+v", sum, last, want)
	}
	expectGoroutines(t, before)
	if !src.closed.Load() {
		t.Error("the source was not closed")
	}
}

func TestPipelineEmptyInput(t *testing.T) {
	var out bytes.Buffer
	sum, err := testPipeline(&fakeSource{perBatch: 10}, &fakeEngine{}, &out).run(t.Context())
	if err != nil || out.Len() > 0 || sum != (totals{}) {
		t.Errorf("got totals %+v, output %q, error %v", sum, out.String(), err)
	}
}

// A bad record ends the run, but not before the pairs in front of it are out.
func TestPipelineBadRecord(t *testing.T) {
	bad := errors.New("bad record")
	for _, pairs := range []int{0, 7, 40, 47} {
		before := runtime.NumGoroutine()
		var out bytes.Buffer
		src := &fakeSource{pairs: pairs, perBatch: 10, err: bad}
		_, err := testPipeline(src, &fakeEngine{maxDelay: time.Millisecond}, &out).run(t.Context())
		var input *inputError
		if !errors.As(err, &input) || !errors.Is(err, bad) {
			t.Errorf("%d pairs: error %v, want the bad record as an inputError", pairs, err)
		}
		if out.String() != numbers(pairs) {
			t.Errorf("%d pairs: wrote %q", pairs, out.String())
		}
		expectGoroutines(t, before)
	}
}

// Of several errors the first in the order of the input is reported, even
// when another one happens earlier.
func TestPipelineFirstErrorWins(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	engine := &fakeEngine{
		maxDelay: 2 * time.Millisecond,
		failAt:   map[int64]error{31: first, 41: second, 51: second},
	}
	for range 20 {
		before := runtime.NumGoroutine()
		var out bytes.Buffer
		src := &fakeSource{pairs: 60, perBatch: 10, err: second}
		_, err := testPipeline(src, engine, &out).run(t.Context())
		if err != first {
			t.Fatalf("error %v, want %v", err, first)
		}
		if out.String() != numbers(30) {
			t.Fatalf("wrote %q, want the pairs before the error", out.String())
		}
		expectGoroutines(t, before)
	}
}

// failingWriter accepts some bytes, as a disk does that fills up.
type failingWriter struct{ room int }

var errFull = errors.New("disk full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) > w.room {
		return w.room, errFull
	}
	w.room -= len(p)
	return len(p), nil
}

func TestPipelineWriteError(t *testing.T) {
	before := runtime.NumGoroutine()
	src := &fakeSource{pairs: 10000, perBatch: 10}
	sum, err := testPipeline(src, &fakeEngine{}, &failingWriter{room: 100}).run(t.Context())
	if !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
	if sum.pairs >= 100 {
		t.Errorf("%d pairs counted as written to 100 bytes", sum.pairs)
	}
	expectGoroutines(t, before)
}

func TestPipelineCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	engine := &fakeEngine{started: make(chan struct{}, 1)}
	src := &fakeSource{pairs: 10000, perBatch: 10}
	go func() {
		<-engine.started
		cancel(cause)
	}()
	var out bytes.Buffer
	_, err := testPipeline(src, engine, &out).run(ctx)
	if err != cause {
		t.Errorf("error %v, want the cause of the cancellation", err)
	}
	if n := engine.running.Load(); n != 0 {
		t.Errorf("%d batches are still being aligned", n)
	}
	if out.Len() > 0 {
		t.Errorf("wrote %q", out.String())
	}
	expectGoroutines(t, before)
	if !src.closed.Load() {
		t.Error("the source was not closed")
	}
}

// blockingSource yields one batch and then waits, as a silent pipe does.
type blockingSource struct {
	fakeSource
	release chan struct{}
}

func (b *blockingSource) ReadBatch(batch *align.Batch) error {
	if b.next > 0 {
		<-b.release
		return io.EOF
	}
	return b.fakeSource.ReadBatch(batch)
}

// An interrupt must not wait for a pipe that says nothing.
func TestPipelineCancelWhileReading(t *testing.T) {
	before := runtime.NumGoroutine()
	src := &blockingSource{fakeSource{pairs: 100, perBatch: 10}, make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	p := testPipeline(src, &fakeEngine{}, &out)
	p.wrote = func(totals) { cancel() }
	if _, err := p.run(ctx); err != context.Canceled {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if out.String() != numbers(10) {
		t.Errorf("wrote %q, want the batch that was read", out.String())
	}
	close(src.release)
	expectGoroutines(t, before)
	if !src.closed.Load() {
		t.Error("the source was not closed once its read returned")
	}
}

func TestPipelineRecyclesBatches(t *testing.T) {
	src := &fakeSource{pairs: 20000, perBatch: 10, seen: map[*align.Batch]bool{}}
	p := testPipeline(src, &fakeEngine{}, io.Discard)
	if _, err := p.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(src.seen) > p.slots {
		t.Errorf("%d batches were made for %d slots", len(src.seen), p.slots)
	}
}

// Slots that may not be used yet are not, and are later.
func TestPipelineUsesSlotsNow(t *testing.T) {
	for _, now := range []int{1, 2, 4} {
		src := &fakeSource{pairs: 2000, perBatch: 10, seen: map[*align.Batch]bool{}}
		p := testPipeline(src, &fakeEngine{}, io.Discard)
		p.slotsNow = func() int { return now }
		if sum, err := p.run(t.Context()); err != nil || sum.pairs != 2000 {
			t.Fatalf("%+v, %v", sum, err)
		}
		if len(src.seen) > now {
			t.Errorf("%d batches were made for %d slots", len(src.seen), now)
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

func TestSlotDropsGiantStorage(t *testing.T) {
	s := &slot{text: make([]byte, 10, 5000)}
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

// Pairs that failed are reported in order and counted, and the others go on.
func TestPipelineReportsProblems(t *testing.T) {
	odd := errors.New("odd")
	inspect := func(_ context.Context, b *align.Batch, dst []pairProblem) ([]pairProblem, error) {
		for i := range b.Results {
			if n := b.First + int64(i); n%7 == 0 {
				dst = append(dst, pairProblem{record: n, err: odd, mismatch: n%2 == 0})
			}
		}
		return dst, nil
	}
	var out bytes.Buffer
	var records []int64
	p := testPipeline(&fakeSource{pairs: 100, perBatch: 10}, &fakeEngine{maxDelay: time.Millisecond}, &out)
	p.inspect = inspect
	p.problem = func(problem pairProblem) { records = append(records, problem.record) }
	sum, err := p.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if sum.mismatched != 7 || sum.failed != 7 {
		t.Errorf("%d mismatched and %d failed, want 7 and 7", sum.mismatched, sum.failed)
	}
	for i, r := range records {
		if r != int64(7*(i+1)) {
			t.Fatalf("problems reported for records %v", records)
		}
	}
	if out.String() != numbers(100) {
		t.Error("the other pairs were not all written")
	}
}
