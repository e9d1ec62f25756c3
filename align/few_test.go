package align_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// readMaker makes reads of few errors within texts that are hard for seeds: repeats, copies of the read
// with about as many errors, errors next to each other and near the ends, letters N.
type readMaker struct {
	r       *rand.Rand
	letters string
}

func (m *readMaker) random(n int) []byte { return letters(m.r, m.letters, n) }

// spoil returns a copy of s with so many errors: anywhere, near one place, or at one end.
func (m *readMaker) spoil(s []byte, errors int) []byte {
	r, q := m.r, slices.Clone(s)
	kind, place := r.IntN(4), r.IntN(len(q))
	gaps := r.IntN(3)
	for range errors {
		at := r.IntN(len(q))
		switch kind {
		case 0:
			at = min(len(q)-1, place+r.IntN(24))
		case 1:
			at = r.IntN(min(len(q), 12))
		}
		switch n := 1 + r.IntN(1+r.IntN(9)); {
		case gaps == 0 || r.IntN(3) > 0:
			q[at] = m.letters[r.IntN(len(m.letters))]
		case r.IntN(2) == 0:
			q = slices.Insert(q, at, m.random(n)...)
		case len(q) > n+1:
			q = slices.Delete(q, at, min(len(q), at+n))
		}
	}
	return q
}

// read returns a read of up to most letters and its text.
func (m *readMaker) read(most int) (read, text []byte) {
	r := m.r
	n := most/4 + r.IntN(most*3/4)
	switch r.IntN(6) {
	case 0: // a repeat, or one at an end
		unit := m.random(1 + r.IntN(40))
		read = m.spoil(slices.Repeat(unit, n/len(unit)+2)[:n], r.IntN(1+n/20))
		if r.IntN(2) == 0 {
			read = append(read[:n/3], m.random(n-n/3)...)
		}
	default:
		read = m.random(n)
	}
	errors := r.IntN(3 + n/15)
	flank := []int{0, 4, 40, 200}[r.IntN(4)]
	text = m.random(r.IntN(flank + 1))
	for range 1 + r.IntN(3)/2 {
		q := m.spoil(read, max(0, errors+r.IntN(3)-1))
		if r.IntN(12) == 0 {
			q = q[r.IntN(len(q)/4+1):]
		}
		text = slices.Concat(text, q, m.random(r.IntN(flank+1)))
	}
	return read, text
}

// rivals returns a read and its text with two alignments of about equal cost: one that has mismatches alone,
// and one that has a gap near the begin or near the end.
func (m *readMaker) rivals(p *align.Model) (read, text []byte) {
	r := m.r
	gap, stride := 1+r.IntN([]int{2, 12}[r.IntN(2)]), 1+r.IntN([]int{3, 12, 12, 70}[r.IntN(4)])
	errors := max(1, min(p.Cost(gap)/p.Mismatch+r.IntN(3)-1, 12))
	// A stretch that is a repeat but for errors.
	body := 20 + r.IntN(120)
	text = m.random(body + gap)
	for i := range errors*stride + r.IntN([]int{4, 24}[r.IntN(2)]) {
		c := text[len(text)-gap]
		for old := c; i < errors*stride && i%stride == stride-1 && c == old; {
			c = m.letters[r.IntN(len(m.letters))]
		}
		text = append(text, c)
	}
	n := len(text)
	if r.IntN(2) == 0 {
		read = slices.Concat(text[:body+gap], text[body:n-gap])
	} else {
		read = slices.Concat(text[:body], text[body+gap:])
		if r.IntN(2) == 0 {
			text = text[:n-gap]
		}
	}
	for range r.IntN(6) - 3 {
		read[r.IntN(body)] = 'N'
	}
	text = append(text, m.random(r.IntN(2)*r.IntN(20))...)
	if r.IntN(2) == 0 {
		slices.Reverse(read)
		slices.Reverse(text)
	}
	return read, append(m.random(r.IntN(2)*r.IntN(20)), text...)
}

