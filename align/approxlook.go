package align

import "math"

// look moves the window towards where the row stands closest to the end. It
// reports false when that is too far off.
func (f *approxFront) look() bool {
	f.nextLook += f.Lambda
	f.dropEdge()
	k, distance, ok := f.closest()
	f.pace.nearest = distance
	if ok {
		off := k - (f.w + f.Band/2)
		if abs(off) > f.MaxDrift {
			return false
		}
		share := 3 * f.Band
		by := min(abs(off), (4*f.Lambda*abs(off)+share-1)/share)
		if off < 0 {
			by = -by
		}
		if by != 0 {
			f.move(by)
			f.dropEdge()
		}
	}
	return true
}

// pace is how a pair gets on.
type pace struct {
	nearest int // distance of the closest cell from the end at the last look, or -1
	looks   int // since the last test
	mark    int // distance then
	most    int // largest difference from one test to the next
}

// dawdles tests the pace, when it is time for it after a look.
func (f *approxFront) dawdles() bool {
	p := &f.pace
	if p.looks++; p.looks != f.StallInterval {
		return false
	}
	p.looks = 0
	if p.nearest < 0 {
		return false
	}
	by := p.mark - p.nearest
	slow := 2*by < p.most || 2*f.pen.Mismatch*by < 5*f.StallInterval*f.Lambda
	p.mark, p.most = p.nearest, max(p.most, by)
	return slow
}

// changeable makes all M rows that are held ones that may be changed, for those
// kept are to stay as they were computed.
func (f *approxFront) changeable() {
	for i := range f.heldM() {
		f.m.change(f.s - i)
	}
}

// dropEdge drops cells on the matrix's edge if the end cell's diagonal is
// outside the window.
func (f *approxFront) dropEdge() {
	if !f.edge || f.inWindow(f.end) {
		return
	}
	f.changeable()
	for r := range f.held {
		for i, last := range f.rows.last[:len(r)] {
			if r[i] >= last {
				r[i] = null
			}
		}
	}
	f.edge = false
}

// closest returns the diagonal of the cell of the last row closest to the end,
// and its distance, which is -1 where there is no cell.
func (f *approxFront) closest() (k, distance int, ok bool) {
	row := f.m.at(f.s)[:f.Band]
	// max(n-v, m-h) = max(n+k, m) - h, which is beyond all for nulls.
	n, m := int32(f.pattern.n+f.w), int32(f.text.n)
	best := int32(math.MaxInt32)
	for i, h := range row {
		best = min(best, max(n+int32(i), m)-h)
	}
	if int(best) > f.pattern.n+f.text.n {
		return 0, -1, false
	}
	for i, h := range row {
		if max(n+int32(i), m)-h != best {
			continue
		}
		if at := f.w + i; !ok || abs(at-f.end) < abs(k-f.end) {
			k, ok = at, true
		}
	}
	return k, int(best), ok
}

// move shifts the window by some diagonals.
func (f *approxFront) move(by int) {
	f.changeable()
	for r := range f.held {
		shift(r[:f.Band], by, null)
	}
	shift(f.rows.from[:f.Band], by, 0)
	shift(f.rows.ahead[:f.Band], by, 0)
	f.place(f.w + by)
}

// shift moves element i+by to i and fills up.
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
