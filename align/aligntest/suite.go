package aligntest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"wfagpu/align"
)

// Engine is what is tested: it fills b.Results[i] for every b.Pairs[i], and is safe for concurrent
// calls on different batches.
type Engine interface {
	AlignBatch(ctx context.Context, b *align.Batch) error
}

// Factory makes an engine with the given options. It reports failure through t and closes through
// t.Cleanup what must be closed.
type Factory func(t testing.TB, o align.Options) Engine

// Run tests an engine against the whole contract. Under -short it leaves out
// the long sequences and most of the random ones.
func Run(t *testing.T, newEngine Factory) {
	s := suite{newEngine}
	t.Run("Edges", s.edges)
	t.Run("Lengths", s.lengths)
	t.Run("LongLengths", s.longLengths)
	t.Run("VeryUnequalLengths", s.veryUnequalLengths)
	t.Run("Random", s.random)
	t.Run("LittleMemory", s.littleMemory)
	t.Run("Offset16Bits", s.offset16Bits)

	t.Run("NotALetter", s.notALetter)
	t.Run("BatchSizes", s.batchSizes)
	t.Run("BatchReuse", s.batchReuse)
	t.Run("EarlierResultsStay", s.earlierResultsStay)
	t.Run("Threads", s.threads)
	t.Run("Concurrent", s.concurrent)
	t.Run("Cancelled", s.cancelled)
	t.Run("CancelledMidway", s.cancelledMidway)
}

type suite struct{ newEngine Factory }

// exact aligns the cases in both modes and holds the results against the
// oracle.
func (s suite) exact(t *testing.T, o align.Options, cases []Case) {
	t.Helper()
	for _, scoreOnly := range []bool{false, true} {
		o.ScoreOnly = scoreOnly
		b := NewBatch(cases)
		if err := alignWithin(patience, s.newEngine(t, o), b); err != nil {
			t.Fatalf("%v, for %s", err, s.culprit(t, o, cases))
		}
		checkAll(t, o, cases, b)
	}
}

// patience is how long one batch of the suite may take. The largest take some seconds on a slow
// engine.
const patience = 2 * time.Minute

// alignWithin reports an error when the engine does, or when it does not return in time. The
// goroutine of a call that hangs keeps running.
func alignWithin(timeout time.Duration, e Engine, b *align.Batch) error {
	done := make(chan error, 1)
	go func() { done <- e.AlignBatch(context.Background(), b) }()
	select {
	case err := <-done:
		if err == nil && len(b.Results) != len(b.Pairs) {
			err = fmt.Errorf("%d results for %d pairs", len(b.Results), len(b.Pairs))
		}
		return err
	case <-time.After(timeout):
		return fmt.Errorf("AlignBatch has not returned after %v", timeout)
	}
}

// culprit finds the pair that a batch failed or hung on.
func (s suite) culprit(t testing.TB, o align.Options, cases []Case) string {
	for i, c := range cases {
		if alignWithin(patience/10, s.newEngine(t, o), NewBatch(cases[i:i+1])) != nil {
			return describe(c, o)
		}
	}
	return fmt.Sprintf("a batch of %d pairs but none of them alone", len(cases))
}

func mustAlign(t testing.TB, e Engine, b *align.Batch) {
	t.Helper()
	if err := alignWithin(patience, e, b); err != nil {
		t.Fatal(err)
	}
}

// checkAll compares every result with the oracle and replays every CIGAR. It stops the test after
// five failures.
func checkAll(t testing.TB, o align.Options, cases []Case, b *align.Batch) {
	t.Helper()
	failures := 0
	for i, c := range cases {
		r := b.Results[i]
		want := oracle.score(c, o.Penalties)
		var problem error
		if r.Err == nil && !o.ScoreOnly {
			problem = errors.Join(
				Check(c.Pattern, c.Text, o.Penalties, r),
				r.CIGAR.Verify(c.Pattern, c.Text), // must come to the same verdict
			)
		}
		switch {
		case r.Err != nil:
			t.Errorf("error %v for %s", r.Err, describe(c, o))
		case r.Score != want:
			t.Errorf("score %d, want %d (alignment: %v), for %s", r.Score, want, problem, describe(c, o))
		case problem != nil:
			t.Errorf("%v, for %s", problem, describe(c, o))
		case o.ScoreOnly && len(r.CIGAR) != 0:
			t.Errorf("a CIGAR in score-only mode for %s", describe(c, o))
		case !bytes.Equal(b.Pairs[i].Pattern, c.Pattern) || !bytes.Equal(b.Pairs[i].Text, c.Text):
			t.Errorf("the input was changed for %s", describe(c, o))
		default:
			continue
		}
		if failures++; failures == 5 {
			t.FailNow()
		}
	}
}

// oracle caches scores: every engine of a test run, in every mode, aligns the same pairs.
var oracle = oracleScores{seen: map[oracleKey]int{}}

type oracleKey struct {
	penalties     align.Penalties
	pattern, text string
}

type oracleScores struct {
	mu   sync.Mutex
	seen map[oracleKey]int
}

func (s *oracleScores) score(c Case, p align.Penalties) int {
	key := oracleKey{p, string(c.Pattern), string(c.Text)}
	s.mu.Lock()
	defer s.mu.Unlock()
	want, ok := s.seen[key]
	if !ok {
		if len(c.Pattern)*len(c.Text) <= 1<<12 {
			want, _ = Gotoh(c.Pattern, c.Text, p)
		} else {
			want = BandedScore(c.Pattern, c.Text, p)
		}
		s.seen[key] = want
	}
	return want
}
