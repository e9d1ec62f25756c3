// Package recall compares the alignments of any tool with the optimum, as the
// WFA-GPU paper does: an alignment counts if its cost under the penalties is the
// optimum, whatever the tool minimizes and whatever score it reports.
package recall

import (
	"errors"
	"fmt"

	"wfagpu/align"
	"wfagpu/cigar"
)

// ErrBelow is the error of a valid alignment that costs less than the optimum.
var ErrBelow = errors.New("an alignment costs less than the optimum")

// Tally counts the pairs of a set by the quality of a tool's result.
type Tally struct {
	Checked int
	Optimal int
	// Invalid alignments do not consume their pair, or their cost is not the
	// score that the tool reports.
	Invalid int
	First   error // the first reason for one of these

	cost, optimum int64 // sums over the valid ones
}

// Rule has the penalties and the treatment of a tool's scores.
type Rule struct {
	Penalties align.Penalties
	// Rescore disregards the reported score of a tool that minimizes something
	// else.
	Rescore bool
}

// Add counts the alignment of a pair.
func (t *Tally) Add(r Rule, p align.Pair, optimum, reported int, c cigar.CIGAR) error {
	cost, err := r.cost(p, c)
	if err == nil && !r.Rescore && cost != reported {
		err = fmt.Errorf("the alignment costs %d, the score is %d", cost, reported)
	}
	if err != nil {
		t.invalid(err)
		return nil
	}
	return t.add(optimum, cost)
}

// AddText counts an alignment as text. An alignment that is only valid with I and D
// exchanged, as WFA2-lib writes them, is read in that way.
func (t *Tally) AddText(r Rule, p align.Pair, optimum, reported int, text string) error {
	c, err := cigar.Parse(text)
	if err != nil {
		t.invalid(err)
		return nil
	}
	c = spell(c, p)
	if c.Verify(p.Pattern, p.Text) != nil {
		parsed, _ := cigar.Parse(text)
		if swapped := spell(swap(parsed), p); swapped.Verify(p.Pattern, p.Text) == nil {
			c = swapped
		}
	}
	return t.Add(r, p, optimum, reported, c)
}

// AddScore counts a score without an alignment.
func (t *Tally) AddScore(optimum, reported int) error {
	if reported < optimum {
		t.invalid(fmt.Errorf("the score is %d, the optimum %d", reported, optimum))
		return nil
	}
	return t.add(optimum, reported)
}

func (t *Tally) add(optimum, cost int) error {
	t.Checked++
	t.cost += int64(cost)
	t.optimum += int64(optimum)
	if cost < optimum {
		return fmt.Errorf("%w: %d, not %d", ErrBelow, cost, optimum)
	}
	if cost == optimum {
		t.Optimal++
	}
	return nil
}

func (t *Tally) invalid(err error) {
	t.Checked++
	t.Invalid++
	if t.First == nil {
		t.First = fmt.Errorf("pair %d: %w", t.Checked, err)
	}
}

// Recall is the share of optimal alignments, in percent.
func (t *Tally) Recall() float64 {
	if t.Checked == 0 {
		return 0
	}
	return 100 * float64(t.Optimal) / float64(t.Checked)
}

// Excess is by how much the sum of all costs exceeds that of the optima, in
// percent; invalid alignments are left out.
func (t *Tally) Excess() float64 {
	if t.optimum == 0 {
		return 0
	}
	return 100 * float64(t.cost-t.optimum) / float64(t.optimum)
}

func (r Rule) cost(p align.Pair, c cigar.CIGAR) (int, error) {
	if err := c.Verify(p.Pattern, p.Text); err != nil {
		return 0, err
	}
	return c.Score(r.Penalties.Mismatch, r.Penalties.GapOpen, r.Penalties.GapExtend)
}

// spell writes M as = and X. Some tools have M for matches alone and X beside
// it, others for both; either way the letters of the pair decide.
func spell(c cigar.CIGAR, p align.Pair) cigar.CIGAR {
	var out cigar.CIGAR
	v, h := 0, 0
	for _, e := range c {
		n := e.Len()
		switch e.Op() {
		case cigar.AlignMatch:
			for range n {
				if v >= len(p.Pattern) || h >= len(p.Text) {
					return c // no alignment of this pair, as Verify will say
				}
				op := cigar.Mismatch
				if cigar.Canonical[p.Pattern[v]] == cigar.Canonical[p.Text[h]] {
					op = cigar.Match
				}
				out = out.Append(op, 1)
				v++
				h++
			}
			continue
		case cigar.Ins:
			v += n
		case cigar.Del:
			h += n
		default:
			v += n
			h += n
		}
		out = out.Append(e.Op(), n)
	}
	return out
}

// swap exchanges I and D.
func swap(c cigar.CIGAR) cigar.CIGAR {
	var out cigar.CIGAR
	for _, e := range c {
		switch op := e.Op(); op {
		case cigar.Ins:
			out = out.Append(cigar.Del, e.Len())
		case cigar.Del:
			out = out.Append(cigar.Ins, e.Len())
		default:
			out = out.Append(op, e.Len())
		}
	}
	return out
}
