package emu_test

import (
	"math/rand/v2"
	"slices"
	"strings"

	"wfagpu/align"
)

// changed returns a sequence in which letters at some random places are random ones.
func changed(r *rand.Rand, s string, count int) string {
	b := []byte(s)
	for range count {
		b[r.IntN(len(b))] = "ACGT"[r.IntN(4)]
	}
	return string(b)
}

// tandem returns units of a tandem repeat, which change by some errors from the first to the last.
func tandem(r *rand.Rand, unit, units, errors int) string {
	last := letters(r, "ACGT", unit)
	var b strings.Builder
	for i := range units {
		if i > 0 {
			last = changed(r, last, (i+1)*errors/(units-1)-i*errors/(units-1))
		}
		b.WriteString(last)
	}
	return b.String()
}

// repeated returns a pair of a tandem repeat whose units change: its alignment follows the text
// with errors, or begins a unit further and has fewer, but long gaps.
func repeated(r *rand.Rand, unit, length, errors int) pair {
	last := letters(r, "ACGT", unit)
	var b strings.Builder
	for b.Len() < length+unit {
		last = edited(r, "ACGT", last, r.IntN(errors+1), 1+r.IntN(2))
		b.WriteString(last)
	}
	all := b.String()
	before, after := letters(r, "ACGT", 20+r.IntN(120)), letters(r, "ACGT", 20+r.IntN(120))
	p := pair{before + all[unit:length] + after, before + all[:length-unit] + after}
	if r.IntN(3) == 0 {
		p.text = edited(r, "ACGT", p.text, len(p.text)/30, 2)
	}
	if r.IntN(2) == 0 {
		p.pattern, p.text = p.text, p.pattern
	}
	return p
}

// tied returns a pair with two alignments that cost about the same, which mismatches alone tell
// apart from a tandem repeat: one has some in every unit, the other begins a unit further and has
// two gaps of that length. Both have some more.
func tied(r *rand.Rand, p align.Penalties, unit, length int) pair {
	gaps := 2 * (p.GapOpen + unit*p.GapExtend)
	errors := (gaps/p.Mismatch + r.IntN(9) - 2) * 4 / 3 // a change is none in one of four cases
	all := tandem(r, unit, length/unit+2, errors)
	before, after := letters(r, "ACGT", 20+r.IntN(120)), letters(r, "ACGT", 20+r.IntN(120))
	pattern, text := before+all[unit:]+after, before+all[:len(all)-unit]+after
	text = changed(r, text, len(text)*r.IntN(24)/100)
	if r.IntN(2) == 0 {
		pattern, text = text, pattern
	}
	return pair{pattern, text}
}

// mixed returns a pair with two alignments that cost about the same, which both have many errors that are apart: the pattern has some
// letters of the text there, and some of the text a unit further.
func mixed(r *rand.Rand, p align.Penalties, unit, length int) pair {
	gaps := 2 * (p.GapOpen + unit*p.GapExtend)
	text := []byte(letters(r, "ACGT", unit))
	for len(text) < length {
		text = append(text, text[len(text)-unit:]...)
		for i := len(text) - unit + r.IntN(12); i < len(text); i += 9 + r.IntN(8) {
			text[i] = changedLetter(r, text[i])
		}
	}
	n := len(text) - unit
	pattern := []byte(string(text[:n]))
	var differ []int
	for i := range pattern {
		if pattern[i] != text[i+unit] {
			differ = append(differ, i)
		}
	}
	r.Shuffle(len(differ), func(i, j int) { differ[i], differ[j] = differ[j], differ[i] })
	for _, i := range differ[:min(max((len(differ)+gaps/p.Mismatch)/2+r.IntN(9)-2, 0), len(differ))] {
		pattern[i] = text[i+unit]
	}
	before, after := letters(r, "ACGT", 20+r.IntN(120)), letters(r, "ACGT", 20+r.IntN(120))
	q := pair{before + string(pattern) + after, before + string(text[:n]) + after}
	if r.IntN(2) == 0 {
		q.pattern, q.text = q.text, q.pattern
	}
	return q
}

// changedLetter returns another letter.
func changedLetter(r *rand.Rand, letter byte) byte {
	const letters = "ACGT"
	return letters[(strings.IndexByte(letters, letter)+1+r.IntN(3))%4]
}

