package aligntest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"wfagpu/align"
)

// mixedCases are n pairs of very different lengths.
func mixedCases(seed uint64, n int) []Case {
	cases := RandomCases(seed, n, 300)
	for i, c := range RandomCases(seed+1, n/20, 1500) {
		cases[i*20] = c
	}
	return cases
}

// sameResults reports the first pair that differs between two runs.
func sameResults(t testing.TB, what string, o align.Options, cases []Case, got, want []align.Result) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d results, want %d", what, len(got), len(want))
	}
	for i := range got {
		g, w := got[i], want[i]
		if g.Score != w.Score || !slices.Equal(g.CIGAR, w.CIGAR) {
			t.Fatalf("%s: pair %d of %d has score %d and CIGAR %v, want %d and %v, for %s",
				what, i, len(got), g.Score, g.CIGAR, w.Score, w.CIGAR, describe(cases[i], o))
		}
	}
}

func copyResults(rs []align.Result) []align.Result {
	out := slices.Clone(rs)
	for i := range out {
		out[i].CIGAR = slices.Clone(out[i].CIGAR)
	}
	return out
}

// notALetter: a pair with a byte that cannot be a letter is aligned all the same or carries an
// error, and does not affect other pairs.
func (s suite) notALetter(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties}
	for _, b := range []byte{0x00, 0xff} {
		cases := mixedCases(13, 70)
		bad := []int{0, 1, 31, 69}
		for j, i := range bad {
			c := &cases[i]
			if j%2 == 0 {
				c.Pattern = append(c.Pattern, b)
			} else {
				c.Text = append([]byte{b}, c.Text...)
			}
		}
		got := NewBatch(cases)
		mustAlign(t, s.newEngine(t, o), got)
		refused := 0
		for i := len(bad) - 1; i >= 0; i-- {
			if at := bad[i]; got.Results[at].Err != nil {
				refused++
				cases = slices.Delete(cases, at, at+1)
				got.Pairs = slices.Delete(got.Pairs, at, at+1)
				got.Results = slices.Delete(got.Results, at, at+1)
			}
		}
		if refused != 0 && refused != len(bad) {
			t.Errorf("byte %#x: %d of %d pairs were refused, want all or none", b, refused, len(bad))
		}
		checkAll(t, o, cases, got)
	}
}

// batchSizes: a pair's result does not depend on the other pairs of its batch.
func (s suite) batchSizes(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties}
	cases := mixedCases(11, 1000)
	e := s.newEngine(t, o)

	var single []align.Result
	for i := range cases {
		b := NewBatch(cases[i : i+1])
		mustAlign(t, e, b)
		single = append(single, b.Results[0])
	}
	for _, size := range []int{0, 1, 2, 63, 64, 65, 1000} {
		b := NewBatch(cases[:size])
		mustAlign(t, e, b)
		sameResults(t, fmt.Sprintf("batch of %d", size), o, cases, b.Results, single[:size])
	}
	slices.Reverse(cases)
	slices.Reverse(single)
	b := NewBatch(cases)
	mustAlign(t, e, b)
	sameResults(t, "reversed batch", o, cases, b.Results, single)
	checkAll(t, o, cases, b)
}

// batchReuse: the storage of earlier pairs in a batch has no effect.
func (s suite) batchReuse(t *testing.T) {
	for _, scoreOnly := range []bool{false, true} {
		o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly}
		e := s.newEngine(t, o)
		b := &align.Batch{}
		for i, size := range []int{100, 3, 300, 0, 100} {
			cases := mixedCases(uint64(20+i), size)
			b.Reset()
			b.Pairs = append(b.Pairs, NewBatch(cases).Pairs...)
			mustAlign(t, e, b)
			checkAll(t, o, cases, b)
		}
		// The same batch again, without a Reset.
		cases := mixedCases(24, 100)
		mustAlign(t, e, b)
		checkAll(t, o, cases, b)
	}
}

// earlierResultsStay: results belong to their batch, not to the engine.
func (s suite) earlierResultsStay(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties, Threads: 1}
	e := s.newEngine(t, o)
	first := mixedCases(31, 100)
	b := NewBatch(first)
	mustAlign(t, e, b)
	kept := copyResults(b.Results)
	mustAlign(t, e, NewBatch(mixedCases(33, 200)))
	sameResults(t, "after another batch", o, first, b.Results, kept)
}

// threads: the same bytes from any number of workers, every time.
func (s suite) threads(t *testing.T) {
	cases := mixedCases(41, 400)
	o := align.Options{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, Threads: 1}
	want := NewBatch(cases)
	mustAlign(t, s.newEngine(t, o), want)
	checkAll(t, o, cases, want)
	for _, threads := range []int{1, 2, 5} {
		o.Threads = threads
		e := s.newEngine(t, o)
		for range 2 {
			b := NewBatch(cases)
			mustAlign(t, e, b)
			sameResults(t, fmt.Sprintf("%d threads", threads), o, cases, b.Results, want.Results)
		}
	}
}

// concurrent: calls on one engine do not disturb each other.
func (s suite) concurrent(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties, Threads: 3}
	e := s.newEngine(t, o)
	var calls sync.WaitGroup
	for caller := range 8 {
		calls.Go(func() {
			cases := mixedCases(uint64(50+2*caller), 150)
			for range 3 {
				b := NewBatch(cases)
				if err := e.AlignBatch(context.Background(), b); err != nil {
					t.Errorf("AlignBatch: %v", err)
					return
				}
				for i, c := range cases {
					r := b.Results[i]
					if want := oracle.score(c, o.Penalties); r.Err != nil || r.Score != want {
						t.Errorf("score %d, error %v, want %d, for %s", r.Score, r.Err, want, describe(c, o))
						return
					}
					if err := Check(c.Pattern, c.Text, o.Penalties, r); err != nil {
						t.Errorf("%v, for %s", err, describe(c, o))
						return
					}
				}
			}
		})
	}
	calls.Wait()
}

// heavyBatch takes minutes on any engine. Its pairs share their memory.
func heavyBatch() *align.Batch {
	r := newRand(60)
	text := sequence(r, dna, 8000)
	pair := align.Pair{Pattern: mutate(r, dna, text, 0.3), Text: text}
	return &align.Batch{First: 1, Pairs: slices.Repeat([]align.Pair{pair}, 20_000)}
}

// prompt is how soon a cancelled call must return. It allows for the pairs in work.
const prompt = 10 * time.Second

// cancelled: a context that has ended starts no work.
func (s suite) cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.wantCancelled(t, ctx)
}

// cancelledMidway: a context that ends stops the work, and the engine and the batch remain usable.
func (s suite) cancelledMidway(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	s.wantCancelled(t, ctx)
}

func (s suite) wantCancelled(t *testing.T, ctx context.Context) {
	t.Helper()
	o := align.Options{Penalties: align.DefaultPenalties}
	e, b := s.newEngine(t, o), heavyBatch()
	start := time.Now()
	if err := e.AlignBatch(ctx, b); !errors.Is(err, context.Canceled) {
		t.Fatalf("AlignBatch: error %v, want %v", err, context.Canceled)
	}
	if took := time.Since(start); took > prompt {
		t.Errorf("AlignBatch returned after %v", took)
	}

	cases := mixedCases(61, 50)
	b.Reset()
	b.Pairs = append(b.Pairs, NewBatch(cases).Pairs...)
	mustAlign(t, e, b)
	checkAll(t, o, cases, b)
}
