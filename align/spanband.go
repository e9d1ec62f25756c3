package align

import "math"

// spanBand computes wavefronts with free begins within an adaptive band, for gaps with one or two
// costs. This comment states the rule. β, λ and MaxDrift are those of the band.
//
//   - The begins of the model on the diagonals of the first band come in at their cost less base,
//     that of the cheapest of them. Begins elsewhere are left out.
//   - Wavefront s holds the cells that the recurrence of freeWaves gives from earlier wavefronts,
//     on the diagonals of the band alone, [w, w+β). Cells of earlier wavefronts outside the band
//     remain: the band may move towards them.
//   - When s > 0 is a multiple of λ, and begins at a cost have come in and settled (locateScore), the
//     band is adjusted. Of the newest wavefront's cells the nearest to the end (distance) counts;
//     of several, the one nearest to the band's middle
//     w + floor(β/2), then on the smaller diagonal. It has drifted d diagonals from the middle,
//     and the band moves towards it by min(|d|, ceil(4λ|d| / 3β)). If |d| exceeds MaxDrift, or
//     without a cell, the band stays. The pair has drifted out of the band if |d| does or if it
//     stalls, see progress, unless it has an end already and is no extension.
//     If the wavefronts that later ones are computed from have no cell, the pair is lost.
//   - It ends with the best end, by the rule of the package comment, among the cells computed up
//     to the first score that is not below its cost.
//
// The score is an upper bound on the optimum: dropping cells only removes alignments. It differs
// from adaptiveWavefronts, which has one begin and one end, in what happens at the edges of the
// matrix and of the band.
type spanBand struct {
	freeWaves
	band       AdaptiveBand
	initial    int // the first diagonal of the band at first
	lowest     int // and now
	base       int
	nextAdjust int
	nearestEnd int // distance of the nearest cell at the last adjustment, or -1
	copies     [waveSources][]int32
}

// start computes wavefront 0 of a pair, in a band around a diagonal, of begins on some diagonals. At
// least one begin is in the band, which is moved if it has none.
func (b *spanBand) start(pattern, text *sequence, begins diagonals, around int) {
	b.initial = min(max(around, begins.first), begins.last) - b.band.Band/2
	b.lowest = b.initial
	b.pattern, b.text = pattern, text
	b.first, b.last = max(begins.first, b.lowest), min(begins.last, b.highest())
	b.again()
}

// again computes wavefront 0 of the same pair and band.
func (b *spanBand) again() {
	b.load(b.pattern, b.text, b.first, b.last, false)
	b.lowest, b.base, b.nearestEnd = b.initial, 0, -1
	first, last, settled := b.first, b.last, 1
	if f := b.model.FreeLetter; f > 0 { // from the cheapest begin on
		cheapest := min(max(first, 0), last)
		b.base = f * abs(cheapest)
		if first < last {
			settled = f*max(-first, last) - b.base + mostLocate*locateScore(b.model)
		}
		first, last = cheapest, cheapest
	}
	b.nextAdjust = (settled + b.band.Lambda - 1) / b.band.Lambda * b.band.Lambda
	b.beginOn(first, last)
	b.cutTails()
}

// highest is the last diagonal of the band.
func (b *spanBand) highest() int { return b.lowest + b.band.Band - 1 }

// cost is the cost of the newest wavefront's cells.
func (b *spanBand) cost() int { return b.s + b.base }

