package align

import (
	"errors"
	"math"
	"slices"

	"wfagpu/cigar"
)

// loadExact loads a pair and sets it for the exact methods.
func (a *Aligner) loadExact(pattern, text []byte) (*exact, error) {
	x := a.exact
	x.pattern, x.text = &a.pattern, &a.text
	return x, a.load(pattern, text)
}

// AlignApprox is the approximate mode without pieces and without the exact mode behind it: score
// is what score-only mode reports, cost what the alignment costs. a is neither
// score-only nor exact.
func (a *Aligner) AlignApprox(pattern, text []byte) (score, cost int, c cigar.CIGAR, ok bool, err error) {
	if err := a.load(pattern, text); err != nil {
		return 0, 0, nil, false, err
	}
	x := a.approx
	x.pattern, x.text = &a.pattern, &a.text
	band, ok := x.wanted.First(a.pattern.n, a.text.n)
	if !ok || !x.widen(x.run(band), band) {
		return 0, 0, nil, false, nil
	}
	score = x.adaptive.s
	c, cost, err = x.adaptive.traceback(nil)
	return score * a.model.Scale, cost * a.model.Scale, c, true, err
}

// AlignPieces aligns a pair in pieces, and reports whether it can be cut.
func AlignPieces(a *Aligner, pattern, text []byte, early bool) (score int, c cigar.CIGAR, ok bool, err error) {
	if err := a.load(pattern, text); err != nil {
		return 0, nil, false, err
	}
	most := AnyMiddle
	if early {
		most = NoMiddle
	}
	score, c, ok, err = a.approx.pieces.align(nil, &a.pattern, &a.text, most)
	return score * a.model.Scale, c, ok, err
}

// The methods that AlignBy knows.
const (
	ByWavefronts     = "wavefronts"
	ByCheckpoints    = "wavefronts with checkpoints everywhere"
	ByFewCheckpoints = "wavefronts with checkpoints"
	ByTrimmed        = "trimmed wavefronts"
	ByGated          = "parts between gates"
	ByNarrow         = "narrow wavefronts"
	ByBand           = "a band with all costs"
	ByBlocks         = "a band with costs in blocks"
	ByGroup          = "a group of bands"
	ByMatrix         = "the matrix"
	ByDirected       = "directed wavefronts"
	ByMatrixParts    = "the matrix in parts"
	ByDirectedParts  = "directed wavefronts in parts"
	ByPlanes         = "a band of planes"
	BySweep          = "a sweep"
	BySweepRaised    = "a sweep with a bound that is too low"
	BySweepWhole     = "a sweep of the whole matrix"
	ByEditNarrow     = "narrow wavefronts of edit distance"
	ByEditTiles      = "edit distance with tiles"
	ByEditCells      = "edit distance with cells"
	ByEditStates     = "edit distance with states"
)

// Methods lists those of the code path.
func Methods(a *Aligner) []string {
	x := a.exact
	m := []string{ByWavefronts, ByCheckpoints, ByFewCheckpoints, ByMatrix, ByDirected, ByMatrixParts, ByDirectedParts, ByTrimmed, ByGated}
	if x.few.narrow != nil {
		m = append(m, ByNarrow)
	}
	if x.band != nil {
		m = append(m, ByBand, ByBlocks)
	}
	if len(x.groups) > 0 {
		m = append(m, ByGroup)
	}
	if x.planes != nil {
		m = append(m, ByPlanes)
	}
	if x.sweeps != nil {
		m = append(m, BySweep, BySweepRaised, BySweepWhole)
	}
	if x.edit != nil {
		m = append(m, EditMethods()...)
		if x.edit.narrow != nil {
			m = append(m, ByEditNarrow)
		}
	}
	return m
}

// AlignBy aligns a pair, whose optimal score is known, by one method. ok is false where that is
// not for the pair.
func AlignBy(a *Aligner, method string, pattern, text []byte, optimum int) (score int, c cigar.CIGAR, ok bool, err error) {
	x, err := a.loadExact(pattern, text)
	if err != nil {
		return 0, nil, false, err
	}
	s, c, ok, err := alignBy(x, method, optimum/a.model.Scale)
	return s * a.model.Scale, c, ok, err
}