// hardReads returns pairs of reads of up to most letters.
func hardReads(r *rand.Rand, n, most int) (cases []aligntest.Case) {
	m := readMaker{r: r}
	for range n {
		m.letters = []string{"ACGT", "ACGT", "ACGT", "ACGTN", "AC", "acgtACGT"}[r.IntN(6)]
		read, text := m.read(most)
		cases = append(cases, aligntest.Case{Name: "hard read", Pattern: read, Text: text})
	}
	return cases
}

// checkParts holds the results that some method has of pairs to the plain matrix, and returns of how many
// it has any.
func checkParts(t *testing.T, o align.Options, cases []aligntest.Case, by func(s *align.SpanBy, pattern, text []byte) (align.Result, bool)) (done int) {
	t.Helper()
	wants := resultsBy(byMatrix(t, o), cases)
	for _, o.Level = range align.Levels() {
		for _, o.ScoreOnly = range []bool{false, true} {
			s, err := align.NewSpanBy(align.SpanByInside, o)
			if err != nil || s == nil {
				t.Fatal(s, err)
			}
			for i, c := range cases {
				got, ok := by(s, c.Pattern, c.Text)
				if ok || got.Err != nil {
					done++
					wantResult(t, o, c, got, wants[i])
				}
			}
		}
	}
	return done
}

// insideOptions returns a scoring and a number of letters to leave out.
func insideOptions(r *rand.Rand) align.Options {
	o := laneModel(r)
	o.Match = 0
	return o
}

// Where an alignment with a gap costs about as much as one without, what few seeds and gates along a global
// alignment show is the alignment of the plain matrix.
func TestRivals(t *testing.T) {
	rounds := roundsOf(240, 60)
	r := rand.New(rand.NewPCG(5, 23))
	few, along, runs := 0, 0, 0
	for i := range rounds {
		o := insideOptions(r)
		o.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
		o.Match = max(0, i%6-3)
		model, err := o.Model()
		if err != nil {
			t.Fatal(err)
		}
		m := readMaker{r: r, letters: "ACGT"}
		var cases []aligntest.Case
		for range 40 {
			read, text := m.rivals(&model)
			cases = append(cases, aligntest.Case{Name: "rivals", Pattern: read, Text: text})
		}
		few += checkParts(t, o, cases, (*align.SpanBy).AlignFew)
		along += checkParts(t, o, cases, (*align.SpanBy).AlignAlong)
		runs += checkParts(t, o, cases, (*align.SpanBy).AlignRuns)
	}
	if slices.Contains(align.Levels(), "avx2") && few < 20*rounds || along < 20*rounds || runs < 4*rounds {
		t.Errorf("%d, %d and %d results", few, along, runs)
	}
}

// roundsOf returns how many rounds a test has, fewer in short tests.
func roundsOf(all, short int) int {
	if testing.Short() {
		return short
	}
	return all
}

// What few seeds show is the alignment of the plain matrix.
func TestFewSeeds(t *testing.T) {
	rounds := roundsOf(150, 40)
	r := rand.New(rand.NewPCG(3, 23))
	done := 0
	for range rounds {
		done += checkParts(t, insideOptions(r), hardReads(r, 25, []int{60, 150, 260}[r.IntN(3)]), (*align.SpanBy).AlignFew)
	}
	if slices.Contains(align.Levels(), "avx2") && done < 20*rounds {
		t.Errorf("%d results", done)
	}
}

// Gates along a global alignment or along runs of equal letters, and alignments beside gates by wavefronts,
// have the alignment of the plain matrix.
func TestGatesAlong(t *testing.T) {
	rounds := roundsOf(40, 10)
	r := rand.New(rand.NewPCG(4, 23))
	done, runs := 0, 0
	for i := range rounds {
		o := insideOptions(r)
		if i%4 == 0 {
			o.Match = 1 + r.IntN(2)
		}
		cases := append(hardReads(r, 10, 300), hardReads(r, 3, 1200)...)
		done += checkParts(t, o, cases, (*align.SpanBy).AlignAlong)
		runs += checkParts(t, o, cases, (*align.SpanBy).AlignRuns)
		done += checkParts(t, o, cases, func(s *align.SpanBy, pattern, text []byte) (align.Result, bool) {
			return s.Align(pattern, text, nil)
		})
	}
	if done < 20*rounds || runs < 2*rounds {
		t.Errorf("%d and %d results", done, runs)
	}
}
