package align

// Cutter cuts pairs into pieces in the approximate mode: those of which both ends, or one, are
// nearly free of errors, up to a stretch that is not, or up to a long gap. An engine in which the
// adaptive band of a pair runs elsewhere aligns the pieces as a Cutter says; see Approx.Cuts. A
// Cutter is not safe for concurrent use.
type Cutter struct {
	kern          *kernels
	pen           Penalties
	flanks        *flanks
	junction      *junction
	pattern, text sequence
}

// NewCutter returns a Cutter for some penalties, which have been validated and divided by their
// greatest common divisor.
func NewCutter(p Penalties) *Cutter {
	level, _ := LevelAuto.resolve() // there is always one
	return newCutter(kernelsFor(level), p)
}

func newCutter(k *kernels, p Penalties) *Cutter {
	return &Cutter{kern: k, pen: p, flanks: newFlanks(k, p), junction: newJunction(k, p)}
}

// Cut cuts a pair: at a long gap, or at a middle of at most `most` letters. It reports whether it
// did, which it does not if the pair cannot be aligned.
func (c *Cutter) Cut(pattern, text []byte, most int) (Pieces, bool) {
	if c.pattern.load(c.kern, pattern, patternPad) != nil || c.text.load(c.kern, text, textPad) != nil {
		return Pieces{}, false
	}
	return c.cut(&c.pattern, &c.text, most)
}

const (
	pieceCells = 1 << 20 // most offsets of directed wavefronts in a middle
	pieceBand  = 1024    // diagonals of the band for a middle
	pieceWords = 16      // words of a middle that are looked for
)

// cut is Cut. The middle is a long gap alone or what is between the flanks.
func (c *Cutter) cut(pattern, text *sequence, most int) (Pieces, bool) {
	before, behind, costs, ok := c.flanks.find(pattern, text, most)
	if !ok {
		return Pieces{}, false
	}
	difference := abs(behind.h - before.h - behind.v + before.v)
	from, to, cost := c.junction.find(pattern.letters()[before.v:behind.v], text.letters()[before.h:behind.h])
	middle := -1 // its expected cost
	if cost >= 0 {
		from, to = cell{before.v + from.v, before.h + from.h}, cell{before.v + to.v, before.h + to.h}
		gap := max(to.v-from.v, to.h-from.h)
		beside := cost + c.pen.GapExtend*(difference-gap)
		middle = beside + c.pen.Gap(gap)
		if cost*gap > pieceCells || c.alone(pattern, text, from, to) {
			before, behind = from, to
			costs[0], costs[1] = costs[0]+beside, costs[1]+beside
		}
	}
	p := cutAt(before, behind, pattern.n, text.n)
	p[0].Expected, p[1].Expected, p[2].Expected = costs[0], middle, costs[1]
	if n := p[1].letters(); middle < 0 && n >= pieceBand && difference <= junctionGap {
		if near, far := c.related(pattern, text, &p[1]); !far {
			p[1].Mode, p[1].Similar = PieceBanded, near
		}
	}
	return p, true
}

// letters returns the number of letters of the piece's shorter sequence.
func (p *Piece) letters() int { return min(p.PatternEnd-p.PatternBegin, p.TextEnd-p.TextBegin) }

// alone reports whether the letters on both sides of a gap are equal, so that no short runs of
// letters inside it can save an error.
func (c *Cutter) alone(pattern, text *sequence, from, to cell) bool {
	return matchesBefore(pattern.first(), text.first(), from.v, from.h) >= c.flanks.spare &&
		matchesFrom(pattern.first(), text.first(), to.v, to.h) >= c.flanks.spare
}

// related reports whether some words of the piece's pattern, besides the first one, are in its text
// within the band, and whether some are outside it, as they are between two long gaps. Neither is so
// where the text has the other strand.
func (c *Cutter) related(pattern, text *sequence, p *Piece) (near, far bool) {
	g := &c.flanks.fore
	n := p.PatternEnd - p.PatternBegin
	for i := range pieceWords {
		at := i * (n - greedyWord) / pieceWords
		h := g.find(text.first(), p.TextBegin, p.TextEnd, pattern.first(), p.PatternBegin+at)
		switch {
		case h < 0:
		case abs(h-p.TextBegin-at) > pieceBand/4:
			return near, true
		default:
			near = near || i > 0 // it begins in a run of equal letters
		}
	}
	return near, false
}
