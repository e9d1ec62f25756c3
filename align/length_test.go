package align_test

import (
	"errors"
	"testing"

	"wfagpu/align"
)

// A sequence whose offsets do not fit is refused, and the pairs beside it are aligned.
func TestMaxLength(t *testing.T) {
	long := make([]byte, align.MaxLength+1) // never read, and so takes no memory
	short := []byte("ACGT")
	e, err := align.New(align.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	b := &align.Batch{Pairs: []align.Pair{
		{Pattern: short, Text: short}, {Pattern: long, Text: short}, {Pattern: short, Text: long},
		{Text: long}, {Pattern: long, Text: long}, {Pattern: short, Text: short[1:]},
	}}
	if err := e.AlignBatch(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for i, r := range b.Results {
		tooLong := max(len(b.Pairs[i].Pattern), len(b.Pairs[i].Text)) > align.MaxLength
		if tooLong != errors.Is(r.Err, align.ErrLength) || !tooLong && (r.Err != nil || r.Score != []int{0, 0, 0, 0, 0, 4}[i]) {
			t.Errorf("pair %d: score %d, %v", i, r.Score, r.Err)
		}
	}
}