// step computes and extends the wavefront of the next score.
func (b *spanBand) step() {
	b.s++
	sources := b.sources()
	lo, hi := math.MaxInt, math.MinInt
	for i, r := range sources {
		if !r.empty() {
			beside := min(i, 1)
			lo, hi = min(lo, r.lo-beside), max(hi, r.hi+beside)
		}
	}
	d := b.beginsAt(b.cost())
	for _, k := range [2]int{-d, d} {
		if d > 0 && k >= b.first && k <= b.last {
			lo, hi = min(lo, k), max(hi, k)
		}
	}
	lo, hi = max(lo, b.lowest, -b.pattern.n), min(hi, b.highest(), b.text.n)
	if lo > hi {
		b.skip()
		return
	}
	b.lo, b.hi = lo, hi
	n := b.vectors(hi - lo + 1)
	b.needNone(n + 2)
	var from [waveSources]*int32
	for i, r := range sources {
		if from[i] = &b.none[1]; !r.empty() {
			from[i] = r.around(b.left, lo, n, &b.copies[i])
		}
	}
	b.from(from)
	b.compute(lo, hi)
	b.cutTails()
	for _, k := range [2]int{-d, d} {
		if d > 0 && k >= lo && k <= hi {
			b.begin(k)
		}
	}
}

// cutTails drops the cells of the newest wavefront beyond the band, up to a whole vector.
func (b *spanBand) cutTails() {
	n := b.hi - b.lo + 1
	for ring := range b.rings {
		if r := b.rowAt(ring, b.s); !r.empty() {
			fillNull(r.buf[b.left+n : b.left+b.vectors(n)])
		}
	}
}

// dead reports whether no later wavefront can have a cell.
func (b *spanBand) dead() bool {
	m := b.model
	last := m.last()
	for i := range max(m.Mismatch, m.Gap.Open+m.Gap.Extend, last.Open+last.Extend) {
		r := b.rowAt(waveM, b.s-i)
		if r.empty() {
			continue
		}
		for _, h := range r.buf[b.left:][:r.hi-r.lo+1] {
			if h >= 0 {
				return false
			}
		}
	}
	return true
}

func (b *spanBand) next() {
	if b.s == b.nextAdjust {
		b.adjust()
	}
	b.step()
}

func (b *spanBand) place() wavePlace { return wavePlace{b.lo, b.hi, b.lowest, b.nextAdjust} }

func (b *spanBand) moveTo(p wavePlace) {
	b.lo, b.hi, b.lowest, b.nextAdjust = p.lo, p.hi, p.lowest, p.nextAdjust
}

// adjust adjusts the band. It reports false if the pair has drifted out of it.
func (b *spanBand) adjust() bool {
	b.nextAdjust += b.band.Lambda
	k, distance, ok := b.nearest(b.lowest + b.band.Band/2)
	b.nearestEnd = distance
	if !ok {
		return true
	}
	drift := k - (b.lowest + b.band.Band/2)
	if abs(drift) > b.band.MaxDrift {
		return false
	}
	b.lowest += b.band.towards(drift)
	return true
}

// nearest returns the diagonal of the newest wavefront's cell that is the nearest to the end, and its
// distance, which is -1 where there is no cell. Of several the one nearest to the diagonal middle
// counts.
func (w *freeWaves) nearest(middle int) (k, distance int, ok bool) {
	r := w.rowAt(waveM, w.s)
	if r.empty() {
		return 0, -1, false
	}
	distance = -1
	for i, h := range r.buf[w.left:][:r.hi-r.lo+1] {
		if h < 0 {
			continue
		}
		at := r.lo + i
		d := w.model.distance(int(h)-at, int(h), w.pattern.n, w.text.n)
		if !ok || d < distance || d == distance && abs(at-middle) < abs(k-middle) {
			k, distance, ok = at, d, true
		}
	}
	return k, distance, ok
}

// distance returns how many letters an alignment that has come to cell (i,j) has before the nearest
// end, of the sequence that has more of them. Where letters that are left out have a cost, and ends
// that are nearer may cost more, it is how many are left of both sequences on average.
func (m *Model) distance(i, j, pattern, text int) int {
	if m.FreeLetter > 0 {
		return (pattern - i + text - j) / 2
	}
	below := max(pattern-i, text-min(m.Free.TextEnd, text)-j)
	beside := max(text-j, pattern-min(m.Free.PatternEnd, pattern)-i)
	return max(0, min(below, beside))
}
