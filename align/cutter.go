package align

// Cutter tells which pairs the approximate mode cuts into pieces: those of which both ends, or one,
// are nearly free of errors, up to a stretch that is not, or up to a long gap. An engine in which the adaptive band of a
// pair runs elsewhere leaves such pairs to package align; see Approx.Cuts. A Cutter is not safe for
// concurrent use.
type Cutter struct {
	kern          *kernels
	flanks        *flanks
	pattern, text sequence
}

// NewCutter returns a Cutter for some penalties, which have been validated.
func NewCutter(p Penalties) *Cutter {
	level, _ := LevelAuto.resolve() // there is always one
	k := kernelsFor(level)
	return &Cutter{kern: k, flanks: newFlanks(k, p)}
}

// Cuts reports whether a pair is cut: at a long gap, or at a middle of at most `most` letters. It is
// not if it cannot be aligned.
func (c *Cutter) Cuts(pattern, text []byte, most int) bool {
	if c.pattern.load(c.kern, pattern, patternPad) != nil || c.text.load(c.kern, text, textPad) != nil {
		return false
	}
	_, _, ok := c.flanks.find(&c.pattern, &c.text, most)
	return ok
}
