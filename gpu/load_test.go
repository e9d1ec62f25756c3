package gpu

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// manyOf returns pairs of which each has, for both sequences, one of some lengths.
func manyOf(r *rand.Rand, count int, lengths ...int) []align.Pair {
	letters := bytes.Repeat([]byte("ACGT"), slices.Max(lengths)/4+1)
	pairs := make([]align.Pair, count)
	for i := range pairs {
		pairs[i].Pattern = letters[:lengths[r.IntN(len(lengths))]]
		pairs[i].Text = letters[:lengths[r.IntN(len(lengths))]]
	}
	return pairs
}

// Loads hold as many pairs as there is room for, whatever they seem to be like
// when they are cut, and no pair is left out.
func TestLoads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	few := manyOf(r, lanePairs, 100)
	for range 40 { // as good as never looked at, and too much for one load
		few[r.IntN(len(few))].Text = bytes.Repeat([]byte("A"), laneLetters/20)
	}
	sorted := append(manyOf(r, lanePairs/2, 100), manyOf(r, lanePairs/2, 600)...)
	for _, tc := range []struct {
		name     string
		pairs    []align.Pair
		ofBatch  int // loads, by cut
		ofStages int // loads, by stage
	}{
		{"short", manyOf(r, 2*lanePairs+5, 150), 3, 3},
		{"a little too long", manyOf(r, lanePairs, 200, 220), 2, 2},
		{"long", manyOf(r, 1000, 10_000, 12_000), 1, 1},
		{"a few long ones", few, 1, 3},
		{"first short, then long", sorted, 2, 2},
		{"too long", []align.Pair{{Pattern: make([]byte, laneLetters), Text: []byte("A")}}, 1, 1},
		{"none", nil, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := openOnFake(t, newFakeGPU(t, 2000), Options{})
			l, err := e.acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { e.lanes <- l }()
			e.estimate.rates(&l.rates)
			b := &align.Batch{Pairs: tc.pairs}
			b.PrepareResults()
			ofBatch, ofStages, staged := 0, 0, 0
			for from := 0; from < len(b.Pairs); {
				to := cut(b.Pairs, from)
				if to <= from || to-from > lanePairs {
					t.Fatalf("a load of %d pairs", to-from)
				}
				ofBatch++
				for from < to {
					end := l.stage(b, from, to)
					if end <= from || end > to {
						t.Fatalf("stage got from %d to %d, at most to %d", from, end, to)
					}
					wantAsBegun(t, l, b)
					ofStages++
					staged += len(l.todo) + len(l.left)
					l.left = l.left[:0]
					from = end
				}
			}
			if ofBatch != tc.ofBatch || ofStages != tc.ofStages || staged != len(b.Pairs) {
				t.Errorf("%d loads, staged %d times, of %d pairs; want %d, %d times, %d",
					ofBatch, ofStages, staged, tc.ofBatch, tc.ofStages, len(b.Pairs))
			}
		})
	}
}

// wantAsBegun holds the tasks of a load that is staged, and what is known of all
// of them, against those that begin makes.
func wantAsBegun(t *testing.T, l *lane, b *align.Batch) {
	t.Helper()
	room := 0
	for j, got := range l.todo {
		p := &b.Pairs[l.index[j]]
		n, m := len(p.Pattern), len(p.Text)
		want := task{pair: int32(j), class: uint8(lengthClass(max(n, m)))}
		if err := l.begin(&want, n, m); err != nil || got != want {
			t.Fatalf("lengths %d and %d: task %+v, want %+v, %v", n, m, got, want, err)
		}
		room += l.e.cigarRoom(int(got.limit))
	}
	if room != l.room {
		t.Errorf("room for %d elements is asked for, want %d", l.room, room)
	}
	var counted []launchGroup
	l.tally.sort()
	counted = append(counted, l.tally.groups...)
	l.count(l.todo)
	l.tally.sort()
	if !slices.EqualFunc(counted, l.tally.groups, func(a, b launchGroup) bool {
		return a.count == b.count && a.variant == b.variant && a.class == b.class &&
			a.maxScore == b.maxScore && a.text == b.text && a.pattern == b.pattern
	}) {
		t.Errorf("groups %+v, one by one %+v", counted, l.tally.groups)
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
		l, err := e.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		e.estimate.rates(&l.rates)
		b := &align.Batch{Pairs: append(manyOf(r, 10_000, lengths...), manyOf(r, 20, 100, 40_000)...)}
		b.PrepareResults()
		if end := l.stage(b, 0, len(b.Pairs)); end != len(b.Pairs) {
			t.Errorf("stage stops at %d of %d pairs", end, len(b.Pairs))
		}
		wantAsBegun(t, l, b)
		for _, i := range l.left {
			p := &b.Pairs[i]
			var task task
			if err := l.begin(&task, len(p.Pattern), len(p.Text)); err == nil || err != b.Results[i].Err {
				t.Errorf("lengths %d and %d: %v, want %v", len(p.Pattern), len(p.Text), b.Results[i].Err, err)
			}
		}
		if len(l.todo)+len(l.left) != len(b.Pairs) {
			t.Errorf("%d tasks and %d pairs left of %d", len(l.todo), len(l.left), len(b.Pairs))
		}
		e.lanes <- l
	}
}

// Pairs that are more than a load after all are aligned in several, all of them.
func TestSplitLoadOnFake(t *testing.T) {
	long := bytes.Repeat([]byte("ACGGT"), laneLetters/200)
	b := &align.Batch{}
	for seed := uint64(1); ; seed++ { // until the long ones are not looked at
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
