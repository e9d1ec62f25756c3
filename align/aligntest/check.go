package aligntest

import (
	"fmt"

	"wfagpu/align"
	"wfagpu/cigar"
)

// Check replays a result's CIGAR over its pair. It reports an error unless
// the alignment consumes both sequences exactly, every '=' and 'X' is true,
// no run is empty or could be joined with its neighbour, and the columns cost
// exactly the result's score.
func Check(pattern, text []byte, p align.Penalties, r align.Result) error {
	v, h, cost := 0, 0, 0
	var last cigar.Op
	for at, e := range r.CIGAR {
		op, n := e.Op(), e.Len()
		if n == 0 {
			return fmt.Errorf("run %d, %c, is empty", at, op)
		}
		if op == last && r.CIGAR[at-1].Len() < cigar.MaxLen {
			return fmt.Errorf("runs %d and %d are both %c", at-1, at, op)
		}
		last = op
		for range n {
			inPattern, inText := op != cigar.Del, op != cigar.Ins
			if inPattern && v == len(pattern) || inText && h == len(text) {
				return fmt.Errorf("run %d, %d%c, goes beyond the sequences at pattern %d of %d, text %d of %d",
					at, n, op, v, len(pattern), h, len(text))
			}
			switch op {
			case cigar.Match, cigar.Mismatch:
				if same := sameLetter(pattern[v], text[h]); same != (op == cigar.Match) {
					return fmt.Errorf("run %d, %d%c, holds pattern[%d] %q against text[%d] %q",
						at, n, op, v, pattern[v], h, text[h])
				}
			case cigar.Ins, cigar.Del:
			default:
				return fmt.Errorf("run %d has operation %q", at, op)
			}
			if inPattern {
				v++
			}
			if inText {
				h++
			}
		}
		switch op {
		case cigar.Mismatch:
			cost += n * p.Mismatch
		case cigar.Ins, cigar.Del:
			cost += p.GapOpen + n*p.GapExtend
		}
	}
	if v != len(pattern) || h != len(text) {
		return fmt.Errorf("alignment ends at pattern %d of %d, text %d of %d", v, len(pattern), h, len(text))
	}
	if cost != r.Score {
		return fmt.Errorf("alignment costs %d but the score is %d", cost, r.Score)
	}
	return nil
}
