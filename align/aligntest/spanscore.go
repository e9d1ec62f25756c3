package aligntest

import (
	"fmt"

	"wfagpu/align"
)

// Score returns what Align does without the alignment, its begin and the z-drop: the score and
// the ends of the place. It takes linear memory and, for pairs of n and m letters,
// n·m time: Gotoh's recurrence over one row of values.
func (s *Spans) Score(pattern, text []byte) align.Result {
	s.pattern, s.text = pattern, text
	gaps := []align.Gap{{Open: s.Scoring.GapOpen, Extend: s.Scoring.GapExtend}}
	if long := s.Scoring.LongGap; long != (align.Gap{}) {
		gaps = append(gaps, long)
	}
	row := make([]int, len(text)+1) // of the last pattern letter
	ins := make([][]int, len(gaps)) // gaps down to the row, by their cost
	del := make([]int, 2)           // gaps along the row
	best := align.Result{Score: unreached}
	for g := range ins {
		ins[g] = make([]int, len(text)+1)
	}
	for i := 0; i <= len(pattern); i++ {
		diagonal := unreached
		del[0], del[1] = unreached, unreached
		for j := range row {
			above, c := row[j], unreached
			if s.begins(i, j) {
				c = 0
			}
			if i > 0 && j > 0 {
				step := -s.Scoring.Mismatch
				if sameLetter(pattern[i-1], text[j-1]) {
					step = s.Scoring.Match
				}
				c = max(c, diagonal+step)
			}
			for g, cost := range gaps {
				if i == 0 {
					ins[g][j] = unreached
				} else {
					ins[g][j] = max(ins[g][j]-cost.Extend, above-cost.Open-cost.Extend)
				}
				if j > 0 {
					del[g] = max(del[g]-cost.Extend, row[j-1]-cost.Open-cost.Extend)
				}
				c = max(c, ins[g][j], del[g])
			}
			row[j], diagonal = c, above
			if c > best.Score && s.ends(i, j) {
				best = align.Result{Score: c, Place: align.Place{PatternEnd: i, TextEnd: j}}
			}
		}
	}
	if s.Scoring.Match == 0 {
		best.Score = -best.Score
	}
	return best
}

// CheckSpan holds a result against that of Score, and replays its alignment.
func CheckSpan(o align.Options, c Case, r, want align.Result) error {
	if r.Err != nil || r.Score != want.Score {
		return fmt.Errorf("score %d, error %v, want %d", r.Score, r.Err, want.Score)
	}
	if o.ScoreOnly {
		return nil
	}
	model, err := o.Model()
	if err != nil {
		return err
	}
	at := r.Place
	if at.PatternEnd != want.Place.PatternEnd || at.TextEnd != want.Place.TextEnd || !model.Allows(at, len(c.Pattern), len(c.Text)) {
		return fmt.Errorf("place %+v, want one that ends as %+v", at, want.Place)
	}
	if err := r.CIGAR.Verify(c.Pattern[at.PatternBegin:at.PatternEnd], c.Text[at.TextBegin:at.TextEnd]); err != nil {
		return err
	}
	values := o.Scoring().Values()
	if found, err := values.Of(r.CIGAR); err != nil || found != want.Score {
		return fmt.Errorf("the alignment is worth %d, %v, want %d", found, err, want.Score)
	}
	return nil
}

// Flanked returns copies of cases with random flanks of 10 to 1,000 letters around their texts.
func Flanked(cases []Case, seed uint64) []Case {
	r := newRand(seed)
	var flanked []Case
	for _, c := range cases {
		c.Text = join(sequence(r, dna, 10+r.IntN(991)), c.Text, sequence(r, dna, 10+r.IntN(991)))
		c.Name += fmt.Sprintf(" with flanks, seed %d", seed)
		flanked = append(flanked, c)
	}
	return flanked
}
