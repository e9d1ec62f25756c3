package memory

import (
	"context"
	"sync"
	"sync/atomic"
)

// Shared is device memory that goroutines wait for. It is safe for concurrent use.
type Shared struct {
	mu      sync.Mutex
	arena   Arena
	freed   event
	refused atomic.Bool // as arena.Refused
}

// Use makes the memory that of an arena. Nobody else may use it.
func (q *Shared) Use(a Arena) { q.arena = a }

// Take waits for a span. The error is the driver's if the device has no memory at all,
// or the cause of ctx's end. waiting is called before a wait with 1, after it with -1.
func (q *Shared) Take(ctx context.Context, bytes int, waiting func(int)) (Span, error) {
	for {
		got, freed, err := q.try(bytes)
		if err != nil || freed == nil {
			return got, err
		}
		waiting(1)
		select {
		case <-freed:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		waiting(-1)
		if err != nil {
			return Span{}, err
		}
	}
}

// try returns a span, or else a channel that is closed when memory is freed.
func (q *Shared) try(bytes int) (Span, <-chan struct{}, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	defer func() { q.refused.Store(q.arena.Refused()) }()
	got, ok, err := q.arena.Take(bytes)
	if ok || err != nil {
		return got, nil, err
	}
	if !q.arena.Idle() {
		return got, q.freed.wait(), nil
	}
	// Idle slabs may be too small, or the budget may have shrunk.
	if err := q.arena.Renew(bytes); err != nil {
		return got, nil, err
	}
	got, ok, err = q.arena.Take(bytes)
	if !ok && err == nil {
		err = q.arena.refusal
	}
	return got, nil, err
}

// Give takes back a span of Take.
func (q *Shared) Give(s Span) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arena.Give(s)
	q.freed.signal()
}

// Retry forgets that another process had taken memory.
func (q *Shared) Retry() {
	if !q.refused.Load() {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arena.Retry()
	q.refused.Store(false)
}

// Close gives all memory back. No span may be in use.
func (q *Shared) Close() error { return q.arena.Close() }
