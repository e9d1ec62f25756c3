package align

// matrix aligns by the plain dynamic program of gap-affine alignment (Gotoh 1982), one column
// per letter of the longer sequence. Its time is the product of the lengths, whatever the
// score, and its state two costs per letter of the shorter sequence.
//
// Costs do not change when the two sequences trade places, so the shorter one may be either.
type matrix struct {
	pen           Penalties
	pattern, text []byte // shorter and longer
	swapped       bool   // the longer sequence is the pattern
	column        row    // H, by letters of the shorter sequence
	gap           []int32
	at            int // columns computed
	lines         replay
}

// maxMatrixScore keeps sums of costs within 32 bits.
const maxMatrixScore = 1 << 30

// load sets the pair and computes column 0.
func (x *matrix) load(pattern, text []byte) {
	x.swapped = len(pattern) > len(text)
	if x.swapped {
		pattern, text = text, pattern
	}
	x.pattern, x.text, x.at = pattern, text, 0
	n := len(pattern) + 1
	x.gap, x.column.buf = roomFor(x.gap, n), roomFor(x.column.buf, n)
	x.column.lo, x.column.hi = 0, n-1
	for v := range n {
		x.column.buf[v] = int32(x.pen.Gap(v))
		x.gap[v] = x.column.buf[v] + int32(x.pen.GapOpen) // no gap ends in column 0
	}
}

// score returns the cost of the end cell after the last column.
func (x *matrix) score() int { return int(x.column.buf[len(x.pattern)]) }

// next computes the next column.
func (x *matrix) next() {
	letter := x.text[x.at]
	x.at++
	mismatch, extend := int32(x.pen.Mismatch), int32(x.pen.GapExtend)
	open := int32(x.pen.GapOpen) + extend
	h := x.column.buf
	diagonal := h[0]
	h[0] = int32(x.pen.Gap(x.at))
	along := h[0] + open // gap state along the column
	h = h[1:]
	gap, pattern := x.gap[1:][:len(h)], x.pattern[:len(h)]
	for i, before := range h {
		g := min(gap[i]+extend, before+open)
		gap[i] = g
		differ := int32(pattern[i] ^ letter)
		c := min(diagonal+mismatch&(-differ>>31), g)
		diagonal = before
		h[i] = min(c, along)
		along = min(along+extend, c+open) // opening from along itself costs no less
	}
}

func (x *matrix) line() *row    { return &x.column }
func (x *matrix) lineSize() int { return len(x.gap) }

func (x *matrix) save(dst []int32) []int32 {
	return append(append(dst, x.column.buf...), x.gap...)
}

func (x *matrix) restore(state []int32, at int) {
	copy(x.column.buf, state)
	copy(x.gap, state[len(x.gap):])
	x.at = at
}

// arrives looks for the first offset: on an optimal alignment the cell before a step has the
// cost s and no less.
func (x *matrix) arrives(s, k, dk, dh, first, _ int) (int, bool) {
	h := first - dh
	v := h - k - dk
	if s < 0 || h < 0 || v < 0 {
		return first, false
	}
	now := first
	if x.swapped {
		v, h, now = h, v, first-k
	}
	// A gap along the column reads the column of the traceback's cell again and again.
	return first, x.lines.at(h, now, now).at(v) == s
}

// matrixBytes is the least storage for a traceback of a pair whose shorter sequence has n
// letters: states in one half of it.
func matrixBytes(n int) int { return 2 * minStates * 2 * 4 * (n + lineHeader) }
