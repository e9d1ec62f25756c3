package align_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"wfagpu/align"
)

// Pairs whose costs exceed 32 bits are refused, and those below are not.
func TestSpanCosts(t *testing.T) {
	o := align.Options{
		Penalties: align.Penalties{Mismatch: 255, GapOpen: 254, GapExtend: 255}, Match: 254,
		Span: align.Local, ScoreOnly: true,
	}
	a := newAligner(t, o)
	if _, _, err := a.Align([]byte("A"), bytes.Repeat([]byte("C"), 1<<21), nil); !errors.Is(err, align.ErrCosts) {
		t.Errorf("error %v, want ErrCosts", err)
	}
	if s, _, err := a.Align([]byte("AC"), bytes.Repeat([]byte("AC"), 1<<17), nil); err != nil || s != 2*254 {
		t.Errorf("score %d, error %v", s, err)
	}
}

// Similarities have 64 bits where alignments are global.
func TestLargeSimilarity(t *testing.T) {
	const n = 9_000_000
	a := newAligner(t, align.Options{Match: 255, ScoreOnly: true})
	s := bytes.Repeat([]byte("ACGTTCAG"), n/8)
	if score, _, err := a.Align(s, s, nil); err != nil || score != 255*n {
		t.Errorf("score %d, %v, want %d", score, err, 255*n)
	}
}

// A long alignment of each kind ends soon after its context.
func TestSpansStop(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	pattern, text := letters(r, "ACGT", 1<<19), letters(r, "ACGT", 1<<19)
	for _, o := range []align.Options{
		{Span: align.Local, Match: 1},
		{Span: align.Extension, Match: 1, ZDrop: 1 << 30},
		{Span: align.EndsFree, Free: align.Free{TextEnd: align.FreeAll}, ScoreOnly: true},
	} {
		o.Threads = 1
		e, err := align.New(o)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		done := make(chan error, 1)
		go func() { done <- e.AlignBatch(ctx, &align.Batch{Pairs: []align.Pair{{Pattern: pattern, Text: text}}}) }()
		select {
		case err := <-done:
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%+v: error %v", o, err)
			}
		case <-time.After(time.Minute): // the alignment takes minutes
			t.Errorf("%+v: it does not stop", o)
		}
		cancel()
	}
}

// Options that do not go together are refused.
func TestSpanOptions(t *testing.T) {
	p := align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}
	for name, o := range map[string]align.Options{
		"local without a match score":        {Span: align.Local},
		"extension without a match score":    {Span: align.Extension},
		"a z-drop of a global alignment":     {ZDrop: 100},
		"a negative z-drop":                  {Span: align.Extension, Match: 1, ZDrop: -1},
		"a cutoff of similarities":           {Match: 1, Cutoff: 10},
		"the approximate mode, local":        {Span: align.Local, Match: 1, Approx: &align.Approx{}},
		"the approximate mode, a z-drop":     {Span: align.Extension, Match: 1, ZDrop: 10, Approx: &align.Approx{}},
		"a second cost that is never less":   {Penalties: p, LongGap: align.Gap{Open: 24, Extend: 2}},
		"a second cost that is always less":  {Penalties: p, LongGap: align.Gap{Open: 6, Extend: 1}},
		"an unknown span":                    {Span: 9},
		"a match score that is out of range": {Match: 256},
		"a negative number of free letters":  {Span: align.EndsFree, Free: align.Free{TextEnd: -1}},
	} {
		if _, err := align.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// A second cost that is the lower one of every gap is the only one.
	o := align.Options{Penalties: p, LongGap: align.Gap{Open: 7, Extend: 1}}
	if m, err := o.Model(); err != nil || !m.Plain() {
		t.Errorf("one cost of two: %+v, %v", m, err)
	}
}
