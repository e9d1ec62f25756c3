package align

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wfagpu/cigar"
)

// Scoring is what users say about the value of alignments. With Match 0 scores are
// penalties, which are minimised: a match costs nothing. With Match above 0 they are
// similarities, which are maximised: a match is worth Match, and all else is subtracted.
type Scoring struct {
	Penalties     // of mismatches and gaps
	Match     int // 0..255
	// LongGap, if not zero, is a second cost of gaps: each has the lesser of the two.
	LongGap Gap
}

// Validate reports whether the values are in range.
func (s Scoring) Validate() error {
	if err := s.Penalties.Validate(); err != nil {
		return err
	}
	if s.Match < 0 || s.Match > MaxPenalty {
		return fmt.Errorf("match score %d is outside 0..%d", s.Match, MaxPenalty)
	}
	if g := s.LongGap; g != (Gap{}) {
		long := Penalties{s.Mismatch, g.Open, g.Extend}
		if err := long.Validate(); err != nil {
			return fmt.Errorf("second gap cost: %w", err)
		}
		if g.Open <= s.GapOpen || g.Extend >= s.GapExtend {
			return errors.New("the second gap cost must have the higher open and the lower extend penalty")
		}
	}
	return nil
}

// String returns the penalties as ParseScoring reads them, without the match score.
func (s Scoring) String() string {
	if s.LongGap == (Gap{}) {
		return s.Penalties.String()
	}
	return fmt.Sprintf("%v,%d,%d", s.Penalties, s.LongGap.Open, s.LongGap.Extend)
}

// Values are what the columns of an alignment are worth.
func (s Scoring) Values() cigar.Values {
	return cigar.Values{
		Match: s.Match, Mismatch: s.Mismatch, GapOpen: s.GapOpen, GapExtend: s.GapExtend,
		LongOpen: s.LongGap.Open, LongExtend: s.LongGap.Extend,
	}
}

// ParsePenalties reads "x,o,e", or "edit" for EditPenalties, and validates it.
func ParsePenalties(s string) (Penalties, error) {
	if s == "edit" {
		return EditPenalties, nil
	}
	if strings.Count(s, ",") != 2 {
		return Penalties{}, fmt.Errorf("penalties %q: want three numbers x,o,e (mismatch, gap open, gap extend), or edit", s)
	}
	c, err := ParseScoring(s)
	return c.Penalties, err
}

// ParseScoring reads the penalties "x,e" (linear gaps), "x,o,e" or "x,o1,e1,o2,e2" (gaps of two
// costs), or "edit" for EditPenalties, and validates them.
func ParseScoring(s string) (c Scoring, err error) {
	if s == "edit" {
		return Scoring{Penalties: EditPenalties}, nil
	}
	fields := strings.Split(s, ",")
	var v []int
	for _, t := range fields {
		n, err := strconv.Atoi(strings.TrimSpace(t))
		switch {
		case !slices.Contains([]int{2, 3, 5}, len(fields)):
			return c, fmt.Errorf("penalties %q: want x,e or x,o,e or x,o1,e1,o2,e2 (mismatch, gap open, gap extend), or edit", s)
		case errors.Is(err, strconv.ErrRange):
			return c, fmt.Errorf("penalties %q: %q is outside 0..%d", s, t, MaxPenalty)
		case err != nil:
			return c, fmt.Errorf("penalties %q: %q is not a whole number", s, t)
		}
		v = append(v, n)
	}
	if len(v) == 2 {
		v = []int{v[0], 0, v[1]}
	}
	c.Penalties = Penalties{v[0], v[1], v[2]}
	if len(v) == 5 {
		if c.LongGap = (Gap{v[3], v[4]}); c.LongGap == (Gap{}) {
			return c, errors.New("second gap cost: gap-extend penalty 0 is outside 1..255")
		}
	}
	return c, c.Validate()
}
