package align

import "math"

// adjust adjusts the band. It reports false when the nearest cell has drifted too far
// from the middle.
func (f *adaptiveWavefronts) adjust() bool {
	f.nextAdjust += f.Lambda
	f.dropEdge()
	k, distance, ok := f.nearest()
	f.distance = distance
	if ok && !f.still {
		drift := k - (f.w + f.Band/2)
		if abs(drift) > f.MaxDrift {
			return false
		}
		if by := f.towards(drift); by != 0 {
			f.move(by)
			f.dropEdge()
		}
	}
	return true
}

// towards returns by how many diagonals an adjustment moves the band to a cell that has drifted from
// its middle.
func (b AdaptiveBand) towards(drift int) int {
	share := 3 * b.Band
	by := min(abs(drift), (4*b.Lambda*abs(drift)+share-1)/share)
	if drift < 0 {
		return -by
	}
	return by
}

// progress is the progress of a pair towards the end.
type progress struct {
	stall, doubt interval
	most         int  // largest progress in an interval between stall tests
	doubtful     bool // the pair has been slow
}

// newProgress returns the progress of a pair that begins at some distance from its end.
func newProgress(distance int) progress {
	return progress{stall: interval{mark: distance}, doubt: interval{mark: distance}}
}

// stalls notes, after an adjustment, whether the pair has been slow, and reports whether it stalls.
// distance is that of the nearest cell, or -1.
func (p *progress) stalls(distance int, band AdaptiveBand, mismatch int) bool {
	// slow reports whether unrelated letters would come as far in so many adjustments.
	slow := func(by, adjustments int) bool { return 2*mismatch*by < 5*adjustments*band.Lambda }
	if n := band.doubtInterval(); p.doubt.ends(n, distance) {
		p.doubtful = p.doubtful || slow(p.doubt.by, n)
	}
	if !p.stall.ends(band.StallInterval, distance) {
		return false
	}
	by := p.stall.by
	stalled := 2*by < p.most || slow(by, band.StallInterval)
	p.most = max(p.most, by)
	return stalled
}

// interval is some adjustments after one another, at the end of which there is a test.
type interval struct {
	adjustments int // of the interval so far
	mark        int // distance at its begin
	by          int // progress in the last one that has ended
}

// ends counts an adjustment, and reports whether the interval of so many ends with it.
func (i *interval) ends(adjustments, distance int) bool {
	if i.adjustments++; i.adjustments != adjustments {
		return false
	}
	i.adjustments = 0
	if distance < 0 {
		return false
	}
	i.by, i.mark = i.mark-distance, distance
	return true
}

// unshareRing copies the M rows of the ring that are stored for the traceback: the stored
// rows must not change.
func (f *adaptiveWavefronts) unshareRing() {
	if f.into != nil {
		f.room(min(blockScores, f.Lambda))
	}
}

// dropEdge drops the cells at the ends of their diagonals if the end cell's diagonal is
// outside the band.
func (f *adaptiveWavefronts) dropEdge() {
	if !f.edge || f.inBand(f.end) {
		return
	}
	f.unshareRing()
	for r := range f.ring {
		for i, last := range f.rows.last[:len(r)] {
			if r[i] >= last {
				r[i] = null
			}
		}
	}
	f.edge = false
}

// nearest returns the diagonal of the cell of the last row nearest to the end, and its
// distance, which is -1 where there is no cell.
func (f *adaptiveWavefronts) nearest() (k, distance int, ok bool) {
	row := f.rows.m.at(f.s)[:f.Band]
	// max(n-v, m-h) = max(n+k, m) - h.
	n, m := int32(f.pattern.n+f.w), int32(f.text.n)
	best := int32(math.MaxInt32)
	for i, h := range row {
		if h >= 0 { // others are too far below it for 32 bits
			best = min(best, max(n+int32(i), m)-h)
		}
	}
	if best == math.MaxInt32 {
		return 0, -1, false
	}
	for i, h := range row {
		if h < 0 || max(n+int32(i), m)-h != best {
			continue
		}
		if at := f.w + i; !ok || abs(at-f.end) < abs(k-f.end) {
			k, ok = at, true
		}
	}
	return k, int(best), ok
}

// move shifts the band by some diagonals.
func (f *adaptiveWavefronts) move(by int) {
	f.unshareRing()
	for r := range f.ring {
		shift(r[:f.Band], by, null)
	}
	shift(f.rows.from[:f.Band], by, 0)
	shift(f.rows.ahead[:f.Band], by, 0)
	f.place(f.w + by)
}

// shift moves element i+by to i and fills the free elements.
func shift(r []int32, by int, with int32) {
	n := min(abs(by), len(r))
	entering := r[:n]
	if by > 0 {
		copy(r, r[n:])
		entering = r[len(r)-n:]
	} else {
		copy(r[n:], r)
	}
	for i := range entering {
		entering[i] = with
	}
}
