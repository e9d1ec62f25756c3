package gpu

import (
	"bytes"
	"sync/atomic"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/pack"
	"wfagpu/gpu/internal/passes"
)

// elementsOf returns elements of operations, by code, and lengths.
func elementsOf(codesAndLengths ...uint32) (elements []uint32) {
	for i := 0; i < len(codesAndLengths); i += 2 {
		elements = append(elements, codesAndLengths[i+1]<<4|codesAndLengths[i])
	}
	return elements
}

// Open parts become pieces, with their letters; elements that are no alignment of the pair are an error,
// whatever is wrong with them.
func TestPartials(t *testing.T) {
	const match, mismatch = 7, 8
	pair := align.Pair{Pattern: []byte("ACGTACGTAC"), Text: []byte("ACGTTACGTCC")}
	for _, tc := range []struct {
		name     string
		elements []uint32
		parts    []align.Pair // nil: an error
		most     int
	}{
		{"one", elementsOf(match, 3, abi.OpenPattern, 2, abi.OpenText, 3, abi.OpenCost, 5, match, 3, mismatch, 1, match, 1),
			[]align.Pair{{Pattern: []byte("TA"), Text: []byte("TTA")}}, 7},
		{"two, side by side", elementsOf(abi.OpenPattern, 5, abi.OpenText, 6, abi.OpenCost, 4, abi.OpenPattern, 5, abi.OpenText, 5, abi.OpenCost, 2),
			[]align.Pair{{Pattern: []byte("ACGTA"), Text: []byte("ACGTTA")}, {Pattern: []byte("CGTAC"), Text: []byte("CGTCC")}}, 8},
		{"none", elementsOf(match, 10), nil, 0},
		{"too long", elementsOf(match, 3, abi.OpenPattern, 20, abi.OpenText, 3, abi.OpenCost, 5), nil, 0},
		{"too short", elementsOf(match, 3, abi.OpenPattern, 2, abi.OpenText, 3, abi.OpenCost, 5, match, 4), nil, 0},
		{"no cost", elementsOf(match, 3, abi.OpenPattern, 7, abi.OpenText, 8), nil, 0},
		{"no text", elementsOf(match, 3, abi.OpenPattern, 2, abi.OpenCost, 5, match, 5), nil, 0},
		{"empty text", elementsOf(match, 3, abi.OpenPattern, 2, abi.OpenText, 0, abi.OpenCost, 5, match, 5), nil, 0},
		{"in another order", elementsOf(match, 3, abi.OpenText, 8, abi.OpenPattern, 7, abi.OpenCost, 5), nil, 0},
		{"stray", elementsOf(match, 3, abi.OpenCost, 3, abi.OpenPattern, 2, abi.OpenText, 3, abi.OpenCost, 5, match, 5), nil, 0},
		{"above the bound", elementsOf(abi.OpenPattern, 10, abi.OpenText, 11, abi.OpenCost, 50), nil, 0},
	} {
		for _, within := range []bool{false, true} { // a text, with positions ahead of the elements
			pair, elements, text, begin := pair, tc.elements, 11, 0
			if within {
				pair.Text = []byte("GG" + string(pair.Text) + "CCC")
				elements, text, begin = append([]uint32{0, 2}, elements...), text+5, 2
			}
			x := &assembler{policy: &passes.Policy{}}
			x.policy.Spans = within
			c := &call{batch: &align.Batch{Pairs: []align.Pair{{}, pair}}, ended: new(atomic.Bool)}
			p := x.takePartials(c)
			most, squares, err := p.add(&passes.Task{Index: 1, Pattern: 10, Text: int32(text), Bound: 20}, 2, elements)
			if (err != nil) != (tc.parts == nil) {
				t.Errorf("%s: error %v", tc.name, err)
			}
			if err != nil || tc.parts == nil {
				continue
			}
			same := len(p.batch.Pairs) == len(tc.parts) && p.pairs[0].begin == begin
			sum := 0.0
			for i := range tc.parts {
				same = same && string(p.batch.Pairs[i].Pattern) == string(tc.parts[i].Pattern) && string(p.batch.Pairs[i].Text) == string(tc.parts[i].Text)
				sum += float64(p.expected[i] * p.expected[i])
			}
			if !same || most != tc.most || squares != sum {
				t.Errorf("%s: %q, %d, %v", tc.name, p.batch.Pairs, most, squares)
			}
		}
	}
	x := &assembler{policy: &passes.Policy{}}
	x.policy.Spans = true
	p := x.takePartials(&call{batch: &align.Batch{Pairs: []align.Pair{pair}}, ended: new(atomic.Bool)})
	for _, elements := range [][]uint32{nil, {0}, {0, 2}, append([]uint32{0, 2}, elementsOf(match, 5, abi.OpenPattern, 5, abi.OpenText, 5, abi.OpenCost, 5)...)} {
		if _, _, err := p.add(&passes.Task{Pattern: 10, Text: 11, Bound: 20}, 2, elements); err == nil {
			t.Errorf("%v: no error", elements) // the text ends before
		}
	}
}

