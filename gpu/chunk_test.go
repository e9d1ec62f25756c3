package gpu

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/kernel"
)

// Chunks hold as many pairs as there is room for, whatever a sample of
// them suggests, and no pair is lost.
func TestChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	few := manyOf(r, chunkPairs, 100)
	for range 40 { // almost never sampled, and too much for one chunk
		few[r.IntN(len(few))].Text = bytes.Repeat([]byte("A"), chunkLetters/20)
	}
	sorted := append(manyOf(r, chunkPairs/2, 100), manyOf(r, chunkPairs/2, 600)...)
	for _, tc := range []struct {
		name     string
		pairs    []align.Pair
		ofBatch  int // chunks, by cut
		ofStages int // chunks, by stage
	}{
		{"short", manyOf(r, 2*chunkPairs+5, 150), 3, 3},
		{"a little too long", manyOf(r, chunkPairs, 200, 220), 2, 2},
		{"long", manyOf(r, 1000, 10_000, 12_000), 1, 1},
		{"a few long ones", few, 1, 3},
		{"first short, then long", sorted, 2, 2},
		{"too long", []align.Pair{{Pattern: make([]byte, chunkLetters), Text: []byte("A")}}, 1, 1},
		{"none", nil, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := openOnFake(t, newFakeGPU(t, 2000), Options{})
			s, err := e.acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { e.slots <- s }()
			c := &s.chunk
			e.estimate.rates(&c.rates)
			b := &align.Batch{Pairs: tc.pairs}
			b.PrepareResults()
			ofBatch, ofStages, staged := 0, 0, 0
			for from := 0; from < len(b.Pairs); {
				to := cut(b.Pairs, from)
				if to <= from || to-from > chunkPairs {
					t.Fatalf("a chunk of %d pairs", to-from)
				}
				ofBatch++
				for from < to {
					end := c.stage(b, from, to)
					if end <= from || end > to {
						t.Fatalf("stage got from %d to %d, at most to %d", from, end, to)
					}
					wantAsStarted(t, s, b)
					ofStages++
					staged += len(c.todo) + len(c.fallback)
					c.fallback = c.fallback[:0]
					from = end
				}
			}
			if ofBatch != tc.ofBatch || ofStages != tc.ofStages || staged != len(b.Pairs) {
				t.Errorf("%d chunks, staged %d times, of %d pairs; want %d, %d times, %d",
					ofBatch, ofStages, staged, tc.ofBatch, tc.ofStages, len(b.Pairs))
			}
		})
	}
}

// wantAsStarted holds the tasks of a staged chunk, and the tally of all of them,
// against those that the policy starts one by one.
func wantAsStarted(t *testing.T, s *slot, b *align.Batch) {
	t.Helper()
	c := &s.chunk
	room := 0
	for j, got := range c.todo {
		p := &b.Pairs[c.index[j]]
		n, m := len(p.Pattern), len(p.Text)
		want := task{pair: int32(j), class: uint8(lengthClass(max(n, m)))}
		if err := c.policy.first(&want, c.rates[want.class], c.rows.maxBounds, n, m); err != nil || got != want {
			t.Fatalf("lengths %d and %d: task %+v, want %+v, %v", n, m, got, want, err)
		}
		room += c.config.CigarRoom(int(got.bound))
	}
	if room != c.room {
		t.Errorf("room for %d elements is asked for, want %d", c.room, room)
	}
	var counted []group
	c.tally.sort()
	counted = append(counted, c.tally.groups...)
	s.pass.planner.count(c.todo)
	c.tally.sort()
	if !slices.EqualFunc(counted, c.tally.groups, func(a, b group) bool {
		return a.Group == b.Group && a.kernel == b.kernel && a.class == b.class
	}) {
		t.Errorf("groups %+v, one by one %+v", counted, c.tally.groups)
	}
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
		s, err := e.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c := &s.chunk
		e.estimate.rates(&c.rates)
		b := &align.Batch{Pairs: append(manyOf(r, 10_000, lengths...), manyOf(r, 20, 100, 40_000)...)}
		b.PrepareResults()
		if end := c.stage(b, 0, len(b.Pairs)); end != len(b.Pairs) {
			t.Errorf("stage stops at %d of %d pairs", end, len(b.Pairs))
		}
		wantAsStarted(t, s, b)
		for _, i := range c.fallback {
			p := &b.Pairs[i]
			n, m := len(p.Pattern), len(p.Text)
			var task task
			if err := c.policy.first(&task, c.rates[lengthClass(max(n, m))], c.rows.maxBounds, n, m); err == nil || err != b.Results[i].Err {
				t.Errorf("lengths %d and %d: %v, want %v", len(p.Pattern), len(p.Text), b.Results[i].Err, err)
			}
		}
		if len(c.todo)+len(c.fallback) != len(b.Pairs) {
			t.Errorf("%d tasks and %d pairs for the other engine, of %d", len(c.todo), len(c.fallback), len(b.Pairs))
		}
		e.slots <- s
	}
}

// Pairs that do not fit into one chunk after all are aligned in several, all of
// them.
func TestSplitChunkOnFake(t *testing.T) {
	long := bytes.Repeat([]byte("ACGGT"), chunkLetters/200)
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
		s, err := e.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b := &align.Batch{Pairs: []align.Pair{
			{Pattern: []byte("A"), Text: bytes.Repeat([]byte("C"), 9_000_000)},
			{Pattern: bytes.Repeat([]byte("A"), 5_000_000), Text: bytes.Repeat([]byte("C"), 5_000_000)},
		}}
		b.PrepareResults()
		s.chunk.stage(b, 0, 2)
		if len(s.chunk.todo) != 1 || b.Results[0].Err != errLength {
			t.Errorf("%+v: tasks %+v, error of the first pair %v", bound, s.chunk.todo, b.Results[0].Err)
		}
		for _, task := range s.chunk.todo {
			if task.bound <= 0 || task.bound > kernel.MaxBound {
				t.Errorf("%+v: score bound %d", bound, task.bound)
			}
		}
		e.slots <- s
	}
}
