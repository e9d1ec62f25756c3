package align

import "wfagpu/cigar"

// Pieces are the parts of a pair that the approximate mode has cut, in their order: the flank
// before a structural variant, the middle, and the flank behind it. Together they are the pair.
// Each is aligned alone, as its mode says; the costs add up, and the alignments are joined.
type Pieces [3]Piece

// Piece is a part of a pair. Both of its sequences may be empty.
type Piece struct {
	Place
	Mode PieceMode
	// Expected is a reduced cost that the alignment is likely not to exceed, -1 if nothing is
	// known of it. No result depends on it.
	Expected int
	// Similar tells of a banded piece that its cost is likely to be Certified.
	Similar bool
}

// PieceMode is how a piece is aligned.
type PieceMode uint8

const (
	// PieceExact: exactly.
	PieceExact PieceMode = iota
	// PieceBanded: by a Bander, or exactly if it does not take the piece.
	PieceBanded
)

// Certified reports whether a piece whose exact alignment has some reduced cost has the same
// alignment in a band.
func (p *Piece) Certified(pen Penalties, cost int) bool {
	end := p.TextEnd - p.TextBegin - (p.PatternEnd - p.PatternBegin)
	first := baseAround(end, pieceBand)
	spare := min(min(0, end)-first, first+pieceBand-1-max(0, end))
	return spare >= 0 && cost < pen.leave(end, spare) && cost <= maxBandScore
}

// Of returns the letters of the piece of a pair's sequences.
func (p *Piece) Of(pattern, text []byte) (piecePattern, pieceText []byte) {
	return pattern[p.PatternBegin:p.PatternEnd], text[p.TextBegin:p.TextEnd]
}

// Joined appends the alignment of a piece to that of the pieces before it.
func Joined(dst, piece cigar.CIGAR) cigar.CIGAR {
	if len(piece) == 0 {
		return dst
	}
	return append(dst.AppendElem(piece[0], piece[0].Len()), piece[1:]...)
}

// cutAt returns the pieces of a pair of n and m letters that is cut in two cells.
func cutAt(before, behind cell, n, m int) Pieces {
	return Pieces{
		{Place: Place{0, before.v, 0, before.h}, Expected: -1},
		{Place: Place{before.v, behind.v, before.h, behind.h}, Expected: -1},
		{Place: Place{behind.v, n, behind.h, m}, Expected: -1},
	}
}
