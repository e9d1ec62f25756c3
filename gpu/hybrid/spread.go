package hybrid

import (
	"context"
	"sync"

	"wfagpu/align"
)

// Spread is an Aligner that passes each batch to the least busy of several engines,
// so that a slow engine gets fewer batches than a fast one. It is safe for
// concurrent use.
type Spread struct {
	engines []Aligner
	mu      sync.Mutex
	work    []int // in progress, by engine, in letters and pairs
}

// NewSpread returns a Spread over at least one engine.
func NewSpread(engines ...Aligner) *Spread {
	return &Spread{engines: engines, work: make([]int, len(engines))}
}

// AlignBatch passes the batch to one engine.
func (s *Spread) AlignBatch(ctx context.Context, b *align.Batch) error {
	// A pair of empty sequences counts, too.
	work := b.Bases() + len(b.Pairs)
	i := s.begin(work)
	defer s.end(i, work)
	return s.engines[i].AlignBatch(ctx, b)
}

// begin returns the least busy engine, the first among equals, and adds the work.
func (s *Spread) begin(work int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	least := 0
	for i, work := range s.work {
		if work < s.work[least] {
			least = i
		}
	}
	s.work[least] += work
	return least
}

func (s *Spread) end(i, work int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.work[i] -= work
}
