package gpu

import (
	"sync"

	"wfagpu/align"
	"wfagpu/gpu/internal/pack"
)

// chunks deals the pairs of a batch out in chunks.
type chunks struct {
	pairs []align.Pair
	mu    sync.Mutex
	next  int
}

// take returns the range of the next chunk, empty at the end of the batch. If
// more pairs follow, it calls more before another take can return.
func (c *chunks) take(more func()) (from, to int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	from = c.next
	c.next = cut(c.pairs, from)
	if c.next < len(c.pairs) {
		more()
	}
	return from, c.next
}

// cut returns the end of the chunk that begins at pair from. The goroutines of a
// batch wait for one another here, and reading the lengths of a chunk's pairs is
// bound by memory latency. So cut samples the lengths first: short pairs make a
// chunk of chunkPairs pairs. If these do not fit, staging stops early, and the
// slot continues with the rest.
func cut(pairs []align.Pair, from int) int {
	room, to := chunkWords, from
	if most := min(len(pairs)-from, chunkPairs); seemShort(pairs[from : from+most]) {
		return from + most
	}
	for ; to < len(pairs) && to-from < chunkPairs; to++ {
		room -= pack.Words(len(pairs[to].Pattern)) + pack.Words(len(pairs[to].Text))
		if room < 0 && to > from {
			break
		}
	}
	return to
}

// seemShort estimates from a sample whether all pairs fit into a chunk. It
// reports false for few pairs.
func seemShort(pairs []align.Pair) bool {
	const samples = 256
	if len(pairs) < 16*samples {
		return false
	}
	// One random pair of each stretch: lengths may vary with the same period as
	// the stretches.
	stretch := len(pairs) / samples
	sum, random := 0, uint32(1)
	for i := range samples {
		random = random*1664525 + 1013904223
		p := &pairs[i*stretch+int(uint64(random)*uint64(stretch)>>32)]
		sum += pack.Words(len(p.Pattern)) + pack.Words(len(p.Text))
	}
	return sum <= chunkWords/16*15/(len(pairs)/samples+1)
}
