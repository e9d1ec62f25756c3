package gpu

import (
	"sync"

	"wfagpu/align"
	"wfagpu/gpu/internal/pack"
)

// ranges deals the pairs of a batch out in ranges, each of which becomes a load.
type ranges struct {
	pairs []align.Pair
	mu    sync.Mutex
	next  int
}

// take returns the next range, empty at the end of the batch, and a number of words
// that its packed sequences take at most. If more pairs follow, it calls more before
// another take can return.
func (r *ranges) take(more func()) (from, to, words int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	from = r.next
	r.next, words = cut(r.pairs, from)
	if r.next < len(r.pairs) {
		more()
	}
	return from, r.next, words
}

// cut returns the end of the range that begins at pair from, and a number of words
// that its packed sequences take at most. The goroutines of a batch wait for one
// another here, and reading the lengths of many pairs is bound by memory latency. So
// cut samples the lengths first: short pairs make a range of loadPairs pairs. If these
// do not fit, staging stops early, and the rest is another load.
func cut(pairs []align.Pair, from int) (to, words int) {
	if most := min(len(pairs)-from, loadPairs); seemShort(pairs[from : from+most]) {
		return from + most, loadWords
	}
	for to = from; to < len(pairs) && to-from < loadPairs; to++ {
		more := pack.Words(len(pairs[to].Pattern)) + pack.Words(len(pairs[to].Text))
		if words+more > loadWords && to > from {
			break
		}
		words += more
	}
	return to, min(words, loadWords)
}

// seemShort estimates from a sample whether all pairs fit into a load. It
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
	return sum <= loadWords/16*15/(len(pairs)/samples+1)
}
