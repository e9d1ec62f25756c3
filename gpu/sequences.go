package gpu

import (
	"context"
	"sync"
)

// sequences is the device memory of loads. It is a part of the device's of its own, so
// that loads that wait and launches that run cannot wait for each other in a circle.
type sequences struct {
	mu    sync.Mutex
	arena arena
	freed event
}

// take waits for a span. The error is the driver's if the device has no memory at all,
// or the cause of ctx's end. waiting is called before a wait with 1, after it with -1.
func (q *sequences) take(ctx context.Context, bytes int, waiting func(int)) (span, error) {
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
			return span{}, err
		}
	}
}

// try returns a span, or else a channel that is closed when memory is freed.
func (q *sequences) try(bytes int) (span, <-chan struct{}, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	got, ok, err := q.arena.take(bytes)
	if ok || err != nil {
		return got, nil, err
	}
	if q.arena.taken > 0 {
		return got, q.freed.wait(), nil
	}
	// Idle slabs may be too small, or the budget may have shrunk.
	if err := q.arena.renew(bytes); err != nil {
		return got, nil, err
	}
	got, ok, err = q.arena.take(bytes)
	if !ok && err == nil {
		err = q.arena.refusal
	}
	return got, nil, err
}

func (q *sequences) give(s span) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arena.give(s)
	q.freed.signal()
}

// retry forgets that another process had taken memory.
func (q *sequences) retry() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arena.retry()
}
