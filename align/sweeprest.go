package align

import (
	"math"
	"math/bits"
	"sort"
	"sync/atomic"
)

// sweepRest bounds from below what rows cost that are still to come, by seeds as those of seeds:
// stretches of the pattern that an alignment passes with errors because the text does not have
// them. They are apart, so that a gap costs no less than the weights of the seeds that it touches:
//
//	weight   0, one where the text has the seed with a mismatch, or two
//	one      min(x, a gap of a letter)    two   min(2x, a gap of a letter)
//
// Where alignments end anywhere, costs are those that sweep.above says, and a seed weighs no more than its letters cost
// that are left out. The last one may be left out in part.
//
// Of all seeds behind a row those count that have the most weight. A gap that is open already costs
// less by what opened it.
type sweepRest struct {
	after []int32 // the most weight of seeds that begin at a letter or later
	down  []int32 // what alignments that end anywhere cost at least besides, less those seeds, by how many diagonals they come down
	apart int     // letters between seeds
	more  int     // how much more a seed may weigh than what opens a deletion
	open  int     // what of the seeds an open gap and the end of the alignment may pay
	taken bool

	pattern, text restCodes
	errors        []uint8 // of the seed from each letter of the pattern on, from element restHalf on
	// Where the text has halves of seeds: the first place of a hash, and of each place the next one,
	// numbered from 1. Between pairs the first ones are 0.
	first, next []int32
}

// restHalf is how many letters half of a seed has, a word. With a mismatch at most, one half is the same.
const restHalf = seedLetters / 2

// restCodes are the hashes of halves of seeds from each letter of a sequence on.
type restCodes []byte

func (c *restCodes) load(k *kernels, s *sequence) {
	*c = roomFor(*c, s.n+2*seqPad)
	k.codes(&(*c)[0], (*byte)(s.first()), s.n)
}

// at returns the hash of the letters from letter i on: two bits of each.
func (c restCodes) at(i int) int {
	return int(c[i]) | int(c[i+codeLetters])<<(2*codeLetters)
}

// find looks for the seeds of the pattern in the text, on the diagonals first..last. Where an
// alignment need not come to the end of the pattern and leaves out what is behind at no cost, there are no bounds, nor when stop is set.
func (r *sweepRest) find(k *kernels, m *Model, pattern, text *sequence, first, last int, stop *atomic.Bool) {
	r.taken = m.Span != EndsFree || m.Free.PatternEnd == 0
	if !r.taken {
		return
	}
	r.place(k, text)
	r.taken = r.count(k, pattern, text, first, last, stop)
	r.forget()
	r.sum(m, pattern.n)
	if m.Span.EndsAnywhere() {
		r.sumDown(pattern.n, 2*m.FreeLetter)
	}
}

// place notes where the text has halves of seeds.
func (r *sweepRest) place(k *kernels, text *sequence) {
	if r.first == nil {
		r.first = make([]int32, 1<<(2*restHalf))
	}
	r.text.load(k, text)
	r.next = roomFor(r.next, max(0, text.n-restHalf+1))
	for h := len(r.next) - 1; h >= 0; h-- {
		first := &r.first[r.text.at(h)]
		r.next[h], *first = *first, int32(h+1)
	}
}

// forget empties first, of few places one by one.
func (r *sweepRest) forget() {
	if len(r.next) > len(r.first)/16 {
		clear(r.first)
		return
	}
	for h := range r.next {
		r.first[r.text.at(h)] = 0
	}
}

// restPlaces is how many places of half a seed are looked at. Where the text has more of them, it may
// have the seed.
const restPlaces = 16

// restStop is after how many letters to look whether to stop.
const restStop = 256