func alignBy(x *exact, method string, optimum int) (s int, c cigar.CIGAR, ok bool, err error) {
	switch method {
	case ByWavefronts:
		w := x.waves
		for w.start(x.pattern, x.text, true); !w.reached(); w.step() {
		}
		c, err = w.traceback(nil)
		return w.s, c, true, err
	case ByCheckpoints, ByFewCheckpoints:
		defer func(l int) { x.checks.least = l }(x.checks.least)
		if method == ByCheckpoints {
			x.checks.least = 1
		}
		x.waves.start(x.pattern, x.text, true)
		bound := x.inBand.bounds.find(1<<30, math.Inf(1))
		x.waves.limit(bound)
		s, c, err = x.checks.align(nil, x.waves, bound, 1, nil)
		return s, c, true, err
	case ByTrimmed:
		d := x.seeded
		d.along = &d.own
		if !d.along.run(x.pattern, x.text) {
			return 0, nil, false, nil
		}
		defer func(b *banded) { d.band, x.band = b, b }(d.band)
		d.band, x.band = nil, nil // which may cost less
		bound := d.along.cost
		d.seeds.find(x.pattern, x.text, d.along.errors, bound)
		least := d.seeds.least(0, 0)
		s, c, end, err := d.trimmed(nil, least, min(1, bound-least), bound)
		switch {
		case err != nil || end == seededNot:
			return 0, nil, false, err
		case end == seededBounds:
			s, c, err = x.alignWithin(nil, s)
		}
		return s, c, true, err
	case ByGated:
		d := x.gated
		if !d.along.run(x.pattern, x.text) {
			return 0, nil, false, nil
		}
		defer func(share float64) { d.share = share }(d.share)
		d.share = math.Inf(1)
		s, c, ok, err := d.align(nil)
		return s, c, ok, err
	case ByNarrow:
		n := x.few.narrow
		if optimum > n.certified(x.text.n-x.pattern.n) {
			return 0, nil, false, nil
		}
		n.start(x.pattern, x.text)
		if !n.upTo(optimum) {
			return 0, nil, false, errBand
		}
		c, err = n.traceback(nil)
		return n.args.score, c, true, err
	case ByEditNarrow:
		n := x.edit.narrow
		if optimum > n.certified(len(n.run)*narrowLanes, x.text.n-x.pattern.n) {
			return 0, nil, false, nil
		}
		if !n.align(x.pattern, x.text, optimum) {
			return 0, nil, false, errBand
		}
		c, err = n.traceback(nil, x.pattern, x.text)
		return n.args.score, c, true, err
	case ByGroup: // all groups that can, which have to agree
		for _, g := range x.groups {
			if optimum > g.certified(x.text.n-x.pattern.n, x.text.n+x.pattern.n) {
				continue
			}
			m := &g.members[0]
			g.add(x.pattern, x.text, 0)
			g.run()
			g.used = 0
			x.pattern, x.text = &m.pattern, &m.text
			t := g.score(m)
			if t == bandInf && g.planes != nil { // letters that planes do not take
				continue
			}
			d, err := g.traceback(nil, m, t)
			if err != nil || ok && (t != s || !slices.Equal(c, d)) {
				return t, d, true, errors.Join(err, errBand)
			}
			s, c, ok = t, d, true
		}
		return s, c, ok, nil
	case BySweep:
		return x.sweeps.try(nil, optimum)
	case BySweepWhole:
		if math.IsInf(x.sweeps.wholeCost(), 1) {
			return 0, nil, false, nil
		}
		s, c, err = x.sweeps.whole(nil)
		return s, c, true, err
	case BySweepRaised:
		return x.sweeps.try(nil, optimum/2)
	case ByPlanes:
		b := x.planes
		b.load(x.pattern, x.text)
		s, ok = b.within(optimum, true, 1<<30)
		if !ok {
			return 0, nil, false, nil
		}
		s, c, err = b.trace.run(nil, x.pattern, x.text, &x.pen)
		return s, c, true, err
	case ByMatrix, ByMatrixParts, ByDirected, ByDirectedParts:
		u := &x.unequal
		defer func(m int) { u.memory = m }(u.memory)
		if method == ByMatrixParts || method == ByDirectedParts {
			u.memory = 1
		}
		if method == ByMatrix || method == ByMatrixParts {
			s, c, err = u.alignCells(nil)
			return s, c, true, err
		}
		return u.alignDirected(nil, math.Inf(1), math.Inf(1))
	}
	if keep := slices.Index(EditMethods(), method); keep >= 0 {
		s, c, how, err := x.alignEdit(editKeep(keep+1), optimum)
		return s, c, how == editFound, err
	}
	b := x.band
	b.load(x.pattern, x.text)
	b.allow(b.reach(optimum))
	if method == ByBlocks {
		b.costs.span = blockRows
		b.broken.load(b.pen, b.pattern.letters(), b.text.letters())
		s = b.pruned(optimum, true)
	} else {
		s = b.fixed(true)
	}
	c, err = b.traceback(nil, s)
	return s, c, true, err
}

