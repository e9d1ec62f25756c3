package align

import (
	"sync/atomic"
	"unsafe"
)

// seeds bound the cost from a cell to the end from below (as the seed heuristic of Groot Koerkamp
// and Ivanov 2024), so that wavefronts leave out cells that no alignment of a known score goes
// through.
//
// A seed is a stretch of the pattern. An alignment passes it with errors if the text does not
// have it on any diagonal in reach: at least two mismatches or a gap, or one mismatch if the
// text has it with one. So much a seed weighs. Seeds are placed where an alignment has
// errors, and are apart, so that a gap which touches several costs their weights:
//
//	weight   0, min(x, o+e) or min(2x, o+e)
//	gap      a deletion touches one seed; an insertion of l letters 1 + (l+K-2)/(K+apart),
//	         with seeds of K letters
//
// With W the weights of the seeds from a cell on and d the distance of its diagonal from the end
// diagonal, the cost to the end is at least
//
//	e·d
//	W
//	W + e·d - what gaps towards the end diagonal would pay twice, for letters and for seeds
//
// of which the latter two are o less where a gap is open already.
type seeds struct {
	kern  *kernels
	stop  *atomic.Bool // see Aligner
	pen   Penalties
	end   int
	apart int // letters between seeds
	one   int // weights
	two   int
	again int // what a gap may pay twice where it touches one seed
	// gap has what a gap towards the end diagonal costs for each letter, without what
	// an insertion pays twice where it touches several seeds, by its letters: from
	// diagonals above and below.
	gap    [2][]int32
	starts []int32
	weight []int32
	rest   []seedRest // by pattern letters in steps of seedStep
}

// seedRest are the seeds from a letter on.
type seedRest struct {
	weight, count int32
}

const (
	seedLetters = 16
	seedStep    = 16
)

func newSeeds(k *kernels, pen Penalties) seeds {
	d := seeds{kern: k, pen: pen}
	d.one = min(pen.Mismatch, pen.Gap(1))
	d.two = min(2*pen.Mismatch, pen.Gap(1))
	d.again = max(0, d.two-pen.GapOpen)
	return d
}

// find places seeds at errors of an alignment whose score is bound.
func (d *seeds) find(pattern, text *sequence, errors []int32, bound int) {
	d.end = text.n - pattern.n
	d.starts, d.weight = d.starts[:0], d.weight[:0]
	before := d.apart
	e := d.pen.GapExtend
	d.apart = max((2*d.two-d.pen.GapOpen+e-1)/e-2, d.two/e+1-seedLetters, 0)
	if abs(d.end) >= 2*seedLetters {
		d.apart = max(d.apart, seedLetters)
	}
	if d.apart != before {
		d.gap = [2][]int32{d.gap[0][:0], d.gap[1][:0]}
	}
	reach := max(0, (bound-2*d.pen.GapOpen-abs(d.end)*e)/(2*e))
	lo, hi := min(0, d.end)-reach, max(0, d.end)+reach
	next := 0 // where a seed may begin
	for _, at := range errors {
		if stopped(d.stop) {
			break
		}
		start := max(int(at)-seedLetters/2, next)
		if start >= int(at) && at > 0 || start+seedLetters > pattern.n {
			continue
		}
		if w := d.weigh(pattern, text, start, lo, hi); w > 0 {
			d.starts, d.weight = append(d.starts, int32(start)), append(d.weight, int32(w))
			next = start + seedLetters + d.apart
		}
	}
	n := pattern.n/seedStep + 2
	d.rest = roomFor(d.rest, n)
	var r seedRest
	j := len(d.starts) - 1
	for i := n - 1; i >= 0; i-- {
		for ; j >= 0 && int(d.starts[j]) >= i*seedStep; j-- {
			r.weight += d.weight[j]
			r.count++
		}
		d.rest[i] = r
	}
}

// weigh returns the weight of the seed at letter start, for alignments on the diagonals lo..hi.
func (d *seeds) weigh(pattern, text *sequence, start, lo, hi int) int {
	p, t := pattern.first(), text.first()
	a, b := load64(p, start), load64(p, start+8)
	least := 2
	from, to := max(0, start+lo), min(text.n-seedLetters, start+hi)
	for h, end := from, to+8; h <= end; {
		// With one mismatch, one half is the same.
		h += d.kern.words((*byte)(unsafe.Add(t, h)), end-h+1, a, b)
		for stop := min(h+wordsBlock, end+1); h < stop; h++ {
			w := load64(t, h)
			if w == a && h <= to {
				least = min(least, differences(load64(t, h+8)^b))
			}
			if w == b && h >= from+8 {
				least = min(least, differences(load64(t, h-8)^a))
			}
		}
	}
	return [3]int{0, d.one, d.two}[least]
}

// least returns a lower bound on the cost from offset h of diagonal k to the end, where a gap
// may be open.
func (d *seeds) least(k, h int) int {
	r := d.rest[(h-k+seedStep-1)/seedStep]
	w := int(r.weight) - d.pen.GapOpen
	far := k - d.end
	side := 0
	if far < 0 {
		far, side = -far, 1
	}
	if far >= len(d.gap[side]) {
		d.extendGaps(far)
	}
	return max(d.pen.GapExtend*far, w, w+int(d.gap[side][far])-d.again*min(far, int(r.count)))
}

// extendGaps makes gap long enough for a distance of far diagonals.
func (d *seeds) extendGaps(far int) {
	e, period := d.pen.GapExtend, seedLetters+d.apart
	for i := len(d.gap[1]); i <= far+far/2; i++ {
		d.gap[1] = append(d.gap[1], int32(e*i))
		// An insertion of apart+2 letters touches two seeds, and one more with each
		// further period.
		first := (i*(2*d.two-d.pen.GapOpen) + d.apart + 1) / (d.apart + 2)
		paid := max(0, first, (i*d.two+period-1)/period)
		d.gap[0] = append(d.gap[0], int32(e*i-paid))
	}
}