// detourPairs are pairs with more errors than gaps and broken seeds of a band certify, whose
// optimal alignments leave it, or just do not.
func detourPairs(r *rand.Rand, g *gotohKernel, count int) []pair {
	half := g.beside() / 2
	longest := g.strips() * g.columns
	var pairs []pair
	for range count {
		length := 3*longest + r.IntN(4*longest)
		switch r.IntN(7) {
		case 6:
			pairs = append(pairs, mixed(r, g.penalties, half/2+r.IntN(half), length))
		case 4, 5:
			pairs = append(pairs, tied(r, g.penalties, half/2+r.IntN(half), length))
		case 0: // errors everywhere
			a := letters(r, "ACGT", length)
			pairs = append(pairs, pair{a, edited(r, "ACGT", a, length*(2+r.IntN(12))/100, 1+r.IntN(3))})
		case 1: // of two letters, so that much fits elsewhere
			a := letters(r, "AC", length)
			pairs = append(pairs, pair{a, edited(r, "AC", a, length*(2+r.IntN(12))/100, 1+r.IntN(3))})
		case 2:
			unit := half/2 + r.IntN(half)
			pairs = append(pairs, repeated(r, unit, length+unit, 1+unit/(4+r.IntN(12))))
		default: // a part elsewhere, beyond the band or not
			a := letters(r, "ACGT", length)
			from, n, by := r.IntN(length/2), length/4+r.IntN(length/4), half/2+r.IntN(half)
			part := a[from : from+n]
			p := pair{a, a[:from] + letters(r, "ACGT", by) + edited(r, "ACGT", part, n/20, 2) + a[min(from+n+by, length):]}
			if r.IntN(2) == 0 {
				p.pattern, p.text = p.text, p.pattern
			}
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// unequalPairs have texts that are so much longer than their patterns that the first strips leave
// the band of a block before strips come on the other side. Their optimal alignments leave the band
// there.
func unequalPairs(r *rand.Rand, g *gotohKernel, count int) (pairs []pair) {
	half := 96 + g.columns + 2 // with inner cells, however long the patterns are
	end := g.beside() - 2*half
	for range count {
		n := 17*end/10 + r.IntN(end/10)
		out := half + 6 + r.IntN(8)
		there := 3 * out
		a := letters(r, "ACGT", n)
		text := a[out:out+there] + letters(r, "ACGT", out) + edited(r, "ACGT", a[out+there:], r.IntN(40), 2)
		pairs = append(pairs, pair{a, text + letters(r, "ACGT", n+end-len(text))})
	}
	return pairs
}

// tiedWithin returns a pattern within a text with two alignments that cost about the same: one
// begins a unit of a tandem repeat further, where it has no mismatches, and has a gap of that
// length behind it. Or it is reversed, and ends there.
func tiedWithin(r *rand.Rand, p align.Penalties, unit, length int) pair {
	errors := ((p.GapOpen+unit*p.GapExtend)/p.Mismatch + r.IntN(9) - 4) * 4 / 3
	all := tandem(r, unit, max(length/(2*unit), 1)+2, errors)
	rest := letters(r, "ACGT", length/2)
	text := all[:len(all)-unit] + edited(r, "ACGT", rest, len(rest)*r.IntN(12)/100, 2)
	q := pair{all[unit:] + rest, letters(r, "ACGT", r.IntN(150)) + text + letters(r, "ACGT", r.IntN(150))}
	if r.IntN(2) == 0 {
		q.pattern, q.text = reversed(q.pattern), reversed(q.text)
	}
	return q
}

// tiedLonger returns a pattern that is longer than its text: of two alignments that cost about the
// same, one has an insertion that is longer by a unit of a tandem repeat, and ends outside, the
// other mismatches.
func tiedLonger(r *rand.Rand, p align.Penalties, unit, length int) pair {
	errors := (unit*p.GapExtend/p.Mismatch + r.IntN(9) - 4) * 4 / 3
	all := tandem(r, unit, max(length/(2*unit), 1)+2, errors)
	begin := letters(r, "ACGT", length/2)
	q := pair{begin + letters(r, "ACGT", 30+r.IntN(80)) + all[:len(all)-unit], begin + all[unit:]}
	if r.IntN(2) == 0 {
		q.pattern, q.text = reversed(q.pattern), reversed(q.text)
	}
	return q
}

// tiedEnd returns a pattern within a text with two alignments that cost about the same: one has an
// insertion of some letters ahead of the last ones of the pattern, which have no errors then, the
// other has mismatches. Or it is reversed.
func tiedEnd(r *rand.Rand, p align.Penalties, gap, last, length int) pair {
	errors := ((p.GapOpen+gap*p.GapExtend)/p.Mismatch + r.IntN(9) - 4) * 4 / 3
	begin, end, between := letters(r, "ACGT", length), letters(r, "ACGT", last), letters(r, "ACGT", max(gap-last, 1))
	q := pair{begin + changed(r, end, errors/3) + between + end, begin + end + changed(r, between+end, errors-errors/3)}
	q.text = letters(r, "ACGT", r.IntN(100)) + q.text + letters(r, "ACGT", r.IntN(150))
	if r.IntN(2) == 0 {
		q.pattern, q.text = reversed(q.pattern), reversed(q.text)
	}
	return q
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