// count sets with how many mismatches the text has the seeds of the pattern at least, at most 2, on the
// diagonals first..last. It reports false when stopped.
func (r *sweepRest) count(k *kernels, pattern, text *sequence, first, last int, stop *atomic.Bool) bool {
	p, t, n := pattern.first(), text.first(), pattern.n
	r.pattern.load(k, pattern)
	r.errors = roomFor(r.errors, n+restHalf)
	for v := range r.errors {
		r.errors[v] = 2
	}
	for v := range n - restHalf + 1 {
		if v%restStop == 0 && stopped(stop) {
			return false
		}
		// Of the seeds whose first half this is, and whose last one.
		errors, before := r.errors[v+restHalf], r.errors[v]
		word, looked := load64(p, v), 0
		for at := r.first[r.pattern.at(v)]; at > 0 && errors+before > 0; at = r.next[at-1] {
			if looked++; looked > restPlaces {
				errors, before = 0, 0
				break
			}
			if h := int(at) - 1; h-v >= first && h-v <= last && load64(t, h) == word {
				errors = min(errors, lettersApart(load64(t, h+restHalf)^load64(p, v+restHalf)))
				before = min(before, lettersApart(load64(t, h-restHalf)^load64(p, v-restHalf)))
			}
		}
		r.errors[v+restHalf], r.errors[v] = errors, before
	}
	return true
}

// sum sums the weights of the seeds of n letters.
func (r *sweepRest) sum(m *Model, n int) {
	const letters = seedLetters
	gap, most := m.Cost(1), math.MaxInt
	if m.Span.EndsAnywhere() {
		// Deletions leave less text to be left out, and a seed may be left out in whole or, at the end, in part.
		gap -= m.FreeLetter
		most = 2 * letters * m.FreeLetter
	}
	one, two := min(m.Mismatch, gap, most), min(2*m.Mismatch, gap, most)
	weights := [3]int32{0, int32(one), int32(two)}
	r.more, r.open = max(0, two-m.Gap.Open), m.last().Open
	if m.Span.EndsAnywhere() {
		r.open += two
	}
	apart := 0
	for m.Cost(apart+2) < 2*two || (apart+letters)*m.last().Extend < two {
		apart++
	}
	r.apart = apart
	r.after = roomFor(r.after, n+letters+apart+1)
	clear(r.after[max(0, n-letters+1):])
	for v := n - letters; v >= 0; v-- {
		r.after[v] = max(r.after[v+1], weights[r.errors[v+restHalf]]+r.after[v+letters+apart])
	}
}

// lettersApart counts the letters in which two words differ, by the bits in which they do.
func lettersApart(x uint64) uint8 {
	x |= x >> 4
	x |= x >> 2
	x |= x >> 1
	return uint8(bits.OnesCount64(x & 0x0101010101010101))
}

// from returns the least that the rows after the first v letters of the pattern cost, where a gap
// may be open.
func (r *sweepRest) from(v int) int {
	if !r.taken {
		return 0
	}
	return max(0, int(r.after[min(v, len(r.after)-1)])-r.open)
}

// sumDown sets down, for a pattern of n letters of which each one that is left out costs so much, twice FreeLetter.
//
// Alignments come down some diagonals by letters of the pattern that they leave out at its end, and by insertions. The former
// have the seeds there for nothing. The letters of the latter cost FreeLetter besides what an insertion costs, which is no
// less than the weights of the seeds that it touches.
func (r *sweepRest) sumDown(n, each int) {
	r.down = roomFor(r.down, n+1)
	least := 0
	for l := range r.down {
		least += each / 2
		if out := each*l - int(r.after[n-l]); l == 0 || out < least {
			least = out
		}
		r.down[l] = int32(least)
	}
	// Of ever more diagonals, so that it grows.
	for l := n - 1; l >= 0; l-- {
		r.down[l] = min(r.down[l], r.down[l+1])
	}
}

// downwards returns how many diagonals alignments may come down that lead on from the first v letters and cost most, where each
// letter that is left out costs so much.
func (r *sweepRest) downwards(v, each, most int) int {
	out := most / each
	if r.taken {
		most -= r.from(v)
		out = min(out, sort.Search(len(r.down), func(l int) bool { return int(r.down[l]) > most })-1)
	}
	return out
}

// letters returns how much of what is to come the letters of deletions in so many rows may pay. Each
// deletion touches a seed at most, and its letters pay what the seed weighs more than its opening.
func (r *sweepRest) letters(rows int) int {
	if !r.taken {
		return 0
	}
	period := seedLetters + r.apart
	return (rows + period - 1) / period * r.more
}
