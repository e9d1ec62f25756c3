package formattest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
)

// Defaults are align.DefaultPenalties.
var Defaults = Penalties{
	Mismatch: align.DefaultPenalties.Mismatch, Open: align.DefaultPenalties.GapOpen, Extend: align.DefaultPenalties.GapExtend,
}

// CIGAR returns the alignment of a text.
func CIGAR(t testing.TB, text string) cigar.CIGAR {
	t.Helper()
	c, err := cigar.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Whole is what the pair of a batch is a part of.
type Whole struct {
	Query, Target string // as they were read
	Qualities     string // of the query, "" if there are none
	HardClipped   bool   // the batch has the letters of its stretch alone
	Place         align.Place
}

// MixedBatch makes pairs of all kinds, with results: stretches of longer sequences and whole ones,
// reversed and with qualities or not, of which alignments cover parts. It is aligned under
// align.DefaultPenalties.
func MixedBatch(t testing.TB, seed uint64, pairs int) (*align.Batch, []Whole) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 17))
	b, inner := &align.Batch{First: 95}, &align.Batch{}
	var wholes []Whole
	for i := range pairs {
		target := letters(rng, 1+rng.IntN(300))
		from := rng.IntN(len(target))
		to := from + 1 + rng.IntN(len(target)-from)
		aligned := mutate(rng, target[from:to])
		// around the alignment lie letters of the pair, and around these those of the query
		left, right := letters(rng, rng.IntN(3)*rng.IntN(9)), letters(rng, rng.IntN(3)*rng.IntN(9))
		before, after := letters(rng, rng.IntN(3)*rng.IntN(9)), letters(rng, rng.IntN(3)*rng.IntN(9))
		textFrom, textTo := rng.IntN(from+1), to+rng.IntN(len(target)-to+1)
		forward := before + left + aligned + right + after
		w := Whole{Query: forward, Target: target, HardClipped: rng.IntN(2) == 0}
		o := align.Origin{
			QueryLength: len(forward), QueryStart: len(before), TargetLength: len(target), TargetStart: textFrom,
			Reverse: rng.IntN(2) == 0, Secondary: rng.IntN(4) == 0, Supplementary: rng.IntN(4) == 0, MapQ: uint8(rng.IntN(256)),
		}
		shown := left + aligned + right
		p := align.Pair{Pattern: []byte(shown), Text: []byte(target[textFrom:textTo])}
		if !w.HardClipped {
			o.Query, shown = []byte(forward), forward
		}
		if rng.IntN(2) == 0 {
			for range shown {
				o.Qualities = append(o.Qualities, byte('!'+rng.IntN(94)))
			}
			w.Qualities = string(o.Qualities)
		}
		l := align.Place{
			PatternBegin: len(left), PatternEnd: len(left) + len(aligned), TextBegin: from - textFrom, TextEnd: to - textFrom,
		}
		begin := len(before) + len(left)
		w.Place = align.Place{PatternBegin: begin, PatternEnd: begin + len(aligned), TextBegin: from, TextEnd: to}
		if o.Reverse {
			o.QueryStart = len(after)
			w.Query = Reverse(forward)
			n := len(forward)
			w.Place.PatternBegin, w.Place.PatternEnd = n-w.Place.PatternEnd, n-w.Place.PatternBegin
		}
		if rng.IntN(5) > 0 {
			p.PatternName, p.TextName = fmt.Appendf(nil, "read%d", i), fmt.Appendf(nil, "t%d", i)
		}
		b.Pairs, b.Origins, wholes = append(b.Pairs, p), append(b.Origins, o), append(wholes, w)
		inner.Pairs = append(inner.Pairs, align.Pair{Pattern: []byte(aligned), Text: []byte(target[from:to])})
		b.Results = append(b.Results, align.Result{Place: l})
	}
	engine, err := align.New(align.Options{Penalties: align.DefaultPenalties})
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.AlignBatch(context.Background(), inner); err != nil {
		t.Fatal(err)
	}
	for i := range b.Results {
		b.Results[i].Score, b.Results[i].CIGAR = inner.Results[i].Score, inner.Results[i].CIGAR
	}
	return b, wholes
}

// letters makes DNA with a few N, some in lower case.
func letters(rng *rand.Rand, n int) string {
	var s strings.Builder
	for range n {
		c := "ACGT"[rng.IntN(4)]
		switch rng.IntN(40) {
		case 0:
			c = 'N'
		case 1, 2:
			c += 'a' - 'A'
		}
		s.WriteByte(c)
	}
	return s.String()
}

// mutate makes differences of all kinds, at the ends too. Something is left.
func mutate(rng *rand.Rand, s string) string {
	var out strings.Builder
	for _, c := range []byte(s) {
		switch rng.IntN(24) {
		case 0:
			out.WriteString(letters(rng, 1))
		case 1:
			out.WriteString(letters(rng, 1+rng.IntN(4)))
			out.WriteByte(c)
		case 2:
		default:
			out.WriteByte(c)
		}
	}
	if out.Len() == 0 {
		return letters(rng, 1)
	}
	return out.String()
}
