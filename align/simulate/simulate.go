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
)

// Models lists the error models.
func Models() []Model { return []Model{Uniform, Substitution, Bursts} }

// Options describe a set of pairs.
type Options struct {
	// Length is the number of bases in every text.
	Length int
	// ErrorRate is the number of errors per base of the text, 0 to 1: every
	// pattern gets round(Length*ErrorRate) of them.
	ErrorRate float64
	// Model is the kind of errors; empty means Uniform.
	Model Model
	// NRate is the chance, 0 to 1, of a pattern's base to be read as N.
	NRate float64
	// Seed selects the set. Sets of different seeds are unrelated.
	Seed uint64
}

func (o Options) withDefaults() (Options, error) {
	if o.Model == "" {
		o.Model = Uniform
	}
	switch {
	case o.Length < 0:
		return o, fmt.Errorf("length %d is negative", o.Length)
	case !(o.ErrorRate >= 0 && o.ErrorRate <= 1): // also refuses NaN
		return o, fmt.Errorf("error rate %v is outside 0..1", o.ErrorRate)
	case !(o.NRate >= 0 && o.NRate <= 1):
		return o, fmt.Errorf("rate of N, %v, is outside 0..1", o.NRate)
	case o.Model != Uniform && o.Model != Substitution && o.Model != Bursts:
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
}

// New returns a Generator at the first pair of its set.
func New(opts Options) (*Generator, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Generator{opts: opts, draw: newSource(opts.Seed)}, nil
}

// Next returns the next pair. Both slices are valid until the following call.
func (g *Generator) Next() (pattern, text []byte) {
	g.text = g.draw.bases(g.text[:0], g.opts.Length)
	g.planEdits()
	g.pattern = g.applyEdits(g.pattern[:0])
	if g.opts.NRate > 0 {
		for i := range g.pattern {
			if g.draw.chance(g.opts.NRate) {
				g.pattern[i] = 'N'
			}
		}
	}
	return g.pattern, g.text
}

// planEdits draws the errors of one pattern into g.edits.
func (g *Generator) planEdits() {
	g.edits = g.edits[:0]
	n := g.opts.Length
	if n == 0 {
		return // an empty text has no errors
	}
	for range int(math.Round(float64(n) * g.opts.ErrorRate)) {
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
