package main

import (
	"context"
	"sync"

	"wfagpu/align"
)

// spread deals batches out over several engines, each to the one that has the
// least to do at that moment. A slow engine thus gets fewer batches than a fast
// one. It is safe for concurrent use as they are.
type spread struct {
	engines []aligner
	mu      sync.Mutex
	load    []int // work in each engine's hands
}

func newSpread(engines ...aligner) *spread {
	return &spread{engines: engines, load: make([]int, len(engines))}
}

// AlignBatch passes the batch to one engine.
func (s *spread) AlignBatch(ctx context.Context, b *align.Batch) error {
	// Pairs without a letter are work, too.
	work := b.Bases() + len(b.Pairs)
	i := s.begin(work)
	defer s.end(i, work)
	return s.engines[i].AlignBatch(ctx, b)
}

// begin chooses the engine, of equally busy ones the first.
func (s *spread) begin(work int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	least := 0
	for i, load := range s.load {
		if load < s.load[least] {
			least = i
		}
	}
	s.load[least] += work
	return least
}

func (s *spread) end(i, work int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load[i] -= work
}
