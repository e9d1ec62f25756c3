package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// Bander aligns pieces in a band of a fixed number of diagonals around those of both ends. It is
// not safe for concurrent use.
type Bander struct {
	kern          *kernels
	band          *banded
	scoreOnly     bool
	memory        int
	pattern, text sequence
}

// NewBander returns a Bander for some penalties, which have been validated and divided by their
// greatest common divisor.
func NewBander(p Penalties, scoreOnly bool) *Bander {
	level, _ := LevelAuto.resolve() // there is always one
	return newBander(kernelsFor(level), p, scoreOnly, DefaultMemory)
}

func newBander(k *kernels, p Penalties, scoreOnly bool, memory int) *Bander {
	band := k.band
	if band == nil {
		band = goBand
	}
	return &Bander{kern: k, band: newBanded(band, p), scoreOnly: scoreOnly, memory: memory}
}

// Align aligns a piece, whose alignment is in dst's storage, and returns its reduced cost. It
// reports whether the cost is low enough for the band. The errors are those of Aligner.Align.
func (b *Bander) Align(pattern, text []byte, dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	if err := b.pattern.load(b.kern, pattern, patternPad); err != nil {
		return 0, dst, false, err
	}
	if err := b.text.load(b.kern, text, textPad); err != nil {
		return 0, dst, false, err
	}
	return b.align(dst[:0], &b.pattern, &b.text, nil)
}

// align is Align; stop, if not nil, interrupts it.
func (b *Bander) align(dst cigar.CIGAR, pattern, text *sequence, stop *atomic.Bool) (int, cigar.CIGAR, bool, error) {
	b.band.stop = stop
	end := text.n - pattern.n
	if base := baseAround(end, pieceBand); min(0, end) < base || max(0, end) >= base+pieceBand {
		return 0, dst, false, nil // the band lacks one of the ends
	}
	b.band.load(pattern, text)
	s := b.band.around(pieceBand, !b.scoreOnly, b.memory)
	switch {
	case stopped(stop):
		return 0, dst, false, errStopped
	case s > maxBandScore:
		return 0, dst, false, nil
	case b.scoreOnly:
		return s, dst, true, nil
	}
	c, err := b.band.traceback(dst, s)
	return s, c, true, err
}
