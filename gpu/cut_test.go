package gpu

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/memory"
	"wfagpu/gpu/internal/pack"
	"wfagpu/gpu/internal/passes"
)

// loadLetters is the largest size of a load.
const loadLetters = loadWords * abi.LettersPerWord

// testStager returns a stager of an engine, without a stream, with room for a load.
func testStager(e *Engine) (s *stager, bases []uint32) {
	s = &stager{policy: &e.policy, cutters: &e.assembler.cutters, rates: e.estimate.Rates(), maxBounds: *e.scheduler.maxBounds.Load()}
	return s, make([]uint32, loadWords+pack.Tail)
}

// testCall returns a call for a batch.
func testCall(b *align.Batch) *call {
	b.PrepareResults()
	return &call{batch: b, fallback: func([]int32) {}, ended: new(atomic.Bool), done: make(chan struct{})}
}

// Loads hold as many pairs as there is room for, whatever a sample of them suggests,
// and no pair is lost.
func TestLoads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	few := manyOf(r, loadPairs, 100)
	for range 40 { // almost never sampled, and too much for one load
		few[r.IntN(len(few))].Text = bytes.Repeat([]byte("A"), loadLetters/20)
	}
	sorted := append(manyOf(r, loadPairs/2, 100), manyOf(r, loadPairs/2, 600)...)
	for _, tc := range []struct {
		name    string
		pairs   []align.Pair
		ranges  int // by cut
		ofStage int // loads, by stage
	}{
		{"short", manyOf(r, 2*loadPairs+5, 150), 3, 3},
		{"a little too long", manyOf(r, loadPairs, 200, 220), 2, 2},
		{"long", manyOf(r, 1000, 10_000, 12_000), 1, 1},
		{"a few long ones", few, 1, 3},
		{"first short, then long", sorted, 2, 2},
		{"too long", []align.Pair{{Pattern: make([]byte, loadLetters), Text: []byte("A")}}, 1, 1},
		{"none", nil, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := openOnFake(t, newFakeGPU(t, 2000), Options{})
			s, bases := testStager(e)
			b := &align.Batch{Pairs: tc.pairs}
			c := testCall(b)
			ranges, loads, staged := 0, 0, 0
			for from := 0; from < len(b.Pairs); {
				to, words := cut(b.Pairs, from)
				if to <= from || to-from > loadPairs || words > loadWords {
					t.Fatalf("a range of %d pairs, %d words", to-from, words)
				}
				ranges++
				for from < to {
					end := s.stage(c, bases[:words+pack.Tail], from, to)
					if end <= from || end > to {
						t.Fatalf("stage got from %d to %d, at most to %d", from, end, to)
					}
					wantAsStarted(t, s, b, from)
					loads++
					staged += len(s.todo) + len(s.fallback)
					from = end
				}
			}
			if ranges != tc.ranges || loads != tc.ofStage || staged != len(b.Pairs) {
				t.Errorf("%d ranges, %d loads, of %d pairs; want %d, %d, %d",
					ranges, loads, staged, tc.ranges, tc.ofStage, len(b.Pairs))
			}
		})
	}
}

// wantAsStarted compares the staged tasks of pairs from one on, and their groups, with those that the policy
// starts one by one.
func wantAsStarted(t *testing.T, s *stager, b *align.Batch, from int) {
	t.Helper()
	type counted struct {
		passes.Key
		kernel.Group
	}
	groups := map[passes.Key]counted{}
	places := map[int32]uint32{}
	at := 0
	for i := from; i < len(b.Pairs); i++ {
		places[int32(i)] = uint32(at)
		if !slices.Contains(s.fallback, int32(i)) {
			at += pack.Words(len(b.Pairs[i].Pattern)) + pack.Words(len(b.Pairs[i].Text))
		}
	}
	for _, got := range s.todo {
		p := &b.Pairs[got.Index]
		n, m := len(p.Pattern), len(p.Text)
		want := passes.Task{
			At: places[got.Index], Index: got.Index, Pattern: int32(n), Text: int32(m), Class: uint8(estimate.LengthClass(max(n, m))),
		}
		if s.policy.Samples() && s.policy.Approx.Errors(p.Pattern, p.Text) != align.ManyErrors {
			want.Class += estimate.LengthClasses
		}
		if err := s.policy.First(&want, s.rates, s.maxBounds); err != nil || got != want {
			t.Fatalf("lengths %d and %d: task %+v, want %+v, %v", n, m, got, want, err)
		}
		g := groups[s.policy.Key(&got)]
		g.Key = s.policy.Key(&got)
		g.Count++
		passes.Enlarge(&g.Group, got.Bound, got.Text, got.Pattern)
		groups[g.Key] = g
	}
	todo := append([]passes.Task{}, s.todo...)
	l, dealt := s.load(&call{}, memory.Span{})
	if l.open != len(todo) {
		t.Errorf("a load of %d tasks has %d open", len(todo), l.open)
	}
	tasks := 0
	byIndex := map[int32]passes.Task{}
	for i := range todo {
		byIndex[todo[i].Index] = todo[i]
	}
	for i := range dealt {
		g := &dealt[i]
		if g.Count == 0 {
			continue // of pairs with letters that the GPU does not take
		}
		if want := groups[g.Key]; want.Group != g.Group || len(g.tasks) != g.Count {
			t.Errorf("group %+v of %d tasks, want %+v", g.Group, len(g.tasks), want)
		}
		tasks += len(g.tasks)
		for _, got := range g.tasks {
			if s.policy.Key(&got) != g.Key || got != byIndex[got.Index] {
				t.Fatalf("task %+v in the group %+v", got, g.Key)
			}
			delete(byIndex, got.Index)
		}
	}
	if tasks != len(todo) || len(byIndex) > 0 {
		t.Errorf("%d tasks in groups, want %d", tasks, len(todo))
	}
	s.todo = todo
}

