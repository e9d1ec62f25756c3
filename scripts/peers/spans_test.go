package peers

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/scripts/internal/sets"
)

// Drivers give the scores of spans and scorings that their libraries have.
func TestDriversOfSpans(t *testing.T) {
	set := sets.Set{Options: simulate.Options{Length: 120, ErrorRate: 0.15, Seed: 12, Model: simulate.Bursts}, Count: 40}
	batch, err := set.Batch()
	if err != nil {
		t.Fatal(err)
	}
	var seq bytes.Buffer
	for i := range batch.Pairs {
		p := &batch.Pairs[i]
		p.Text = append([]byte("GATTACAGATTACA"), p.Text...)
		fmt.Fprintf(&seq, ">%s\n<%s\n", p.Pattern, p.Text)
	}
	const all = align.FreeAll
	bwa := align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}
	ont := align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}
	long := align.Gap{Open: 24, Extend: 1}
	runs := map[string][]Run{
		"parasail": {
			{Penalties: bwa, Match: 1}, {Penalties: bwa, Match: 1, Span: align.Local},
			{Penalties: bwa, Match: 1, Span: align.EndsFree, Free: align.Free{TextBegin: all, TextEnd: all}},
		},
		"ksw2": {
			{Penalties: ont, Match: 2, LongGap: long}, {Penalties: bwa, Match: 1, Span: align.Extension},
			{Penalties: ont, Match: 2, LongGap: long, Span: align.Extension, ZDrop: 400},
		},
		"wfa2": {
			{Penalties: ont, LongGap: long}, {Penalties: ont, Span: align.EndsFree, Free: align.Free{TextBegin: 14}},
			{Penalties: ont, LongGap: long, Span: align.EndsFree, Free: align.Free{PatternBegin: 2, PatternEnd: 5, TextBegin: 20, TextEnd: all}},
		},
		"seqan": {
			{Penalties: bwa, Match: 1}, {Penalties: bwa, Match: 1, Span: align.Local},
			{Penalties: bwa, Match: 1, Span: align.EndsFree, Free: align.Free{TextBegin: all, TextEnd: all}},
		},
	}
	for _, p := range Packaged() {
		t.Run(p.Name, func(t *testing.T) {
			if len(runs[p.Name]) == 0 {
				t.Skip("it has global penalties alone")
			}
			d := driverOf(t, p)
			for _, r := range runs[p.Name] {
				got, err := d.Scores(t.Context(), bytes.NewReader(seq.Bytes()), r)
				if err != nil {
					t.Fatal(err)
				}
				if want := scoresOf(t, batch, r); !slices.Equal(got, want) {
					t.Errorf("%+v: scores %v, want %v", r, got, want)
				}
			}
		})
	}
}

// scoresOf are this program's scores for a run.
func scoresOf(t *testing.T, b *align.Batch, r Run) (scores []int) {
	t.Helper()
	e, err := align.New(align.Options{
		Penalties: r.Penalties, Match: r.Match, LongGap: r.LongGap, Span: r.Span, Free: r.Free, ZDrop: r.ZDrop, ScoreOnly: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	second := &align.Batch{Pairs: b.Pairs}
	if err := e.AlignBatch(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	for _, result := range second.Results {
		scores = append(scores, result.Score)
	}
	return scores
}
