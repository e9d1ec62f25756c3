package main

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"wfagpu/align"
)

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
	expectClosed(t, src)
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
	expectClosed(t, &src.fakeSource)
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
