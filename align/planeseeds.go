package align

import "bytes"

// Seeds of planes are planeSeed letters, one in each planeSeedStep letters of the pattern.
const (
	planeSeed     = 14
	planeSeedStep = 16
)

// leaving returns a bound from below on the cost of alignments that leave the band, as far as they
// cost at most s, at penalties 2,3,1. It is no higher than it takes to be above s.
//
// A seed that the text does not have on the diagonals within reach is broken by an error: a mismatch,
// which costs 2, or a gap. A deletion, of text letters, breaks one seed. An insertion of l letters
// breaks one, or from planeSeedStep - planeSeed + 2 = 4 letters on two, or more for each 16 further
// letters; so it costs 3l/4 at least in excess of 2 for each of them, and a deletion l + 1.
// An alignment that leaves the band has as many letters in gaps as the way out and back takes, at
// least half of them in deletions or, with the difference of the lengths, in insertions.
func (b *bandShape) leaving(pattern, text *sequence, s int) int {
	r := min(min(0, b.end)-b.base, b.base+b.vectors*b.width-1-max(0, b.end))
	least := b.pen.leave(b.end, r)
	if least > s || r < 0 {
		return least
	}
	far := b.reach(s)
	below, above := min(0, b.end)-far, max(0, b.end)+far
	letters := 2*(r+1) + abs(b.end)
	deleted := r + 1 + max(0, b.end)
	bound := deleted + 1 + (letters-deleted)*3/4
	// Seeds are looked for until enough are broken, or too few are left.
	p, t := pattern.letters(), text.letters()
	k := 0 // where the last seed was
	for i := 0; i+planeSeed <= len(p) && bound <= s && bound+2*((len(p)-i)/planeSeedStep+1) > s; i += planeSeedStep {
		from, to := max(0, i+below), min(len(t), i+planeSeed+above)
		seed := p[i : i+planeSeed]
		if h := i + k; h >= from && h+planeSeed <= to && string(t[h:h+planeSeed]) == string(seed) {
			continue
		}
		h := -1
		if from < to {
			h = bytes.Index(t[from:to], seed)
		}
		if h < 0 {
			bound += 2
		} else {
			k = from + h - i
		}
	}
	return max(least, bound)
}
