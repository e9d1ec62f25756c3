package align

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// columnsOf reads columns of an alignment, such as 32= 1X 4D.
func columnsOf(s string) (c []byte) {
	for _, f := range strings.Fields(s) {
		last := len(f) - 1
		n, err := strconv.Atoi(f[:last])
		if err != nil {
			panic(err)
		}
		c = append(c, strings.Repeat(f[last:], n)...)
	}
	return c
}

// eachColumn calls f with each column and the letters before it.
func eachColumn(columns []byte, f func(c byte, v, h int)) (m, n int) {
	for _, c := range columns {
		f(c, m, n)
		if c != 'D' {
			m++
		}
		if c != 'I' {
			n++
		}
	}
	return m, n
}

// pairAlong returns letters of a pair of which all alignments are valid, or nil if there are none.
func pairAlong(r *rand.Rand, alphabet string, alignments ...[]byte) (p, t []byte) {
	m, n := eachColumn(alignments[0], func(byte, int, int) {})
	same := make([]int, m+n) // letters of the pattern, then of the text: another one that is the same
	for i := range same {
		same[i] = i
	}
	first := func(i int) int {
		for same[i] != i {
			i = same[i]
		}
		return i
	}
	for _, a := range alignments {
		eachColumn(a, func(c byte, v, h int) {
			if c == '=' {
				same[first(v)] = first(m + h)
			}
		})
	}
	letters := lettersOf(r, alphabet, m+n)
	valid := true
	for range 2 {
		valid = true
		for _, a := range alignments {
			eachColumn(a, func(c byte, v, h int) {
				if i, j := first(v), first(m+h); c == 'X' && letters[i] == letters[j] {
					letters[i], valid = alphabet[r.IntN(len(alphabet))], false
				}
			})
		}
	}
	if !valid {
		return nil, nil
	}
	s := make([]byte, m+n)
	for i := range s {
		s[i] = letters[first(i)]
	}
	return s[:m], s[m:]
}

// runsAlong returns the runs of an alignment, whose first and last columns are matches, and what it costs.
func runsAlong(pen Penalties, columns []byte) (runs []equalRun, cost int) {
	before := byte('X')
	eachColumn(columns, func(c byte, v, h int) {
		switch {
		case c == '=' && before != '=':
			runs = append(runs, equalRun{from: v, to: v + 1, k: h - v, cost: cost})
		case c == '=':
			runs[len(runs)-1].to++
		case c == 'X':
			cost += pen.Mismatch
		case c == before:
			cost += pen.GapExtend
		default:
			cost += pen.Gap(1)
		}
		before = c
	})
	return runs, cost
}

// gatesAlong finds the gates along runs and checks that all optimal alignments pass them.
func gatesAlong(t *testing.T, x *exact, runs []equalRun, cost int) (found int) {
	g := &x.gated.gates
	g.find(x.pattern, x.text, runs, cost)
	p, s := x.pattern.letters(), x.text.letters()
	optimum := costWithout(x.pen, p, s, -1, -1)
	gates := slices.Clone(g.gates)
	for i := range runs {
		if v := g.first(i); v < runs[i].to {
			gates = append(gates, runGate{i, v})
		}
	}
	for _, c := range gates {
		if h := c.v + runs[c.run].k; costWithout(x.pen, p, s, c.v, h) <= optimum {
			t.Fatalf("%v: an alignment of cost %d does not pass the gate %d,%d on runs %v:\n%s\n%s", x.pen, optimum, c.v, h, runs, p, s)
		}
	}
	return len(g.gates)
}

// TestGatesBeside has pairs with two alignments. Along the first one there would be a gate that another one
// does not pass if sums before the last run or behind the next one did not count, or the reach were shorter.
func TestGatesBeside(t *testing.T) {
	r, all := rand.New(rand.NewPCG(57, 58)), 0
	for _, c := range []struct {
		pen           Penalties
		along, beside string
	}{
		// An end of a run that is not the last one before the gate: the other one leaves there.
		{Penalties{10, 12, 3}, "6= 15I 6= 1X 10= 1X 20=", "7= 1X 11= 1X 22= 15I 2="},
		// A begin of a run that is not the first one behind the gate: the other one comes back there.
		{Penalties{3, 1, 4}, "24= 1X 6= 15I 13=", "3= 15I 1X 40="},
		// Copies as far away as the gaps of both alignments lead.
		{Penalties{1, 3, 2}, "64= 1D 80= 1X 64=", "144= 1D 1X 64="},
		{Penalties{1, 3, 2}, "80= 2D 96= 1X 80=", "176= 2D 1X 80="},
		{Penalties{1, 3, 2}, "128= 4I 128= 1X 128=", "256= 4I 1X 128="},
	} {
		found := 0
		for i := range 40 {
			a, b := columnsOf(c.along), columnsOf(c.beside)
			if i%2 == 1 {
				slices.Reverse(a)
				slices.Reverse(b)
			}
			p, s := pairAlong(r, "ACGTEFHIKLMNP", a, b)
			if p == nil {
				continue
			}
			x := exactFor(t, c.pen, p, s)
			runs, cost := runsAlong(x.pen, a)
			if _, other := runsAlong(x.pen, b); other > cost {
				t.Fatalf("%s costs %d, %s %d", c.beside, other, c.along, cost)
			}
			if i%4 > 1 { // runs without letters, so that all copies are looked for together
				runs = slices.Concat(make([]equalRun, len(s)), runs)
			}
			found += gatesAlong(t, x, runs, cost)
		}
		all += found
	}
	if all < 100 {
		t.Fatalf("%d gates", all)
	}
}

// exactFor returns the exact methods at penalties, of any code path, with the pair.
func exactFor(t *testing.T, pen Penalties, p, s []byte) *exact {
	a, err := NewAligner(Options{Penalties: pen, Level: Levels()[len(p)%len(Levels())]})
	if err != nil {
		t.Fatal(err)
	}
	x, err := a.loadExact(p, s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestGatesBesideAny has pairs of which one alignment has a gap before some mismatches, and another one of
// about the same cost behind some.
func TestGatesBesideAny(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 60))
	found := 0
	for range 8000 {
		pen := []Penalties{{1, 0, 1}, {1, 1, 1}, {2, 1, 1}, {2, 0, 1}, {1, 0, 2}, {3, 2, 2}, {2, 3, 1}, {5, 6, 1}}[r.IntN(8)]
		gap := slices.Repeat([]byte{"ID"[r.IntN(2)]}, 1+r.IntN(1+r.IntN(12)))
		var ends [2][]byte
		for i := range ends {
			ends[i] = slices.Repeat([]byte("="), 1+8*(1+r.IntN(3))+r.IntN(8)*r.IntN(2))
		}
		middle := func(n, mismatches int) []byte {
			s := slices.Repeat([]byte("="), n)
			for range mismatches {
				s[r.IntN(n)] = 'X'
			}
			return s
		}
		n, mismatches := 16+r.IntN(80), r.IntN(5)
		a := slices.Concat(ends[0], gap, middle(n, mismatches), ends[1])
		b := slices.Concat(ends[0], middle(n, max(0, mismatches-r.IntN(2))), gap, ends[1])
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		p, s := pairAlong(r, "ACGTEFHIKLMNP", a, b)
		if p == nil {
			continue
		}
		runs, cost := runsAlong(pen, a)
		found += gatesAlong(t, exactFor(t, pen, p, s), runs, cost)
	}
	if found < 1000 {
		t.Fatalf("%d gates", found)
	}
}
