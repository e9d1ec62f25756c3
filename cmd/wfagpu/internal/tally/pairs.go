package tally

import (
	"wfagpu/align"
	"wfagpu/cigar"
)

// PerMillion is the unit of Pairs.Difference.
const PerMillion = cigar.PerMillion

// Pairs is a tally of pairs with their results. The zero value is empty.
type Pairs struct {
	// Failed pairs have no result, and Beyond ones cost more than --max-distance. The
	// others have a score.
	Failed, Beyond int64
	// Query and Target are the lengths of all pairs.
	Query, Target Hist
	// Score has the scores from 0 on, and Below those below 0, which similarities may be,
	// without their sign.
	Score, Below Hist

	// What follows counts alignments, and is empty where no pair has a CIGAR.

	// Columns are those of all alignments.
	Columns Columns
	// Difference is that of cigar.Difference for each pair. A pair of two empty sequences
	// has no columns and no identity.
	Difference Hist
	// Insertions and Deletions are the lengths of gaps.
	Insertions, Deletions Hist
}

// Columns counts columns of alignments by their operation.
type Columns struct{ Match, Mismatch, Insertion, Deletion int64 }

// All is the number of columns.
func (c *Columns) All() int64 { return c.Match + c.Mismatch + c.Insertion + c.Deletion }

// Add counts the pairs of b, which has results.
func (t *Pairs) Add(b *align.Batch) {
	for i := range b.Pairs {
		p, r := &b.Pairs[i], &b.Results[i]
		t.Query.Add(len(p.Pattern))
		t.Target.Add(len(p.Text))
		switch {
		case r.Err != nil:
			t.Failed++
		case r.Score == align.Beyond:
			t.Beyond++
		default:
			if r.Score < 0 {
				t.Below.Add(-r.Score)
			} else {
				t.Score.Add(r.Score)
			}
			t.alignment(r.CIGAR)
		}
	}
}

// alignment counts one alignment. Neighbouring elements of one operation, which are
// parts of a very long run, are one gap.
func (t *Pairs) alignment(c cigar.CIGAR) {
	if len(c) == 0 {
		return
	}
	var columns Columns
	for i := 0; i < len(c); {
		op, n := c[i].Op(), c[i].Len()
		for i++; i < len(c) && c[i].Op() == op; i++ {
			n += c[i].Len()
		}
		switch op {
		case cigar.Match:
			columns.Match += int64(n)
		case cigar.Mismatch:
			columns.Mismatch += int64(n)
		case cigar.Ins:
			columns.Insertion += int64(n)
			t.Insertions.Add(n)
		case cigar.Del:
			columns.Deletion += int64(n)
			t.Deletions.Add(n)
		}
	}
	t.Columns.add(columns)
	t.Difference.Add(cigar.Difference(columns.Match, columns.All()))
}

func (c *Columns) add(d Columns) {
	c.Match += d.Match
	c.Mismatch += d.Mismatch
	c.Insertion += d.Insertion
	c.Deletion += d.Deletion
}

// Scored is the number of pairs with a score.
func (t *Pairs) Scored() int64 { return t.Score.Count() + t.Below.Count() }

// MedianScore returns the median score as Hist.Quantile does, 0 if there is none.
func (t *Pairs) MedianScore() int {
	rank := (t.Scored() + 1) / 2
	if below := t.Below.Count(); rank <= below && rank > 0 {
		return -t.Below.ranked(below - rank + 1)
	}
	return t.Score.ranked(rank - t.Below.Count())
}

// Count is the number of pairs.
func (t *Pairs) Count() int64 { return t.Query.Count() }

// Join counts all pairs of u.
func (t *Pairs) Join(u *Pairs) {
	t.Failed += u.Failed
	t.Beyond += u.Beyond
	t.Columns.add(u.Columns)
	from := u.hists()
	for i, h := range t.hists() {
		h.Join(from[i])
	}
}

// Reset empties the tally and keeps its memory.
func (t *Pairs) Reset() {
	t.Failed, t.Beyond, t.Columns = 0, 0, Columns{}
	for _, h := range t.hists() {
		h.Reset()
	}
}

// Bytes is the memory of the histograms.
func (t *Pairs) Bytes() int64 {
	var n int64
	for _, h := range t.hists() {
		n += h.Bytes()
	}
	return n
}

func (t *Pairs) hists() [7]*Hist {
	return [7]*Hist{&t.Query, &t.Target, &t.Score, &t.Below, &t.Difference, &t.Insertions, &t.Deletions}
}
