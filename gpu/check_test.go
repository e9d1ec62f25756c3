package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/cigar"
)

// Families of kernels: those with wavefronts, among which small pairs suffice to choose, those for
// exact pairs of any penalties, and those with one family for adaptive bands.
const (
	wavefrontFamilies = "warp block long tiles general adaptive_warp adaptive_long adaptive_rings adaptive_block"
	tilesFamilies     = "warp block tiles general adaptive_warp adaptive_block"
	gotohFamilies     = "gotoh general adaptive_warp adaptive_rings adaptive_block"
	wholeFamilies     = "span general"
	blockFamilies     = "warp block long gotoh tiles general adaptive_block"
)

// openOnFake opens an engine on a fake GPU until the test ends. What is not
// released then fails the test.
func openOnFake(t testing.TB, g *fakeGPU, o Options) *Engine {
	t.Helper()
	if o.families == "" {
		o.families = wavefrontFamilies
	}
	e, err := open(g.API(), fakeImage, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		g.CheckReleased(t)
	})
	return e
}

// openReal opens a GPU of the machine until the test ends.
func openReal(t testing.TB, o Options) *Engine {
	t.Helper()
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, e)
	return e
}

// closeAfter closes an engine when the test ends.
func closeAfter(t testing.TB, e *Engine) {
	t.Helper()
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
}

// mustAlignAll aligns within a minute and without error.
func mustAlignAll(t testing.TB, e aligntest.Engine, b *align.Batch) {
	t.Helper()
	if err := alignInTime(t, e, context.Background(), b); err != nil {
		t.Fatal(err)
	}
}

// errSpoiled is an error that no result has when its pair has been aligned.
var errSpoiled = errors.New("the result of an earlier pair")

// spoiled makes the results of a batch those of earlier pairs, of which an engine must keep nothing.
func spoiled(b *align.Batch) *align.Batch {
	b.SizeResults()
	for i := range b.Results {
		old := cigar.CIGAR{}.Append(cigar.Ins, 3).Append(cigar.Del, 5)
		b.Results[i] = align.Result{Score: -77, CIGAR: old[:1+i%2], Place: align.Place{PatternBegin: 1, PatternEnd: 2, TextBegin: 3, TextEnd: 4}, Err: errSpoiled}
	}
	return b
}

// alignInTime fails the test when AlignBatch does not return.
func alignInTime(t testing.TB, e aligntest.Engine, ctx context.Context, b *align.Batch) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- e.AlignBatch(ctx, spoiled(b)) }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute):
		t.Fatal("AlignBatch has not returned within a minute")
		return nil
	}
}

// forModes runs f with both sets of penalties that differ in their kernels, for
// alignments and for scores.
func forModes(t *testing.T, f func(t *testing.T, o align.Options, g Options)) {
	for _, p := range []align.Penalties{{Mismatch: 4, GapOpen: 6, GapExtend: 2}, {Mismatch: 3, GapOpen: 1, GapExtend: 4}} {
		for _, scoreOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v score only %v", p, scoreOnly), func(t *testing.T) {
				f(t, align.Options{Penalties: p, ScoreOnly: scoreOnly}, Options{Penalties: p, ScoreOnly: scoreOnly})
			})
		}
	}
}

// wantStats holds the engine's account against the number of pairs given to it.
func wantStats(t testing.TB, e *Engine, pairs int) Stats {
	t.Helper()
	s := e.Stats()
	if got := s.Finished() + s.Fallback.Pairs(); got != int64(pairs) {
		t.Errorf("%d pairs in the account of %d: %+v", got, pairs, s)
	}
	if s.SecondPass > s.Finished() {
		t.Errorf("more second passes than pairs: %+v", s)
	}
	return s
}

// alignOnCPU returns what the CPU engine makes of the pairs of a batch.
func alignOnCPU(t *testing.T, o align.Options, b *align.Batch) []align.Result {
	t.Helper()
	cpu, err := align.New(o)
	if err != nil {
		t.Fatal(err)
	}
	same := &align.Batch{First: 1, Pairs: b.Pairs}
	if err := cpu.AlignBatch(t.Context(), same); err != nil {
		t.Fatal(err)
	}
	return same.Results
}

// wantAsOnCPU aligns the pairs on the CPU, too, and holds the results against
// each other, every alignment letter by letter.
func wantAsOnCPU(t *testing.T, o align.Options, b *align.Batch) {
	t.Helper()
	onCPU := alignOnCPU(t, o, b)
	wrong := 0
	for i := range b.Pairs {
		p, got, want := &b.Pairs[i], &b.Results[i], &onCPU[i]
		var bad error
		switch {
		case got.Err != nil:
			bad = got.Err
		case got.Score != want.Score:
			bad = fmt.Errorf("score %d, want %d", got.Score, want.Score)
		case o.ScoreOnly:
		case !slices.Equal(got.CIGAR, want.CIGAR):
			bad = fmt.Errorf("CIGAR %v, want %v", got.CIGAR, want.CIGAR)
		case got.Score == align.Beyond && o.Cutoff > 0:
		default:
			bad = aligntest.Check(p.Pattern, p.Text, o.Penalties, *got)
		}
		if bad == nil {
			continue
		}
		if wrong++; wrong <= 3 {
			t.Errorf("pair %d, lengths %d and %d: %.500v", i, len(p.Pattern), len(p.Text), bad)
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d pairs are wrong", wrong, len(b.Pairs))
	}
}

// wantRepeated holds the results of repeated pairs against those of the CPU.
func wantRepeated(t *testing.T, o align.Options, few, b *align.Batch) {
	t.Helper()
	n := len(few.Pairs)
	wantAsOnCPU(t, o, &align.Batch{Pairs: few.Pairs, Results: b.Results[:n]})
	for i, r := range b.Results {
		if w := b.Results[i%n]; r.Err != nil || r.Score != w.Score || !slices.Equal(r.CIGAR, w.CIGAR) {
			t.Fatalf("pair %d of many comes out differently: score %d, want %d, error %v", i, r.Score, w.Score, r.Err)
		}
	}
}
