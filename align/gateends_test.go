package align

import (
	"math/rand/v2"
	"testing"
)

// What is before the first gate ends at the gate, and what is behind the last one begins there, whatever costs less:
// here for letters of which few are equal at the gates.
func TestPartsBesideGates(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	some := func(n int) []byte {
		s := make([]byte, n)
		for i := range s {
			s[i] = "ACG"[r.IntN(3)]
		}
		return s
	}
	reversed := func(s []byte) []byte {
		to := make([]byte, len(s))
		reverseInto(to, s)
		return to
	}
	o, err := (&Options{Penalties: Penalties{3, 2, 1}, Match: 2, Span: Local}).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	k := kernelsFor(o.Level)
	ends := map[Span]*gateEnds{}
	for _, o.Span = range []Span{Extension, Local} {
		m, err := o.Model()
		if err != nil {
			t.Fatal(err)
		}
		if ends[o.Span], err = newGateEnds(k, &m, o); err != nil {
			t.Fatal(err)
		}
	}
	for range 2000 {
		p, q := some(1+r.IntN(30)), some(1+r.IntN(30))
		whole := Place{0, len(p), 0, len(q)}
		align := func(part *insidePart, p, q []byte) spanResult {
			t.Helper()
			if err := part.align(p, q, 20); err != nil {
				t.Fatal(err)
			}
			x := &part.result
			m := part.model
			at := x.place
			if m.Span == Global {
				at = whole
			}
			values := m.values()
			cost, err := values.Of(x.cigar)
			if err != nil {
				t.Fatal(err)
			}
			out := len(p) + len(q) - (at.PatternEnd - at.PatternBegin) - (at.TextEnd - at.TextBegin)
			if cost += m.FreeLetter * out; cost != x.cost {
				t.Fatalf("%q %q, span %d: the alignment %v at %+v costs %d, not %d", p, q, m.Span, x.cigar, at, cost, x.cost)
			}
			return *x
		}
		behind := align(&ends[Extension].behind, reversed(p), reversed(q))
		if at := behind.place; at.PatternBegin != 0 || at.TextBegin != 0 {
			t.Fatalf("%q %q: what is behind a gate begins at %+v", p, q, at)
		}
		if other := align(&ends[Local].behind, reversed(p), reversed(q)); other.cost != behind.cost {
			t.Fatalf("%q %q: what is behind a gate costs %d, not %d", p, q, other.cost, behind.cost)
		}
		before := align(&ends[Local].before, p, q)
		if at := before.place; at.PatternEnd != len(p) || at.TextEnd != len(q) || before.cost != behind.cost {
			t.Fatalf("%q %q: what is before a gate ends at %+v and costs %d, not %d", p, q, at, before.cost, behind.cost)
		}
		x := ends[Extension]
		want, _, err := x.between(x.short, p, q)
		if err != nil {
			t.Fatal(err)
		}
		if global := align(&x.before, p, q); global.cost*x.before.model.Scale != want {
			t.Fatalf("%q %q: what is before a gate of an extension costs %d, not %d", p, q, global.cost*x.before.model.Scale, want)
		}
	}
}
