package align

import "slices"

// adaptiveWavefronts computes the wavefronts of one pair within an adaptive band.
// This comment states the heuristic's rule; all else in this project that follows
// it refers to it. Every engine follows it to the letter, so all report the same
// scores. n and m are the lengths of pattern and text, k = h - v, kEnd = m - n,
// β = Band, λ = Lambda; penalties are divided by their gcd.
//
//   - Rows exist for the scores 0, 1, 2, … and hold M, I and D of the diagonals in
//     the band [w, w+β), at first w = -floor(β/2). Diagonals outside -n..m are
//     always null.
//   - The ring holds what later scores read of those up to s: M of the last
//     max(x, o) scores, and, for t = s+1 … s+e, what gaps come from,
//     fromI[t,k] = max(M[t-o-e,k], I[t-e,k]), and fromD likewise.
//     Then I[t,k] = fromI[t,k+1], D[t,k] = fromD[t,k-1] + 1, and
//     M[t,k] = max(M[t-x,k] + 1, I[t,k], D[t,k]), each limited to the end of the
//     diagonal, last(k) = min(m, n+k). M is then extended along matches.
//     Row 0 is M[0,0] = 0, extended.
//   - It ends at the first score s with kEnd in the band and M[s,kEnd] = m. That s
//     is the score.
//   - Otherwise, when s > 0 is a multiple of λ, the band is adjusted:
//     a. If kEnd is outside the band, every cell of the ring at the end of its
//     diagonal becomes null.
//     b. Of the cells of M[s] that are not null, the nearest to the end is the one
//     with the least max(n-v, m-h); of several, the one on the diagonal nearest to
//     kEnd, then on the smaller diagonal. It has drifted d = k - (w + floor(β/2))
//     diagonals from the band's middle, and the band moves towards it by
//     min(|d|, ceil(4λ|d| / 3β)). Without such a cell the band stays.
//     The pair has drifted out of the band if |d| exceeds MaxDrift, or if it stalls:
//     if at a StallInterval-th adjustment the distance has become smaller since the
//     last such one (at first since the start, from max(n, m)) by less than half of
//     the most that it did so before, or by less than 5/2x for each score since. By less than
//     that at a ceil(StallInterval/6)-th adjustment, since the last such one, its score will be
//     doubtful; see AdaptiveBand.Doubts.
//     c. Cells that leave the band are dropped; those that enter it are null.
//     d. a. again, with the new band.
//   - It loses the pair when all cells of the ring are null, or when s exceeds the score
//     bound (Penalties.Worst). Both are final, so it does not matter how often they
//     are tested.
//
// The paper (Aguado-Puig et al. 2023, section 2.3.5) centres the band on the nearest
// cell at once. On noisy reads that cell is often a chance: wavefronts of wrong
// diagonals get ahead for a while. Moving by degrees, all the way in about 3β/4
// scores, averages over such chances. It finds more optima on the noisiest reads, for
// a few more diagonals where gaps are longer than a band (scripts/RESULTS-approx.md).
// And a large drift tells that the band has lost the alignment.
//
// The score is an upper bound on the optimum. A cell (k,h) of M[s] claims that the
// prefixes up to it can be aligned at a cost of s or less (I and D: with a gap at the
// end that is paid for). Each step of the recurrence appends columns that are paid
// for, and dropping cells only removes claims. Limiting keeps them true: a mismatch
// beyond the end of a diagonal claims for the last cell what that has at a lower cost
// already. A deletion beyond the text's end goes from (v+1,m) to (v,m) for e or more;
// that one costs no more than e above the former's cost with a deletion at the end,
// and o+e without: drop the letter v from an alignment of v+1 letters, and with it an
// insertion, or put its partner into a gap, which lengthens the deletion behind it if
// there is one. Insertions beyond the pattern's end likewise.
//
// Step a. concerns cells on an edge of the matrix. Only one gap leads on from there.
// Where the band has cut that gap off, cells would wait on the edge, at a rising cost,
// for the band to come.
type adaptiveWavefronts struct {
	kern *kernels
	pen  Penalties // divided by their gcd

	pattern, text *sequence
	end           int // kEnd
	AdaptiveBand
	still bool // the band has all diagonals of the pair, and stays

	s          int // score of the last row
	w          int // first diagonal of the band
	nextAdjust int // score at which the band is adjusted next
	nextTest   int // score from which on all cells may be null
	distance   int // of the nearest cell from the end at the last adjustment, or -1
	edge       bool
	args       adaptiveArgs
	rows       adaptiveRows
	into       *bandSegment // where M rows are stored; nil for the ring alone
}

func newAdaptiveWavefronts(k *kernels, pen Penalties) adaptiveWavefronts {
	return adaptiveWavefronts{kern: k, pen: pen, rows: newAdaptiveRows(pen)}
}

// load sets the pair and the band. The middle of a band stays among the diagonals of the cells, from -n to m: where the
// band has twice as many, none ever leaves it, or drifts too far, and these diagonals alone have the same cells.
func (f *adaptiveWavefronts) load(pattern, text *sequence, band AdaptiveBand) {
	f.pattern, f.text = pattern, text
	f.end, f.AdaptiveBand = text.n-pattern.n, band
	all := pattern.n + text.n + 1
	if f.still = 2*all <= band.Band && all <= band.MaxDrift; f.still {
		f.Band = all
	}
	f.args.pattern, f.args.text = (*byte)(pattern.first()), (*byte)(text.first())
	f.args.textLen = int32(text.n)
	f.rows.layout(f.Band, &f.args)
}

