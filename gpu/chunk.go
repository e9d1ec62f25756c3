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

// take returns the range of the next chunk, empty at the end. If pairs are left
// after it, it calls more before another take can return.
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
// batch wait for one another here, and a walk through a chunk takes as long as
// memory does to deliver its pairs. So pairs that all seem to be short make one
// chunk; if they do not fit, staging stops early and the slot goes on from there.
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

// seemShort reports whether many pairs are likely to fit into a chunk, by a
// sample of them.
func seemShort(pairs []align.Pair) bool {
	const samples = 256
	if len(pairs) < 16*samples {
		return false
	}
	// One pair of each stretch, at random: lengths may go up and down in step
	// with stretches.
	stretch := len(pairs) / samples
	sum, random := 0, uint32(1)
	for i := range samples {
		random = random*1664525 + 1013904223
		p := &pairs[i*stretch+int(uint64(random)*uint64(stretch)>>32)]
		sum += pack.Words(len(p.Pattern)) + pack.Words(len(p.Text))
	}
	return sum <= chunkWords/16*15/(len(pairs)/samples+1)
}