// The bounds of parts are those that the gated pass has found, and parts take no gated passes.
func TestPartTasks(t *testing.T) {
	e := openGated(t, newFakeGPU(t, 1000), Options{Cutoff: 5000}, 0.05)
	letters := bytes.Repeat([]byte("ACGT"), 500)
	c := &call{batch: &align.Batch{}, bounds: true, ended: new(atomic.Bool)}
	for _, bound := range []int{3, 40, 700} {
		c.batch.Pairs = append(c.batch.Pairs, align.Pair{Pattern: letters, Text: letters[:len(letters)-bound/100]})
		c.expected = append(c.expected, bound)
	}
	c.batch.PrepareResults()
	s := &stager{policy: &e.policy, cutters: &e.assembler.cutters, rates: e.estimate.Rates(), maxBounds: *e.scheduler.maxBounds.Load()}
	bases := make([]uint32, 1000+pack.Tail)
	if end := s.stage(c, bases, 0, len(c.expected)); end != len(c.expected) || len(s.todo) != end {
		t.Fatalf("%d parts and %d tasks of %d", end, len(s.todo), len(c.expected))
	}
	for i, task := range s.todo {
		if int(task.Bound) != c.expected[i] || task.Attempts != passes.Certain || e.policy.Gates(task.Kernel) {
			t.Errorf("%+v, want the bound %d", task, c.expected[i])
		}
	}
}

// Alignments with open parts are kept apart from the launch's memory. They count with the upper bounds of
// their scores, and as failed where the parts are most of the work.
func TestPartialDecode(t *testing.T) {
	const match = 7
	letters := bytes.Repeat([]byte("ACGT"), 100)
	c := &call{batch: &align.Batch{Pairs: []align.Pair{{Pattern: letters, Text: letters}}}, ended: new(atomic.Bool)}
	d := &decoder{assembler: &assembler{policy: &passes.Policy{}}}
	d.policy = d.assembler.policy
	d.load = &load{call: c}
	tk := &passes.Task{Pattern: 400, Text: 400, Class: uint8(estimate.LengthClass(400)), Bound: 400}
	var most []int
	add := func(cost int, elements []uint32) {
		t.Helper()
		d.cigars = append([]uint32{0}, elements...)
		r := &abi.Result{Score: int32(cost), Cigar: 1, CigarLength: uint32(len(elements)), Flags: abi.FlagOpen}
		if err := d.partial(tk, r); err != nil {
			t.Fatal(err)
		}
		clear(d.cigars) // the next launch has it
	}
	for _, tc := range []struct {
		cost, first, second int
		failed              float64
	}{{10, 50, 40, 0}, {50, 20, 30, 0}, {0, 60, 0, 1}, {20, 75, 5, 2}} {
		elements := elementsOf(match, 100, abi.OpenPattern, 100, abi.OpenText, 100, abi.OpenCost, uint32(tc.first), match, 100)
		if tc.second > 0 {
			elements = append(elements, elementsOf(abi.OpenPattern, 100, abi.OpenText, 100, abi.OpenCost, uint32(tc.second))...)
		} else {
			elements = append(elements, elementsOf(match, 100)...)
		}
		add(tc.cost, elements)
		most = append(most, tc.cost+tc.first+tc.second)
		if got := d.seen.Gated[tk.Class].Failed; got != tc.failed {
			t.Errorf("%+v: %v failed", tc, got)
		}
	}
	for _, score := range most {
		if d.seen.Bins[tk.Class][estimate.RateBin(score, 400)] == 0 {
			t.Errorf("score %d is not counted", score)
		}
	}
	if n := len(d.partials.pairs); n != 4 || d.partials.elements.QueryLen() != 900 {
		t.Errorf("%d alignments, %v", n, d.partials.elements)
	}
}
