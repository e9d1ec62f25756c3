package aligntest

import (
	"math"

	"wfagpu/align"
	"wfagpu/cigar"
)

// Spans is the oracle of alignments of any span and scoring: the definition, word for word,
// over the whole matrix. Its time grows with the cube of the length, for it tries every gap.
// Values are similarities, or penalties below zero, and are maximised.
type Spans struct {
	Scoring align.Scoring
	Span    align.Span
	Free    align.Free
	ZDrop   int // 0 for none
	// KSW2Ties takes, of several best cells of an antidiagonal, the one that ksw2 takes, whose
	// vectors look at every fourth cell.
	KSW2Ties bool

	pattern, text []byte
	value         [][]int // of the best alignment that ends in a cell
}

const unreached = math.MinInt / 2

// Of returns the oracle of an engine with these options.
func Of(o align.Options) *Spans {
	return &Spans{Scoring: o.Scoring(), Span: o.Span, Free: o.Free, ZDrop: o.ZDrop}
}

// Align returns the result for a pair.
func (s *Spans) Align(pattern, text []byte) align.Result {
	s.pattern, s.text = pattern, text
	s.fill()
	v, h := s.end()
	r := align.Result{Score: s.value[v][h], Place: align.Place{PatternEnd: v, TextEnd: h}}
	if s.Scoring.Match == 0 {
		r.Score = -r.Score
	}
	for !(s.begins(v, h) && s.value[v][h] == 0) {
		now := s.value[v][h]
		if v > 0 && h > 0 && (sameLetter(pattern[v-1], text[h-1]) || s.value[v-1][h-1]-s.Scoring.Mismatch == now) {
			op := cigar.Mismatch
			if sameLetter(pattern[v-1], text[h-1]) {
				op = cigar.Match
			}
			r.CIGAR, v, h = r.CIGAR.Append(op, 1), v-1, h-1
			continue
		}
		for l := 1; ; l++ {
			if l <= v && s.value[v-l][h]-s.gap(l) == now {
				r.CIGAR, v = r.CIGAR.Append(cigar.Ins, l), v-l
				break
			}
			if l <= h && s.value[v][h-l]-s.gap(l) == now {
				r.CIGAR, h = r.CIGAR.Append(cigar.Del, l), h-l
				break
			}
		}
	}
	r.Place.PatternBegin, r.Place.TextBegin = v, h
	r.CIGAR.Reverse()
	return r
}

// fill computes the values of all cells.
func (s *Spans) fill() {
	s.value = make([][]int, len(s.pattern)+1)
	for v := range s.value {
		s.value[v] = make([]int, len(s.text)+1)
		for h := range s.value[v] {
			best := unreached
			if s.begins(v, h) {
				best = 0
			}
			if v > 0 && h > 0 {
				step := -s.Scoring.Mismatch
				if sameLetter(s.pattern[v-1], s.text[h-1]) {
					step = s.Scoring.Match
				}
				best = max(best, s.value[v-1][h-1]+step)
			}
			for l := 1; l <= v; l++ {
				best = max(best, s.value[v-l][h]-s.gap(l))
			}
			for l := 1; l <= h; l++ {
				best = max(best, s.value[v][h-l]-s.gap(l))
			}
			s.value[v][h] = best
		}
	}
}

// gap is the penalty of a gap of l letters.
func (s *Spans) gap(l int) int {
	c := s.Scoring.GapOpen + l*s.Scoring.GapExtend
	if long := s.Scoring.LongGap; long != (align.Gap{}) {
		c = min(c, long.Open+l*long.Extend)
	}
	return c
}

// begins reports whether an alignment may begin in a cell, ends whether it may end there.
func (s *Spans) begins(v, h int) bool {
	switch s.Span {
	case align.Local:
		return true
	case align.EndsFree:
		return v <= s.Free.PatternBegin && h == 0 || h <= s.Free.TextBegin && v == 0
	}
	return v == 0 && h == 0
}

func (s *Spans) ends(v, h int) bool {
	left, rest := len(s.pattern)-v, len(s.text)-h
	switch s.Span {
	case align.Local, align.Extension:
		return true
	case align.EndsFree:
		return left == 0 && rest <= s.Free.TextEnd || rest == 0 && left <= s.Free.PatternEnd
	}
	return left == 0 && rest == 0
}

// end returns the best cell to end in, of several the one with the fewest letters of the
// pattern, then of the text.
func (s *Spans) end() (v, h int) {
	last := len(s.pattern) + len(s.text)
	if s.ZDrop > 0 {
		last = s.dropped()
	}
	best := unreached
	for i := range s.value {
		for j, c := range s.value[i] {
			if c > best && s.ends(i, j) && i+j <= last {
				best, v, h = c, i, j
			}
		}
	}
	return v, h
}

// dropped returns the last antidiagonal of an extension with a z-drop.
func (s *Spans) dropped() int {
	extend := s.Scoring.GapExtend
	if s.Scoring.LongGap != (align.Gap{}) {
		extend = s.Scoring.LongGap.Extend
	}
	n, m := len(s.pattern), len(s.text)
	record, rv, rh := 0, 0, 0
	for a := 2; a <= n+m; a++ {
		best, v, h := unreached, 0, 0
		for i := 1; i <= n; i++ {
			j := a - i
			if j < 1 || j > m {
				continue
			}
			if c := s.value[i][j]; c > best || c == best && s.KSW2Ties && s.ksw2Order(i, j) < s.ksw2Order(v, h) {
				best, v, h = c, i, j
			}
		}
		switch {
		case best == unreached:
		case best > record:
			record, rv, rh = best, v, h
		case v >= rv && h >= rh && record-best > s.ZDrop+abs((v-rv)-(h-rh))*extend:
			return a
		}
	}
	return n + m
}

// ksw2Order is the place of a cell in the order in which ksw2 prefers cells of an antidiagonal: the
// one of the last text letter, then those of whole vectors of four text letters, first by lane,
// then the others.
func (s *Spans) ksw2Order(v, h int) int {
	first, last := max(1, v+h-len(s.pattern)), min(v+h-1, len(s.text))
	whole := (last - first) / 4 * 4
	at := h - first
	switch {
	case h == last:
		return -1
	case at < whole:
		return at%4*(whole/4) + at/4
	}
	return at
}