// begin computes row 0.
func (f *adaptiveWavefronts) begin() {
	f.s, f.nextAdjust, f.edge = 0, f.Lambda, false
	f.rows.clear()
	if f.still {
		f.place(-f.pattern.n)
	} else {
		f.place(-(f.Band / 2))
	}
	before := f.ringM()
	f.rows.m = f.block(-before, before+blockScores)
	r := f.rows.m.at(0)
	fillNull(f.rows.m.buf[:(before+1)*f.rows.width]) // scores before 0 have no cells
	r[-f.w] = 0
	extend(r[-f.w:][:1], 0, f.pattern.first(), f.text.first())
	f.storeRows()
	f.noteFurthest(r[-f.w])
	if f.pen.GapOpen == 0 {
		f.rows.openGaps(0, &f.pen)
	}
}

// block returns one for the M rows of some scores from first on, with undefined contents.
func (f *adaptiveWavefronts) block(first, scores int) mBlock {
	r := &f.rows
	b, n := mBlock{first: first, width: r.width}, scores*r.width
	if g := f.into; g != nil {
		b.buf = g.arena.take(n)
	} else {
		r.own = roomFor(r.own, n)
		b.buf = r.own
	}
	return b
}

// nextScores is the number of scores of the next block of M rows, besides those before them, where so many follow. Where rows are
// stored it is as many as are copied, or more.
func (f *adaptiveWavefronts) nextScores(follow int) int {
	scores := min(blockScores, follow)
	if f.into == nil {
		return scores
	}
	return max(scores, f.ringM())
}

// room goes on in a block of M rows that begins with copies of those that the next scores read,
// behind which some more have room.
func (f *adaptiveWavefronts) room(scores int) {
	old, copies := f.rows.m, f.ringM()
	if f.into != nil {
		f.into.arena.giveBack(old.buf[(f.s+1-old.first)*old.width:])
	}
	f.rows.m = f.block(f.s+1-copies, copies+scores)
	// The rows to copy may stand in the same storage.
	copy(f.rows.m.buf[:copies*old.width], old.buf[(f.s+1-copies-old.first)*old.width:])
}

// place makes w the first diagonal of the band.
func (f *adaptiveWavefronts) place(w int) {
	f.w = w
	f.args.k0 = int32(w)
	last := f.rows.last[:f.Band]
	from := min(max(0, -f.pattern.n-w), f.Band)
	to := max(from, min(f.Band, f.text.n-w+1))
	fillNull(last[:from])
	for i := from; i < to; i++ {
		last[i] = int32(f.last(w + i))
	}
	fillNull(last[to:])
}

// last returns the offset at the end of diagonal k.
func (f *adaptiveWavefronts) last(k int) int { return min(f.text.n, f.pattern.n+k) }

func (f *adaptiveWavefronts) inBand(k int) bool { return k >= f.w && k < f.w+f.Band }

func (f *adaptiveWavefronts) reached() bool {
	return f.inBand(f.end) && int(f.rows.m.at(f.s)[f.end-f.w]) >= f.text.n
}

// empty reports whether all cells of the ring are null. The test is slow, and made only where
// the rows of M have been null for as many scores as a step costs.
func (f *adaptiveWavefronts) empty() bool {
	if f.s < f.nextTest {
		return false
	}
	f.nextTest = f.s + f.pen.LongestStep()
	for r := range f.ring {
		if slices.ContainsFunc(r, func(h int32) bool { return h >= 0 }) {
			return false
		}
	}
	return true
}

// ring yields the rows that later scores read.
func (f *adaptiveWavefronts) ring(yield func(r []int32) bool) {
	for i := range f.ringM() {
		if !yield(f.rows.m.at(f.s - i)) {
			return
		}
	}
	for s := f.s + 1; s <= f.s+f.pen.GapExtend; s++ {
		if !yield(f.rows.fromI.at(s)) || !yield(f.rows.fromD.at(s)) {
			return
		}
	}
}

// ringM is the number of M rows among them, ringRows that of all.
func (f *adaptiveWavefronts) ringM() int    { return max(f.pen.Mismatch, f.pen.GapOpen) }
func (f *adaptiveWavefronts) ringRows() int { return f.ringM() + 2*f.pen.GapExtend }

// advance computes the next rows up to score to, which is larger than s, or some of them, or up to
// that which reaches the end.
func (f *adaptiveWavefronts) advance(to int) {
	p, a, r := &f.pen, &f.args, &f.rows
	s := f.s + 1
	if s == r.m.end() {
		f.room(f.nextScores(to - f.s))
	}
	a.scores = min(to, r.m.end()-1) - f.s
	a.mo = &r.none[0]
	if p.GapOpen > 0 {
		a.mo = &r.m.at(s - p.GapOpen)[0]
	} else {
		a.scores = 1
	}
	a.mx, a.outM = &r.m.at(s - p.Mismatch)[0], &r.m.at(s)[0]
	a.in, a.out = 4*r.fromI.index(s), 4*r.fromI.index(s+p.GapExtend)
	a.end = -1
	if f.inBand(f.end) {
		a.end = f.end - f.w
	}
	f.kern.adaptive(a)
	f.s += a.done
	f.storeRows()
	f.noteFurthest(a.furthest)
	if p.GapOpen == 0 { // they open from the row itself
		r.openGaps(s, p)
	}
}

// storeRows stores the M rows up to score s if rows are stored.
func (f *adaptiveWavefronts) storeRows() {
	if g := f.into; g != nil {
		g.store(&f.rows.m, f.s, f.w)
	}
}

// noteFurthest takes the largest offset of M rows. While none is at the end of any
// diagonal, no cell is: gap states are no further than the M of their score.
func (f *adaptiveWavefronts) noteFurthest(h int32) {
	f.args.furthest = h
	if h >= 0 {
		f.nextTest = f.s + f.pen.LongestStep()
	}
	f.edge = f.edge || int(h) >= f.last(max(f.w, -f.pattern.n))
}