// Staging has many more lengths than there are places for them, and pairs for
// which there is no kernel.
func TestStageAllLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	lengths := make([]int, 400)
	for i := range lengths {
		lengths[i] = 1 + i
	}
	for _, approx := range []*align.Approx{nil, {}, {Band: 20}, {Band: 4000, Lambda: 9}} {
		e := openOnFake(t, newFakeGPU(t, 2000), Options{Approx: approx})
		s, bases := testStager(e)
		b := &align.Batch{Pairs: append(manyOf(r, 10_000, lengths...), manyOf(r, 20, 100, 40_000)...)}
		if end := s.stage(testCall(b), bases, 0, len(b.Pairs)); end != len(b.Pairs) {
			t.Errorf("stage stops at %d of %d pairs", end, len(b.Pairs))
		}
		wantAsStarted(t, s, b, 0)
		for _, i := range s.fallback {
			p := &b.Pairs[i]
			n, m := len(p.Pattern), len(p.Text)
			task := passes.Task{Pattern: int32(n), Text: int32(m), Class: uint8(estimate.LengthClass(max(n, m)))}
			if err := s.policy.First(&task, s.rates, s.maxBounds); err == nil || err != b.Results[i].Err {
				t.Errorf("lengths %d and %d: %v, want %v", n, m, b.Results[i].Err, err)
			}
		}
		if len(s.todo)+len(s.fallback)+len(s.pieces()) != len(b.Pairs) {
			t.Errorf("%d tasks and %d pairs for the other engine, of %d", len(s.todo), len(s.fallback), len(b.Pairs))
		}
	}
}

// Pairs that do not fit into one load after all are aligned in several, all of
// them.
func TestSplitLoadOnFake(t *testing.T) {
	long := bytes.Repeat([]byte("ACGGT"), loadLetters/200)
	b := &align.Batch{}
	for seed := uint64(1); ; seed++ { // until the long ones are not sampled
		r := rand.New(rand.NewPCG(seed, 9))
		b.Pairs = manyOf(r, 4200, 5, 7)
		for range 30 {
			b.Pairs[r.IntN(len(b.Pairs))] = align.Pair{Pattern: long, Text: long}
		}
		if seemShort(b.Pairs) {
			break
		}
	}
	e := openOnFake(t, newFakeGPU(t, 2000), Options{})
	mustAlignAll(t, e, b)
	if got := e.Stats().Finished(); got != int64(len(b.Pairs)) {
		t.Errorf("%d of %d pairs are finished", got, len(b.Pairs))
	}
	for i := range b.Results {
		p, r := &b.Pairs[i], &b.Results[i]
		if err := aligntest.Check(p.Pattern, p.Text, align.DefaultPenalties, *r); r.Err != nil || err != nil {
			t.Fatalf("pair %d: %v, %v", i, r.Err, err)
		}
	}
}

// Score bounds for giant differences in length, with the largest penalties, do not
// wrap around: such pairs fall back to the other engine, or their bound is cut.
func TestBoundsStayIn32Bits(t *testing.T) {
	p := align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 255}
	for _, bound := range []ErrorBound{{}, {Score: 1 << 62}, {Fraction: 1e300}} {
		e := openOnFake(t, newFakeGPU(t, 1000), Options{ScoreOnly: true, Penalties: p, MaxError: bound})
		s, bases := testStager(e)
		b := &align.Batch{Pairs: []align.Pair{
			{Pattern: []byte("A"), Text: bytes.Repeat([]byte("C"), 9_000_000)},
			{Pattern: bytes.Repeat([]byte("A"), 5_000_000), Text: bytes.Repeat([]byte("C"), 5_000_000)},
		}}
		s.stage(testCall(b), bases, 0, 2)
		if len(s.todo) != 1 || b.Results[0].Err != passes.ErrLength {
			t.Errorf("%+v: tasks %+v, error of the first pair %v", bound, s.todo, b.Results[0].Err)
		}
		for _, task := range s.todo {
			if task.Bound <= 0 || task.Bound > kernel.MaxBound {
				t.Errorf("%+v: score bound %d", bound, task.Bound)
			}
		}
	}
}
