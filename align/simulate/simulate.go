// Package simulate makes pairs of related DNA sequences from a seed.
//
// Every pair starts from a random text (the reference stretch); the pattern
// (the read) is a copy of it with errors. The sets of the WFA papers are
// Options{Length: 150, ErrorRate: 0.02} and so on, with lengths 150, 1,000 and
// 10,000 and rates 0.02, 0.05 and 0.10.
//
// The same Options give the same pairs on every machine and under every release of Go: the
// generator draws only raw 64-bit words from math/rand/v2's PCG, whose algorithm is fixed, and
// derives everything else itself.
package simulate

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Model says which kinds of error a pattern gets.
type Model string

const (
	// Uniform makes each error a mismatch, an insertion or a deletion of one
	// base with equal chance. It is the zero value's meaning.
	Uniform Model = "uniform"
	// Substitution makes mismatches only, so both sequences are equally long.
	Substitution Model = "substitution"
	// Bursts adds long gaps to the Uniform errors: one, and one more for
	// every 5,000 bases, each an insertion or a deletion of 10 to 100 bases.
	Bursts Model = "bursts"
	// SV makes Uniform errors, and one structural variant in some of the pairs: see
	// Options.Variants.
	SV Model = "sv"
)

// Models lists the error models.
func Models() []Model { return []Model{Uniform, Substitution, Bursts, SV} }

// Options describe a set of pairs.
type Options struct {
	// Length is the number of bases in every text.
	Length int
	// ErrorRate is the number of errors per base of the text, 0 to 1: every
	// pattern gets round(Length*ErrorRate) of them. With a structural variant the
	// length is that of the text with the variant.
	ErrorRate float64
	// MaxErrorRate, if not 0, gives every pair a rate of its own, drawn evenly from
	// ErrorRate to MaxErrorRate.
	MaxErrorRate float64
	// Model is the kind of errors; empty means Uniform.
	Model Model
	// Variants are the structural variants of model SV; others ignore them.
	Variants Variants
	// NRate is the chance, 0 to 1, of a pattern's base to be read as N.
	NRate float64
	// Seed selects the set. Sets of different seeds are unrelated.
	Seed uint64
}

func (o Options) withDefaults() (Options, error) {
	if o.Model == "" {
		o.Model = Uniform
	}
	if o.Variants == (Variants{}) {
		o.Variants = DefaultVariants()
	}
	if o.MaxErrorRate == 0 {
		o.MaxErrorRate = o.ErrorRate
	}
	switch {
	case o.Length < 0:
		return o, fmt.Errorf("length %d is negative", o.Length)
	case !(o.ErrorRate >= 0 && o.ErrorRate <= 1): // also refuses NaN
		return o, fmt.Errorf("error rate %v is outside 0..1", o.ErrorRate)
	case !(o.MaxErrorRate >= o.ErrorRate && o.MaxErrorRate <= 1):
		return o, fmt.Errorf("largest error rate %v is outside %v..1", o.MaxErrorRate, o.ErrorRate)
	case !(o.NRate >= 0 && o.NRate <= 1):
		return o, fmt.Errorf("rate of N, %v, is outside 0..1", o.NRate)
	case !slices.Contains(Models(), o.Model):
		return o, fmt.Errorf("unknown error model %q: want one of %q", o.Model, Models())
	}
	return o, nil
}

// Generator makes one pair after the other. It is not safe for concurrent use.
type Generator struct {
	opts          Options
	draw          source
	edits         []edit
	pattern, text []byte
	varied        []byte        // the text with a structural variant
	kinds         []VariantKind // of structural variants
}

// New returns a Generator at the first pair of its set.
func New(opts Options) (*Generator, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	g := &Generator{opts: opts, draw: newSource(opts.Seed), kinds: VariantKinds()}
	if list := opts.Variants.Kinds; list != "" {
		g.kinds = nil
		for kind := range strings.SplitSeq(list, ",") {
			g.kinds = append(g.kinds, VariantKind(kind))
		}
	}
	if err := opts.Variants.validate(g.kinds); err != nil {
		return nil, err
	}
	return g, nil
}

// Next returns the next pair. Both slices are valid until the following call.
func (g *Generator) Next() (pattern, text []byte) {
	g.text = g.draw.bases(g.text[:0], g.opts.Length)
	from := g.text
	if g.opts.Model == SV {
		from = g.vary()
	}
	g.planEdits(len(from))
	g.pattern = g.applyEdits(g.pattern[:0], from)
	if g.opts.NRate > 0 {
		for i := range g.pattern {
			if g.draw.chance(g.opts.NRate) {
				g.pattern[i] = 'N'
			}
		}
	}
	return g.pattern, g.text
}

// errorRate returns the error rate of a pair, drawn where there is a choice.
func (g *Generator) errorRate() float64 {
	least, most := g.opts.ErrorRate, g.opts.MaxErrorRate
	if least == most {
		return least
	}
	const steps = 1 << 20
	share := float64(g.draw.below(steps+1)) / steps
	return least + float64((most-least)*share) // rounded, on every machine
}

// planEdits draws the errors of a pattern made from n bases into g.edits.
func (g *Generator) planEdits(n int) {
	g.edits = g.edits[:0]
	if n == 0 {
		return // an empty text has no errors
	}
	for range int(math.Round(float64(n) * g.errorRate())) {
		kind := mismatch
		if g.opts.Model != Substitution {
			kind = editKind(g.draw.below(3))
		}
		g.edits = append(g.edits, edit{pos: g.draw.below(n), kind: kind, length: 1})
	}
	if g.opts.Model == Bursts {
		for range 1 + n/5000 {
			kind := insertion + editKind(g.draw.below(2))
			g.edits = append(g.edits, edit{pos: g.draw.below(n), kind: kind, length: 10 + g.draw.below(91)})
		}
	}
}
