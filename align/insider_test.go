package align_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// TestInsider: engines that align the middles that an Insider leaves have the alignments of Aligner.
func TestInsider(t *testing.T) {
	found, pairs := 0, 0
	for i, s := range aligntest.Scorings() {
		if s.LongGap != (align.Gap{}) {
			continue
		}
		for _, o := range []align.Options{
			{Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}},
			{Span: align.EndsFree, Free: align.Free{TextBegin: 90, TextEnd: align.FreeAll}},
			{Span: align.EndsFree, Free: align.Free{TextEnd: 120}},
			{Span: align.Extension}, {Span: align.Local},
		} {
			if s.Match == 0 && o.Span.EndsAnywhere() {
				continue
			}
			for _, scoreOnly := range []bool{false, true} {
				o.Penalties, o.Match, o.ScoreOnly = s.Penalties, s.Match, scoreOnly
				m, err := o.Model()
				if err != nil {
					t.Fatal(err)
				}
				whole := newAligner(t, o)
				x, err := align.NewInsider(o)
				if err != nil || x == nil {
					t.Fatalf("%v, %v", x, err)
				}
				if m.Affine().Validate() != nil {
					continue // an engine cannot align middles
				}
				middle := newAligner(t, align.Options{Penalties: m.Affine(), ScoreOnly: scoreOnly})
				cases := append(insidePairs(uint64(i), 60, 400), copies(uint64(i), 20, 300)...)
				cases = append(cases, insidePairs(uint64(i)+200, 8, 3000)...)
				if o.Span == align.Extension {
					cases = clearPairs(rand.New(rand.NewPCG(uint64(i), 43)), 40, 900, 0)
				}
				for _, c := range cases {
					pairs++
					in, ok := x.Find(c.Pattern, c.Text, len(c.Pattern)%2 == 0)
					if !ok {
						continue
					}
					found++
					p, q := in.Of(c.Pattern, c.Text)
					if min(len(p), len(q)) == 0 {
						t.Fatalf("the middle is %+v", in.Middle)
					}
					cost, between, err := middle.Align(p, q, nil)
					if err != nil {
						t.Fatal(err)
					}
					score := m.Score(in.Cost+cost, len(c.Pattern)+len(c.Text))
					want, alignment, err := whole.Align(c.Pattern, c.Text, nil)
					if err != nil {
						t.Fatal(err)
					}
					if got := in.Join(nil, between); score != want || in.Place != whole.Place() || !slices.Equal(got, alignment) {
						t.Fatalf("%+v, %s: score %d, %+v, %v; want %d, %+v, %v\n%q\n%q", o, c.Name, score, in.Place, got, want, whole.Place(), alignment, c.Pattern, c.Text)
					}
				}
			}
		}
	}
	if found < 200 || pairs < 2000 {
		t.Errorf("%d of %d pairs have gates", found, pairs)
	}
	for _, o := range []align.Options{{}, {Span: align.EndsFree, Free: align.Free{PatternBegin: 1, TextEnd: 9}}, {Span: align.Extension, Match: 1, ZDrop: 9}} {
		if x, err := align.NewInsider(o); x != nil || err != nil {
			t.Errorf("%+v: %v, %v", o, x, err)
		}
	}
}

// TestStoppedInsider: a search for gates that is stopped finds none.
func TestStoppedInsider(t *testing.T) {
	x, err := align.NewInsider(align.Options{Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(8, 9))
	text := make([]byte, 9000)
	for i := range text {
		text[i] = "ACGT"[r.IntN(4)]
	}
	pattern := bytes.Clone(text[1500:7500])
	for i := 100; i < len(pattern); i += 200 {
		pattern[i] = "CATG"[pattern[i]>>1&3]
	}
	var stop atomic.Bool
	x.StopOn(&stop)
	for _, ends := range []bool{false, true} {
		stop.Store(ends)
		if _, found := x.Find(pattern, text, false); found == ends {
			t.Errorf("stopped %v: gates %v", ends, found)
		}
	}
	x.StopOn(nil)
	if _, found := x.Find(pattern, text, false); !found {
		t.Error("no gates after that")
	}
}
