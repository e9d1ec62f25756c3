package align

import (
	"math"
	"slices"

	"wfagpu/cigar"
)

// AlignApprox is the approximate mode without pieces and without the exact mode behind it: score
// is what score-only mode reports, cost what the alignment costs. a is neither
// score-only nor exact.
func (a *Aligner) AlignApprox(pattern, text []byte) (score, cost int, c cigar.CIGAR, ok bool, err error) {
	if err := a.load(pattern, text); err != nil {
		return 0, 0, nil, false, err
	}
	band, ok := a.wanted.First(a.pattern.n, a.text.n)
	if !ok || !a.widen(a.approx.run(&a.pattern, &a.text, band, true, nil), band, true) {
		return 0, 0, nil, false, nil
	}
	score = a.approx.s
	c, cost, err = a.approx.traceback(nil)
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
	score, c, ok, err = a.tryPieces(nil, most)
	return score * a.model.Scale, c, ok, err
}

// The methods that AlignBy knows.
const (
	ByWavefronts     = "wavefronts"
	ByCheckpoints    = "wavefronts with checkpoints everywhere"
	ByFewCheckpoints = "wavefronts with checkpoints"
	ByTrimmed        = "trimmed wavefronts"
	ByNarrow         = "narrow wavefronts"
	ByBand           = "a band with all costs"
	ByBlocks         = "a band with costs in blocks"
	ByGroup          = "a group of bands"
	ByMatrix         = "the matrix"
	ByDirected       = "directed wavefronts"
	ByMatrixParts    = "the matrix in parts"
	ByDirectedParts  = "directed wavefronts in parts"
	ByEditNarrow     = "narrow wavefronts of edit distance"
	ByEditTiles      = "edit distance with tiles"
	ByEditCells      = "edit distance with cells"
	ByEditStates     = "edit distance with states"
)

// Methods lists those of the code path.
func Methods(a *Aligner) []string {
	m := []string{ByWavefronts, ByCheckpoints, ByFewCheckpoints, ByMatrix, ByDirected, ByMatrixParts, ByDirectedParts, ByTrimmed}
	if a.narrow != nil {
		m = append(m, ByNarrow)
	}
	if a.band != nil {
		m = append(m, ByBand, ByBlocks)
	}
	if len(a.groups) > 0 {
		m = append(m, ByGroup)
	}
	if a.edit != nil {
		m = append(m, EditMethods()...)
		if a.edit.narrow != nil {
			m = append(m, ByEditNarrow)
		}
	}
	return m
}

// AlignBy aligns a pair, whose optimal score is known, by one method. ok is false where that is
// not for the pair.
func AlignBy(a *Aligner, method string, pattern, text []byte, optimum int) (score int, c cigar.CIGAR, ok bool, err error) {
	if err := a.load(pattern, text); err != nil {
		return 0, nil, false, err
	}
	s, c, ok, err := alignBy(a, method, optimum/a.model.Scale)
	return s * a.model.Scale, c, ok, err
}

func alignBy(a *Aligner, method string, optimum int) (s int, c cigar.CIGAR, ok bool, err error) {
	switch method {
	case ByWavefronts:
		w := a.waves
		for w.start(&a.pattern, &a.text, true); !w.reached(); w.step() {
		}
		c, err = w.traceback(nil)
		return w.s, c, true, err
	case ByCheckpoints, ByFewCheckpoints:
		defer func(l int) { a.checks.least = l }(a.checks.least)
		if method == ByCheckpoints {
			a.checks.least = 1
		}
		a.waves.start(&a.pattern, &a.text, true)
		bound := a.bounds.find(1 << 30)
		a.waves.limit(bound)
		s, c, err = a.checks.align(nil, a.waves, bound, 1, nil)
		return s, c, true, err
	case ByTrimmed:
		d := a.seeded
		if !d.along.run(&a.pattern, &a.text) {
			return 0, nil, false, nil
		}
		defer func(b *banded) { a.band = b }(a.band)
		a.band = nil // which may cost less
		bound := d.along.cost
		d.seeds.find(&a.pattern, &a.text, d.along.errors, bound)
		least := d.seeds.least(0, 0)
		return a.trimmed(nil, least, min(1, bound-least), bound)
	case ByNarrow:
		n := a.narrow
		if optimum > n.certified(a.text.n-a.pattern.n) {
			return 0, nil, false, nil
		}
		n.start(&a.pattern, &a.text)
		if !n.upTo(optimum) {
			return 0, nil, false, errBand
		}
		c, err = n.traceback(nil, &a.pattern, &a.text)
		return n.args.score, c, true, err
	case ByEditNarrow:
		n := a.edit.narrow
		if optimum > n.certified(len(n.run)*narrowLanes, a.text.n-a.pattern.n) {
			return 0, nil, false, nil
		}
		if !n.align(&a.pattern, &a.text, optimum) {
			return 0, nil, false, errBand
		}
		c, err = n.traceback(nil, &a.pattern, &a.text)
		return n.args.score, c, true, err
	case ByGroup:
		for _, g := range a.groups {
			if optimum > g.certified(a.text.n-a.pattern.n, a.text.n+a.pattern.n) {
				continue
			}
			m := &g.members[0]
			a.exchange(m)
			defer a.exchange(m)
			m.band.load(&m.pattern, &m.text)
			g.used = 1
			g.run()
			g.used = 0
			s = m.score()
			c, err = m.band.traceback(nil, s)
			return s, c, true, err
		}
		return 0, nil, false, nil
	case ByMatrix, ByMatrixParts, ByDirected, ByDirectedParts:
		u := &a.unequal
		defer func(m int) { u.memory = m }(u.memory)
		if method == ByMatrixParts || method == ByDirectedParts {
			u.memory = 1
		}
		if method == ByMatrix || method == ByMatrixParts {
			s, c, err = u.alignMatrix(nil)
			return s, c, true, err
		}
		return u.alignDirected(nil, math.Inf(1), math.Inf(1))
	}
	if keep := slices.Index(EditMethods(), method); keep >= 0 {
		s, c, how, err := a.alignEdit(editKeep(keep+1), optimum)
		return s, c, how == editFound, err
	}
	b := a.band
	b.load(&a.pattern, &a.text)
	b.allow(b.reach(optimum))
	if method == ByBlocks {
		b.costs.span = blockRows
		s = b.pruned(optimum, true)
	} else {
		s = b.fixed(true)
	}
	c, err = b.traceback(nil, s)
	return s, c, true, err
}