// ApproxStats counts the pairs so far.
func (a *Aligner) ApproxStats() ApproxStats { return a.approxStats() }

// TakeShortBands has pairs take a band from autoExact letters on, whatever the penalties.
func TakeShortBands(as ...*Aligner) {
	for _, a := range as {
		a.approx.wanted.from = 0
	}
}

// ApproxHistory is the size of what is stored for tracebacks of the approximate mode, in bytes.
// Blocks are counted as far as they have been used.
func ApproxHistory(a *Aligner) (n int) {
	k := &a.approx.adaptive.history
	for i := range k.segments {
		n += k.segments[i].arena.most
	}
	for _, c := range k.checks {
		n += cap(c.offsets)
	}
	return 4 * n
}

// AlignUnequal aligns a pair by the methods for unequal pairs. ok is false where the others are
// chosen.
func AlignUnequal(a *Aligner, pattern, text []byte) (score int, c cigar.CIGAR, ok bool, err error) {
	x, err := a.loadExact(pattern, text)
	if err != nil {
		return 0, nil, false, err
	}
	x.unequal.worth = 3e4
	if x.band != nil {
		x.band.load(x.pattern, x.text)
	}
	s, c, ok, err := x.tryUnequal(nil)
	return s * a.model.Scale, c, ok, err
}

// UnequalStorage is the size of what those methods store for tracebacks, in bytes.
func UnequalStorage(a *Aligner) int {
	size := func(r *replay) int {
		n := r.arena.most + cap(r.held.buf)
		for _, s := range r.states {
			n += cap(s.data)
		}
		for _, s := range r.spare {
			n += cap(s)
		}
		return 4 * (n + lineHeader*cap(r.block))
	}
	n := size(&a.exact.unequal.matrix.lines)
	if d := a.exact.unequal.directed; d != nil {
		n += size(&d.lines)
	}
	if w := a.exact.sweeps; w != nil {
		narrow, _ := w.sweep.narrow.cells.stored()
		wide, _ := w.sweep.wide.cells.stored()
		n += 2*narrow + 4*wide
	}
	return n
}

// CheckpointStorage is the size of what wavefronts with checkpoints store for tracebacks, in bytes,
// and the number of states.
func CheckpointStorage(a *Aligner) (bytes, states int) {
	x := a.exact
	c := x.checks
	return 4 * (x.waves.arena.most + c.back.arena.most + c.held), len(c.states) + len(c.spare)
}

// EditMethods are those for penalties 1,0,1, in the order of editKeep.
func EditMethods() []string { return []string{ByEditTiles, ByEditCells, ByEditStates} }

// alignEdit aligns the loaded pair, of which no sequence is empty, by edit distance, for alignments of at most bound.
func (a *exact) alignEdit(keep editKeep, bound int) (s int, c cigar.CIGAR, how editOutcome, err error) {
	e := a.edit
	if min(a.pattern.n, a.text.n) == 0 || !e.load(a.pattern, a.text) {
		return 0, nil, editBeyond, nil
	}
	e.spacing = 2
	s, how = e.distance(bound, keep, true)
	if how == editFound && s <= bound {
		c, err = e.trace.run(nil, &e.editState, a.pattern, a.text, s, nil)
	}
	return s, c, how, err
}

// AlignEdit aligns a pair by one of EditMethods for alignments of at most bound. found is false if
// none is known; a score above bound is only a bound on the distance, and without an alignment.
func AlignEdit(a *Aligner, method string, pattern, text []byte, bound int) (score int, c cigar.CIGAR, found bool, err error) {
	x, err := a.loadExact(pattern, text)
	if err != nil {
		return 0, nil, false, err
	}
	s, c, how, err := x.alignEdit(editKeep(slices.Index(EditMethods(), method)+1), bound)
	return s, c, how == editFound, err
}

// EditStorage is the size of what edit distance stored for the last traceback, in bytes, and its
// number of states.
func EditStorage(a *Aligner) (bytes, states int) {
	return 8 * len(a.exact.edit.kept), len(a.exact.edit.saved)
}
