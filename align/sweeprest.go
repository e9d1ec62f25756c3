package align

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// sweepRest bounds from below what rows cost that are still to come, by seeds as those of seeds:
// stretches of the pattern that an alignment passes with errors because the text does not have
// them. They are apart, so that a gap costs no less than the weights of the seeds that it touches:
//
//	weight   0, one where the text has the seed with a mismatch, or two
//	one      min(x, a gap of a letter)    two   min(2x, a gap of a letter)
//
// A gap that is open already costs less by what opened it.
type sweepRest struct {
	after []int32 // weights of the seeds that begin at letter sweepRestStep·i or later
	open  int
	taken bool
}

// sweepRestStep is how many letters apart the sums are.
const sweepRestStep = 16

// find looks for the seeds of the pattern in the text, on the diagonals first..last. Where an
// alignment need not come to the end of the pattern, there are no bounds, nor when stop is set.
func (r *sweepRest) find(k *kernels, m *Model, pattern, text *sequence, first, last int, stop *atomic.Bool) {
	r.taken = m.Span == Global || m.Span == EndsFree && m.Free.PatternEnd == 0
	if !r.taken {
		return
	}
	one, two := min(m.Mismatch, m.Cost(1)), min(2*m.Mismatch, m.Cost(1))
	r.open = m.last().Open
	apart := 0
	for m.Cost(apart+2) < 2*two || (apart+seedLetters)*m.last().Extend < two {
		apart++
	}
	n := pattern.n
	r.after = roomFor(r.after, n/sweepRestStep+2)
	clear(r.after)
	for v := 0; v+seedLetters <= n; v += seedLetters + apart {
		if stopped(stop) {
			r.taken = false
			return
		}
		errors := r.errors(k, pattern, text, v, max(0, v+first), min(text.n, v+last+seedLetters))
		r.after[v/sweepRestStep] += int32([3]int{0, one, two}[errors])
	}
	for i := len(r.after) - 2; i >= 0; i-- {
		r.after[i] += r.after[i+1]
	}
}

// errors returns with how many mismatches the text has the seed from letter v on, at most 2,
// between letters from and to.
func (r *sweepRest) errors(k *kernels, pattern, text *sequence, v, from, to int) int {
	p, t := pattern.first(), text.first()
	a, b := load64(p, v), load64(p, v+8)
	least := 2
	for h := from; h < to; {
		h += k.words((*byte)(unsafe.Add(t, h)), to-h, a, b)
		for stop := min(h+wordsBlock, to); h < stop; h++ {
			x := load64(t, h)
			if x == a {
				least = min(least, lettersApart(b, load64(t, h+8)))
			}
			if x == b {
				least = min(least, lettersApart(a, load64(t, h-8)))
			}
		}
		if least == 0 {
			break
		}
	}
	return least
}

// lettersApart counts the letters in which two words differ.
func lettersApart(a, b uint64) int {
	x := a ^ b
	x |= x >> 4
	x |= x >> 2
	x |= x >> 1
	return bits.OnesCount64(x & 0x0101010101010101)
}

// from returns the least that the rows after the first v letters of the pattern cost, where a gap
// may be open.
func (r *sweepRest) from(v int) int {
	if !r.taken {
		return 0
	}
	return max(0, int(r.after[min((v+sweepRestStep-1)/sweepRestStep, len(r.after)-1)])-r.open)
}
