package align

import "wfagpu/cigar"

// approximate aligns pairs approximately.
type approximate struct {
	wanted   Approx
	exact    *exact
	adaptive *adaptiveAligner
	pieces   *pieces
	other    cigar.CIGAR // in pieces, beside that of the band
	stats    ApproxStats

	pattern, text *sequence // the pair
}

func newApproximate(x *exact, wanted Approx) *approximate {
	return &approximate{
		wanted: wanted.For(x.pen), exact: x, adaptive: newAdaptiveAligner(x.kern, x.pen, x.memory), pieces: newPieces(x),
	}
}

// align aligns a pair approximately and reports whether it could: in its first band, in pieces, or
// in successively wider bands until it stays in one. Pairs of few errors, and those that have few
// at their ends and cannot be cut, are left to the exact mode.
//
// A score with an alignment is the cost of the alignment, which is in rare cases less than
// the score of score-only mode: see traceback.
func (a *approximate) align(dst cigar.CIGAR, pattern, text *sequence) (int, cigar.CIGAR, bool, error) {
	a.pattern, a.text = pattern, text
	band, ok := a.wanted.First(pattern.n, text.n)
	if !ok {
		return 0, dst, false, nil
	}
	switch a.wanted.Errors(pattern.letters(), text.letters()) {
	case FewErrors:
		return 0, dst, false, nil
	case FewAtEnds:
		return a.inPieces(dst, AnyMiddle)
	}
	cuts, early := a.wanted.Cuts(pattern.n, text.n)
	if early {
		if s, c, done, err := a.inPieces(dst, NoMiddle); done || err != nil {
			return s, c, done, err
		}
	} else if s, c, done, err := a.tryNarrowBand(dst, band); done || err != nil {
		return s, c, done, err
	}
	end := a.run(band)
	if end == bandReached {
		a.stats.Aligned++
		a.exact.costs.observe(a.adaptive.s, pattern.n, text.n)
		return a.doubt(a.finish(dst))
	}
	stop := a.exact.stop
	if cuts && !stopped(stop) {
		if s, c, done, err := a.inPieces(dst, AnyMiddle); done || err != nil {
			return s, c, done, err
		}
	}
	switch ok := a.widen(end, band); {
	case stopped(stop):
		return 0, dst, false, errStopped
	case !ok:
		return 0, dst, false, nil
	}
	return a.finish(dst)
}

// run computes the pair's wavefronts in a band, with rows for a traceback unless a score is enough.
func (a *approximate) run(band AdaptiveBand) bandEnd {
	return a.adaptive.run(a.pattern, a.text, band, !a.exact.scoreOnly, a.exact.stop)
}

// inPieces aligns the pair in pieces and reports whether it can be cut.
func (a *approximate) inPieces(dst cigar.CIGAR, most int) (int, cigar.CIGAR, bool, error) {
	s, c, ok, err := a.pieces.align(dst, a.pattern, a.text, most)
	if ok {
		a.stats.Pieces++
	}
	return s, c, ok, err
}

// doubt aligns the pair in pieces if its score in the first band is doubtful, and chooses the
// better alignment.
func (a *approximate) doubt(s int, c cigar.CIGAR, ok bool, err error) (int, cigar.CIGAR, bool, error) {
	if !ok || err != nil || !a.adaptive.Doubts(a.adaptive.progress.doubtful) {
		return s, c, ok, err
	}
	t, d, done, err := a.pieces.align(a.other[:0], a.pattern, a.text, DoubtedMiddle(a.exact.pen, s))
	if err != nil || !done {
		return s, c, err == nil, err
	}
	a.other = d
	if t < s {
		a.stats.Aligned--
		a.stats.Pieces++
		s, c = t, append(c[:0], d...)
	}
	return s, c, true, nil
}

// widen aligns the pair, which has ended in band as end tells, in successively wider bands while it
// drifts out, and reports whether it has reached the end.
func (a *approximate) widen(end bandEnd, band AdaptiveBand) bool {
	for end == bandDrifted {
		a.stats.Widened++
		var ok bool
		if band, ok = a.wanted.Wider(band); !ok {
			break
		}
		end = a.run(band)
	}
	if end != bandReached {
		a.stats.Fallback++
		return false
	}
	a.stats.Aligned++
	return true
}

// finish finishes the pair, whose band has reached the end.
func (a *approximate) finish(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	if a.exact.scoreOnly {
		return a.adaptive.s, dst, true, nil
	}
	c, cost, err := a.adaptive.traceback(dst)
	return cost, c, true, err
}

// ApproxStats counts the pairs of the approximate mode. Those that are too short for it are
// counted in Stats alone.
type ApproxStats struct {
	Aligned  int64 // aligned within an adaptive band
	Pieces   int64 // aligned in pieces, each of them exactly
	Widened  int64 // restarts of pairs in a wider band, or exactly
	Fallback int64 // aligned exactly in the end, and also counted in Stats
}

func (s *ApproxStats) add(t ApproxStats) {
	s.Aligned += t.Aligned
	s.Pieces += t.Pieces
	s.Widened += t.Widened
	s.Fallback += t.Fallback
}