// ApproxStats counts the pairs so far.
func (a *Aligner) ApproxStats() ApproxStats { return a.approxStats }

// ApproxHistory is the size of what is stored for tracebacks of the approximate mode, in bytes.
// Blocks are counted as far as they have been used.
func ApproxHistory(a *Aligner) (n int) {
	k := &a.approx.history
	for i := range k.segments {
		n += k.segments[i].arena.most
	}
	for _, c := range k.checks {
		n += cap(c.ring)
	}
	return 4 * n
}

// AlignUnequal aligns a pair by the methods for unequal pairs. ok is false where the others are
// chosen.
func AlignUnequal(a *Aligner, pattern, text []byte) (score int, c cigar.CIGAR, ok bool, err error) {
	a.unequal.worth = 3e4
	if err := a.load(pattern, text); err != nil {
		return 0, nil, false, err
	}
	if a.band != nil {
		a.band.load(&a.pattern, &a.text)
	}
	s, c, ok, err := a.tryUnequal(nil)
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
	n := size(&a.unequal.matrix.lines)
	if d := a.unequal.directed; d != nil {
		n += size(&d.lines)
	}
	return n
}

// CheckpointStorage is the size of what wavefronts with checkpoints store for tracebacks, in bytes,
// and the number of states.
func CheckpointStorage(a *Aligner) (bytes, states int) {
	c := a.checks
	return 4 * (a.waves.arena.most + c.back.arena.most + c.held), len(c.states) + len(c.spare)
}

// EditMethods are those for penalties 1,0,1, in the order of editKeep.
func EditMethods() []string { return []string{ByEditTiles, ByEditCells, ByEditStates} }

// alignEdit aligns the loaded pair, of which no sequence is empty, by edit distance, for alignments of at most bound.
func (a *Aligner) alignEdit(keep editKeep, bound int) (s int, c cigar.CIGAR, how editOutcome, err error) {
	e := a.edit
	if min(a.pattern.n, a.text.n) == 0 || !e.load(&a.pattern, &a.text) {
		return 0, nil, editBeyond, nil
	}
	e.spacing = 2
	s, how = e.distance(bound, keep, true)
	if how == editFound && s <= bound {
		c, err = e.trace.run(nil, &e.editState, &a.pattern, &a.text, s, nil)
	}
	return s, c, how, err
}

// AlignEdit aligns a pair by one of EditMethods for alignments of at most bound. found is false if
// none is known; a score above bound is only a bound on the distance, and without an alignment.
func AlignEdit(a *Aligner, method string, pattern, text []byte, bound int) (score int, c cigar.CIGAR, found bool, err error) {
	if err := a.load(pattern, text); err != nil {
		return 0, nil, false, err
	}
	s, c, how, err := a.alignEdit(editKeep(slices.Index(EditMethods(), method)+1), bound)
	return s, c, how == editFound, err
}

// EditStorage is the size of what edit distance stored for the last traceback, in bytes, and its
// number of states.
func EditStorage(a *Aligner) (bytes, states int) {
	return 8 * len(a.edit.kept), len(a.edit.saved)
}
