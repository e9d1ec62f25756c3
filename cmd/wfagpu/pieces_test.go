package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"wfagpu/align"
	seqio "wfagpu/io"
)

// TestPieces: a batch with much text is written in several pieces, which together are its text, and
// what is left out of it is left out of them.
func TestPieces(t *testing.T) {
	const pairs, perBatch = 21000, 1000
	line := strings.Repeat("x", 2000)
	var want strings.Builder
	for i := range pairs {
		if i%3 != 0 {
			fmt.Fprintf(&want, "%d %s\n", i+1, line)
		}
	}
	var out bytes.Buffer
	writes := 0
	p := testPipeline(&fakeSource{pairs: pairs, perBatch: perBatch}, &fakeEngine{}, writerFunc(func(text []byte) (int, error) {
		if writes++; text[len(text)-1] != '\n' {
			t.Error("a piece is not whole lines")
		}
		return out.Write(text)
	}))
	p.inspect = func(_ context.Context, b *align.Batch, dst []pairProblem) ([]pairProblem, error) {
		for i := range b.Results { // fakeEngine has scores from 1 on
			if b.Results[i].Score%3 != 1 {
				b.Results[i].Score = 0
			}
		}
		return dst, nil
	}
	p.filter = resultFilter{maxScore: scoreBound{set: true}}
	p.format = func(dst []byte, b *align.Batch, leave []bool) ([]byte, error) {
		for i := range b.Results {
			if !leave[i] {
				dst = fmt.Appendf(dst, "%d %s\n", b.First+int64(i), line)
			}
		}
		return dst, nil
	}
	sum, err := p.run(t.Context())
	if err != nil || sum.pairs != pairs || sum.filtered != pairs/3 {
		t.Fatalf("%+v, %v", sum, err)
	}
	if out.String() != want.String() {
		t.Errorf("%d bytes, want %d, or other ones", out.Len(), want.Len())
	}
	if least := want.Len() / (3 * pieceBytes); writes < least {
		t.Errorf("%d writes, want %d or more", writes, least)
	}
}

// TestPiecesUpToAFault: the text before a pair that the format cannot hold is written, and no other,
// and the pairs before it are counted.
func TestPiecesUpToAFault(t *testing.T) {
	const perBatch, bad = 1000, 1777
	var out bytes.Buffer
	p := testPipeline(&fakeSource{pairs: 5000, perBatch: perBatch}, &fakeEngine{}, &out)
	p.filter = resultFilter{maxScore: scoreBound{set: true, most: 1500}} // fakeEngine has the ordinals as scores
	p.format = func(dst []byte, b *align.Batch, _ []bool) ([]byte, error) {
		for i := range b.Results {
			n := b.First + int64(i)
			if n == bad {
				return dst, &seqio.RecordError{Record: n, Why: "bad"}
			}
			dst = fmt.Appendf(dst, "%d%s\n", n, strings.Repeat(" ", 2000))
		}
		return dst, nil
	}
	sum, err := p.run(t.Context())
	if err == nil || sum.pairs != bad-1 || sum.bases != 8*(bad-1) || sum.filtered != bad-1-1500 || strings.Count(out.String(), "\n") != bad-1 {
		t.Errorf("%+v, %v, %d lines", sum, err, strings.Count(out.String(), "\n"))
	}
}

type writerFunc func(text []byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }
