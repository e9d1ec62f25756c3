package align

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGateRule compares gates with those of the rule, word by word and cell by cell.
func TestGateRule(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	found, each := 0, 0
	for range 3000 {
		pen := gatedPenalties[r.IntN(len(gatedPenalties))]
		p, s := gatedPair(r, 100+r.IntN(1000))
		x := exactFor(t, pen, p, s)
		if !x.along.run(x.pattern, x.text) {
			continue
		}
		x.gated.findGates()
		g, runs := &x.gated.gates, x.along.runs
		if g.each {
			each++
		}
		if want := gatesByRule(g, runs, x.along.cost); !slices.Equal(g.gates, want) {
			t.Fatalf("%v: gates %v, want %v on runs %v:\n%s\n%s", x.pen, g.gates, want, runs, p, s)
		}
		found += len(g.gates)
	}
	if found < 1000 || each < 100 || each > 2900 {
		t.Fatalf("%d gates, %d", found, each)
	}
}

// gatesByRule returns gates by what runGates says of them.
func gatesByRule(g *runGates, runs []equalRun, cost int) (gates []runGate) {
	gaps := max(0, cost-g.pen.GapOpen) / g.pen.GapExtend
	for i, r := range runs[1:] {
		gaps += abs(r.k - runs[i].k)
	}
	unit := min(g.pen.Mismatch, g.pen.Gap(1), g.pen.Gap(2)/2, seedWord*g.pen.GapExtend)
	of, credit := g.text, 0
	if end := g.text.n - g.pattern.n; end >= creditGap {
		credit = min(g.pen.GapExtend, g.pen.Gap(1)-unit)
	} else if end <= -creditGap {
		of, credit = g.pattern, -min(g.pen.GapExtend, g.pen.Gap(1)-unit)
	}
	type cell struct{ run, v, sum int }
	var cells []cell
	var first, last []int
	sum := 0
	for i, r := range runs {
		if i > 0 {
			sum -= r.cost - runs[i-1].cost - credit*(r.k-runs[i-1].k)
		}
		first = append(first, sum)
		words := (r.to - r.from) / seedWord
		for j := range words + 1 {
			v := r.from + j*seedWord
			if !g.each || j >= words-seedWords {
				cells = append(cells, cell{i, v, sum})
			}
			h := v
			if of == g.text {
				h += r.k
			}
			if j < words && (!g.each || j >= words-seedWords || j < seedWords) && g.isSeed(of, h, gaps/2) {
				sum += unit
			}
		}
		last = append(last, sum)
	}
	for _, c := range cells {
		if c.run > 0 && c.sum <= slices.Max(last[:c.run]) || c.run+1 < len(runs) && c.sum >= slices.Min(first[c.run+1:]) {
			continue
		}
		if k := len(gates) - 1; k >= 0 && gates[k].run == c.run {
			gates[k].v = c.v
		} else {
			gates = append(gates, runGate{c.run, c.v})
		}
	}
	return gates
}

// isSeed reports whether a sequence has the word at letter h nowhere else in reach, nor, where all copies are
// looked for together, one of its hash.
func (g *runGates) isSeed(of *sequence, h, reach int) bool {
	key := func(h int) uint64 {
		w := load64(of.first(), h)
		if !g.each {
			w = w * wordFactor >> (64 - min(max(bits.Len(uint(reach))+moreWordBits, leastWordBits), mostWordBits))
		}
		return w
	}
	for i := max(0, h-reach); i <= min(h+reach, of.n-seedWord); i++ {
		if i != h && key(i) == key(h) {
			return false
		}
	}
	return true
}
