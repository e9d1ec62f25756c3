package align_test

import (
	"math/rand/v2"
	"slices"

	"wfagpu/align"
)

// laneMaker makes pairs that are hard for lanes: a text has parts of its read on several diagonals, so that
// alignments of equal or about equal cost leave any band and come back to it.
type laneMaker struct {
	r       *rand.Rand
	letters string
	most    int // letters of a read
	flank   int // most letters of a flank
	rate    float64
}

func newLaneMaker(r *rand.Rand) *laneMaker {
	return &laneMaker{
		r: r, letters: []string{"ACGT", "ACGT", "ACGT", "ACG", "AC", "ACGTN", "acgtACGT"}[r.IntN(7)],
		most: []int{30, 60, 120, 200, 500}[r.IntN(5)], flank: []int{0, 5, 30, 120}[r.IntN(4)],
		rate: []float64{0, 0.02, 0.1, 0.2}[r.IntN(4)],
	}
}

func (m *laneMaker) random(n int) []byte { return letters(m.r, m.letters, n) }

// noisy returns a copy of s with errors.
func (m *laneMaker) noisy(s []byte, rate float64) []byte {
	q := slices.Clone(s)
	for at := 0; at < len(q); at++ {
		if m.r.Float64() >= rate {
			continue
		}
		switch m.r.IntN(4) {
		case 0:
			q = slices.Insert(q, at, m.random(1+m.r.IntN(5))...)
		case 1:
			q = slices.Delete(q, at, min(len(q), at+1+m.r.IntN(5)))
		default:
			q[at] = m.letters[m.r.IntN(len(m.letters))]
		}
	}
	return q
}

// pair returns a read and its text, and the diagonals of the parts of the read that the text has.
func (m *laneMaker) pair() (read, text []byte, places []int) {
	r := m.r
	n := 12 + r.IntN(m.most-11)
	switch r.IntN(5) {
	case 0: // a repeat
		unit := m.random(1 + r.IntN(20))
		for len(read) < n {
			read = append(read, unit...)
		}
		read = m.noisy(read[:n], m.rate/2)
	default:
		read = m.random(n)
	}
	n = len(read)
	text = slices.Clone(m.random(r.IntN(m.flank + 1)))
	put := func(from, to int, rate float64) {
		places = append(places, len(text)-from)
		text = append(text, m.noisy(read[from:to], rate)...)
	}
	whole := r.IntN(3)
	for part := range 1 + r.IntN(4) {
		switch {
		case part == whole || r.IntN(4) == 0: // most of the read, in parts with gaps between them
			at := 0
			for at < n {
				to := min(n, at+4+r.IntN(n))
				put(at, to, m.rate)
				switch at = to; r.IntN(4) {
				case 0:
					at = min(n, at+r.IntN(24))
				case 1:
					at = max(1, at-r.IntN(24))
				case 2:
					text = append(text, m.random(r.IntN(24))...)
				}
			}
		default: // a part of it
			from := r.IntN(n)
			put(from, from+1+r.IntN(n-from), m.rate*r.Float64())
		}
		if r.IntN(2) == 0 {
			text = append(text, m.random(r.IntN(20))...)
		}
	}
	text = append(text, m.random(r.IntN(m.flank+1))...)
	return read, text, places
}

// band returns a pair on a band near the places of its read.
func (m *laneMaker) band() align.LanePair {
	read, text, places := m.pair()
	r := m.r
	k := places[r.IntN(len(places))]
	p := align.LanePair{Pattern: read, Text: text, First: k - r.IntN(16), Chain: r.IntN(2) == 0}
	if r.IntN(2) == 0 {
		p.Last = max(k, places[r.IntN(len(places))]) + r.IntN(16)
	} else {
		p.Last = k + r.IntN(40)
	}
	if r.IntN(3) == 0 { // all diagonals
		p.Reach = 1 + r.IntN(120)
		p.First, p.Last = min(0, len(text)-len(read))-r.IntN(30), max(0, len(text)-len(read))+r.IntN(30)
	}
	if p.Last-p.First > 400 || p.Reach == 0 && p.Last-p.First > 200 {
		p.Last = k + 20
	}
	return p
}

// laneModel returns a model that lanes take.
func laneModel(r *rand.Rand) align.Options {
	o := align.Options{Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}}
	o.Penalties = []align.Penalties{
		{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 1, GapExtend: 1},
		{Mismatch: 4, GapOpen: 6, GapExtend: 1}, {Mismatch: 5, GapExtend: 1}, {Mismatch: 9, GapOpen: 2, GapExtend: 3},
		{Mismatch: 1, GapOpen: 1, GapExtend: 20}, {Mismatch: 7, GapOpen: 12, GapExtend: 1},
		{Mismatch: 3, GapOpen: 20, GapExtend: 5}, {Mismatch: 30, GapOpen: 31, GapExtend: 29}, {Mismatch: 6, GapOpen: 1, GapExtend: 2},
	}[r.IntN(11)]
	if r.IntN(3) == 0 {
		o.Match = 1 + r.IntN(3)
	}
	number := func() int { return []int{0, 1, 10, 50, align.FreeAll, align.FreeAll}[r.IntN(6)] }
	if r.IntN(2) == 0 {
		o.Free = align.Free{TextBegin: number(), TextEnd: max(1, number())}
	}
	return o
}
