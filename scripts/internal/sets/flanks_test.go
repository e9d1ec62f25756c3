package sets

import (
	"bytes"
	"testing"

	"wfagpu/align"
)

func TestFlanked(t *testing.T) {
	const most = 40
	pairs := []align.Pair{{Pattern: []byte("ACGT"), Text: []byte("acgtNN")}, {Pattern: nil, Text: []byte("N")}}
	for i := range 200 {
		pairs = append(pairs, align.Pair{Pattern: []byte("A"), Text: bytes.Repeat([]byte("N"), 1+i%7)})
	}
	lengths := map[int]bool{}
	for i, p := range Flanked(pairs, most, 3) {
		if !bytes.Equal(p.Pattern, pairs[i].Pattern) {
			t.Errorf("pair %d has the pattern %q", i, p.Pattern)
		}
		before := bytes.Index(p.Text, pairs[i].Text)
		behind := len(p.Text) - before - len(pairs[i].Text)
		if before < LeastFlank || before > most || behind < LeastFlank || behind > most {
			t.Errorf("pair %d has flanks of %d and %d letters", i, before, behind)
		}
		if flanks := bytes.Trim(p.Text[:max(before, 0)], "ACGT"); len(flanks) > 0 {
			t.Errorf("pair %d has the flank %q", i, p.Text[:before])
		}
		lengths[before], lengths[behind] = true, true
	}
	if len(lengths) < (most-LeastFlank)*9/10 || !lengths[LeastFlank] || !lengths[most] {
		t.Errorf("flanks have %d lengths", len(lengths))
	}
}
