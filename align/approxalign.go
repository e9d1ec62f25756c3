package align

import (
	"wfagpu/align/internal/oneband"
	"wfagpu/cigar"
)

// tryApprox aligns the loaded pair approximately and reports whether it could: in its first
// band, in pieces, or in successively wider bands until it stays in one.
//
// A score with an alignment is the cost of the alignment, which is in rare cases less than
// the score of score-only mode: see traceback.
func (a *Aligner) tryApprox(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	band, ok := a.wanted.First(a.pattern.n, a.text.n)
	if !ok {
		return 0, dst, false, nil
	}
	cuts, early := a.wanted.Cuts(a.pattern.n, a.text.n)
	if early {
		if s, c, done, err := a.tryPieces(dst, NoMiddle); done || err != nil {
			return s, c, done, err
		}
	}
	end := a.approx.run(&a.pattern, &a.text, band, !a.scoreOnly, a.stop)
	if end == bandReached {
		a.approxStats.Aligned++
		return a.doubt(a.fromAdaptive(dst))
	}
	if cuts && !stopped(a.stop) {
		if s, c, done, err := a.tryPieces(dst, AnyMiddle); done || err != nil {
			return s, c, done, err
		}
	}
	switch ok := a.widen(end, band, !a.scoreOnly); {
	case stopped(a.stop):
		return 0, dst, false, errStopped
	case !ok:
		return 0, dst, false, nil
	}
	return a.fromAdaptive(dst)
}

// doubt aligns the loaded pair in pieces if its score in the first band is doubtful, and chooses
// the better alignment.
func (a *Aligner) doubt(s int, c cigar.CIGAR, ok bool, err error) (int, cigar.CIGAR, bool, error) {
	if !ok || err != nil || !a.wanted.Doubts(a.pen, a.pattern.n, a.text.n, s) {
		return s, c, ok, err
	}
	t, d, done, err := a.tryPieces(a.pieces.other[:0], DoubtedMiddle(a.pen, s))
	if err != nil || !done {
		return s, c, err == nil, err
	}
	a.approxStats.Pieces--
	a.pieces.other = d
	if t < s {
		a.approxStats.Aligned--
		a.approxStats.Pieces++
		s, c = t, append(c[:0], d...)
	}
	return s, c, true, nil
}

// widen aligns the loaded pair, which has ended in band as end tells, in successively wider bands
// while it drifts out, and reports whether it has reached the end. keep stores rows for a
// traceback.
func (a *Aligner) widen(end bandEnd, band AdaptiveBand, keep bool) bool {
	for end == bandDrifted {
		a.approxStats.Widened++
		var ok bool
		if band, ok = a.wanted.Wider(band); !ok {
			break
		}
		end = a.approx.run(&a.pattern, &a.text, band, keep, a.stop)
	}
	if end != bandReached {
		a.approxStats.Fallback++
		return false
	}
	a.approxStats.Aligned++
	return true
}

// fromAdaptive finishes a pair whose adaptive band has reached the end.
func (a *Aligner) fromAdaptive(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	if a.scoreOnly {
		return a.approx.s, dst, true, nil
	}
	c, cost, err := a.approx.traceback(dst)
	return cost, c, true, err
}

func init() {
	oneband.Align = func(aligner any, pattern, text []byte, band any) (oneband.Result, error) {
		return alignBand(aligner.(*Aligner), pattern, text, band.(AdaptiveBand))
	}
}

// alignBand aligns a pair within one band; see oneband.
func alignBand(a *Aligner, pattern, text []byte, band AdaptiveBand) (r oneband.Result, err error) {
	if err := a.load(pattern, text); err != nil {
		return r, err
	}
	switch a.approx.run(&a.pattern, &a.text, band, !a.scoreOnly, nil) {
	case bandDrifted:
		r.Drifted = true
	case bandLost:
		r.Lost = true
	default:
		r.Score = a.approx.s * a.model.Scale
		if !a.scoreOnly {
			r.CIGAR, r.Cost, err = a.approx.traceback(nil)
			r.Cost *= a.model.Scale
		}
	}
	return r, err
}

// ApproxStats counts the pairs of the approximate mode. Those that are too short for it are
// counted in Stats alone.
type ApproxStats struct {
	Aligned  int64 // aligned within an adaptive band
	Pieces   int64 // aligned in pieces, each of them exactly
	Widened  int64 // restarts of pairs in a wider band, or exactly
	Fallback int64 // aligned exactly in the end, and also counted in Stats
}

// ApproxStats returns the counts of all workers so far. It waits for busy workers.
func (e *Engine) ApproxStats() ApproxStats {
	var s ApproxStats
	e.each(func(a *Aligner) {
		s.Aligned += a.approxStats.Aligned
		s.Pieces += a.approxStats.Pieces
		s.Widened += a.approxStats.Widened
		s.Fallback += a.approxStats.Fallback
	})
	return s
}
