package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"wfagpu/align"
)

// fakeSource yields batches of perBatch pairs, pairs in all; then it fails
// with err, or ends.
type fakeSource struct {
	pairs, perBatch int
	letters         int // of a batch, 0 for 8 of each pair
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
	if more := f.letters - len(b.Buf); more > 0 {
		b.Buf = append(b.Buf, make([]byte, more)...)
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

func formatScores(dst []byte, b *align.Batch, _ []bool) ([]byte, error) {
	for i := range b.Results {
		dst = fmt.Appendf(dst, "%d\n", b.Results[i].Score)
	}
	return dst, nil
}

func ignoreTotals(totals) {}

func ignoreProblem(pairProblem) {}

func testPipeline(src source, engine aligner, dst io.Writer) *pipeline {
	return &pipeline{
		src: src, engine: engine, inspect: failures, format: formatScores, dst: dst,
		wrote: ignoreTotals, problem: ignoreProblem,
		memory: 1 << 20, expected: 1 << 10, inFlight: func() int { return 5 }, keepBytes: 1 << 20,
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

// expectClosed waits for the source to be closed by the goroutine that reads it. That the number of
// goroutines is as before does not tell: some of an earlier test may have ended in the meantime.
func expectClosed(t *testing.T, f *fakeSource) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); !f.closed.Load(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the source is not closed")
		}
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
