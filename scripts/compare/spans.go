package main

import (
	"math/rand/v2"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// The programs that score spans, by their names in package peers.
const (
	byParasail = "parasail"
	bySeqAn    = "seqan"
	byKSW2     = "ksw2"
	byWFA2     = "wfa2"
)

// schemes of the campaign of spans.
var (
	linear    = align.Scoring{Penalties: align.Penalties{Mismatch: 1, GapOpen: 0, GapExtend: 1}, Match: 1}
	affine    = align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1}
	twoPieces = align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, Match: 2, LongGap: align.Gap{Open: 24, Extend: 1}}
	costs     = align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}}
	twoCosts  = align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, LongGap: align.Gap{Open: 12, Extend: 1}}
)

// spanned is a span with a scheme, and the programs that have it, too.
type spanned struct {
	span    align.Span
	free    align.Free
	zdrop   int
	scheme  align.Scoring
	oracles []string
}

// spans lists what other programs align, too. Gaps with two costs and a match score have an
// oracle where alignments are global or extensions.
func spans() []spanned {
	const all = align.FreeAll
	infix := align.Free{TextBegin: all, TextEnd: all}
	queryEnd := align.Free{PatternEnd: all, TextBegin: all}
	queryBegin := align.Free{PatternBegin: all, TextEnd: all}
	numbers := align.Free{PatternBegin: 3, PatternEnd: 20, TextBegin: 50, TextEnd: 7}
	return []spanned{
		{align.Global, align.Free{}, 0, linear, []string{byParasail, bySeqAn}},
		{align.Global, align.Free{}, 0, affine, []string{byParasail, bySeqAn, byKSW2}},
		{align.Global, align.Free{}, 0, twoPieces, []string{byKSW2}},
		{align.Global, align.Free{}, 0, twoCosts, []string{byWFA2, byKSW2}},
		{align.EndsFree, infix, 0, linear, []string{byParasail, bySeqAn}},
		{align.EndsFree, infix, 0, affine, []string{byParasail, bySeqAn}},
		{align.EndsFree, infix, 0, costs, []string{byWFA2, byParasail}},
		{align.EndsFree, infix, 0, twoCosts, []string{byWFA2}},
		{align.EndsFree, numbers, 0, costs, []string{byWFA2}},
		{align.EndsFree, numbers, 0, twoCosts, []string{byWFA2}},
		{align.EndsFree, queryEnd, 0, affine, []string{byParasail}},
		{align.EndsFree, queryBegin, 0, affine, []string{byParasail}},
		{align.Extension, align.Free{}, 0, affine, []string{byKSW2}},
		{align.Extension, align.Free{}, 0, twoPieces, []string{byKSW2}},
		{align.Extension, align.Free{}, 20, affine, []string{byKSW2}},
		{align.Extension, align.Free{}, 40, twoPieces, []string{byKSW2}},
		{align.Local, align.Free{}, 0, linear, []string{byParasail, bySeqAn}},
		{align.Local, align.Free{}, 0, affine, []string{byParasail, bySeqAn}},
	}
}

// spanCampaign lists sets for all spans: a million pairs for each, of three lengths and error rates,
// with flanks of 10 to 100 letters around the texts where these may be left out.
func spanCampaign(scale float64, seed uint64) []set {
	var sets []set
	for _, s := range spans() {
		for _, p := range []struct {
			length int
			rate   float64
			share  float64
			model  simulate.Model
		}{{60, 0.1, 0.5, simulate.Uniform}, {150, 0.05, 0.4, simulate.Uniform}, {300, 0.2, 0.1, simulate.Bursts}} {
			sets = append(sets, set{
				spanned: s, flanks: 100,
				pairs: simulate.Options{Length: p.length, ErrorRate: p.rate, Model: p.model, Seed: seed},
				count: max(1, int(p.share*1e6*scale)),
			})
			seed++
		}
	}
	return sets
}

// leastFlank is the least length of a flank.
const leastFlank = 10

// flank puts random letters around text where the span lets them be left out, up to most of
// them on each side.
func flank(r *rand.Rand, s spanned, text []byte, most int) []byte {
	letters := func() []byte {
		f := make([]byte, leastFlank+r.IntN(most-leastFlank+1))
		for i := range f {
			f[i] = "ACGT"[r.IntN(4)]
		}
		return f
	}
	if s.span == align.Local || s.free.TextBegin > 0 {
		text = append(letters(), text...)
	}
	if s.span != align.Global && (s.span != align.EndsFree || s.free.TextEnd > 0) {
		text = append(text, letters()...)
	}
	return text
}
