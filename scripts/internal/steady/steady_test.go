package steady

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"wfagpu/align"
)

// clockEngine takes a time for a batch that the length of its first pattern gives, in
// milliseconds, and gives every pair that length as its score.
type clockEngine struct{ err error }

func (e clockEngine) AlignBatch(ctx context.Context, b *align.Batch) error {
	b.PrepareResults()
	n := len(b.Pairs[0].Pattern)
	if n == 13 && e.err != nil {
		return e.err
	}
	for i := range b.Results {
		b.Results[i].Score = n
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(n) * time.Millisecond):
		return nil
	}
}

func parts(lengths ...int) [][]align.Pair {
	var all [][]align.Pair
	for _, n := range lengths {
		all = append(all, []align.Pair{{Pattern: make([]byte, n)}, {Pattern: make([]byte, n)}})
	}
	return all
}

// One caller and batches of 10, 30 and 200 ms: six pairs in 240 ms. With 12 callers,
// twelve times as many, although most callers are with the slow batch.
func TestRate(t *testing.T) {
	for _, callers := range []int{1, 12} {
		synctest.Test(t, func(t *testing.T) {
			rates, set, err := Measure(t.Context(), clockEngine{}, Load{Parts: parts(10, 30, 200), InFlight: callers, Windows: 2, Seconds: 40, Scale: 2})
			if err != nil {
				t.Fatal(err)
			}
			squares := 2 * (5*5 + 15*15 + 100*100.)
			if set != (Set{Pairs: 6, MeanScore: 40, Squares: squares}) {
				t.Errorf("%d callers: set %+v", callers, set)
			}
			if len(rates) != 2 {
				t.Fatalf("%d callers: %d windows", callers, len(rates))
			}
			for _, r := range rates {
				perPass := 0.240 / float64(callers)
				for _, x := range [][2]float64{{r.Pairs, 6 / perPass}, {r.Squares, squares / perPass}, {r.Passes / r.Seconds, 1 / perPass}, {r.Seconds, 40}} {
					if math.Abs(x[0]/x[1]-1) > 0.01 {
						t.Errorf("%d callers: %+v: %v, want %v", callers, r, x[0], x[1])
					}
				}
			}
		})
	}
}

// A window takes a pass at least, but no longer than allowed.
func TestWindow(t *testing.T) {
	for most, want := range map[float64]float64{0: 1, 0.5: 0.5} {
		synctest.Test(t, func(t *testing.T) {
			rates, _, err := Measure(t.Context(), clockEngine{}, Load{Parts: parts(100, 400, 500), InFlight: 1, Seconds: 0.1, Most: most})
			if err != nil {
				t.Fatal(err)
			}
			if got := rates[0].Seconds; math.Abs(got-want) > 0.11 {
				t.Errorf("at most %v s: a window of %v s, want %v", most, got, want)
			}
			if got, want := rates[0].Pairs, 6.0; most == 0 && math.Abs(got/want-1) > 0.12 {
				t.Errorf("%v pairs a second, want %v", got, want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	failure := errors.New("the engine fails")
	synctest.Test(t, func(t *testing.T) {
		if _, _, err := Measure(t.Context(), clockEngine{err: failure}, Load{Parts: parts(5, 13), InFlight: 3, Seconds: 1}); err != failure {
			t.Errorf("error %v, want %v", err, failure)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(300*time.Millisecond, cancel)
		if _, _, err := Measure(ctx, clockEngine{}, Load{Parts: parts(5), InFlight: 3, Seconds: 1}); err != context.Canceled {
			t.Errorf("cancelled: error %v", err)
		}
	})
}

// queueEngine aligns one batch at a time, in 10 ms.
type queueEngine struct{ turn chan struct{} }

func (e queueEngine) AlignBatch(ctx context.Context, b *align.Batch) error {
	b.PrepareResults()
	select {
	case e.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	time.Sleep(10 * time.Millisecond)
	<-e.turn
	return nil
}

// Batches that wait in the engine have begun together at the start, and end one after the other. A
// window lasts until those that it begins with have ended, a second here, or as long as is allowed,
// and one shorter than that has the same rate as others.
func TestRateOfQueue(t *testing.T) {
	for _, tc := range []struct{ seconds, most, least float64 }{{0.3, 0, 0.95}, {0.3, 0.5, 0.5}, {3, 0, 3}} {
		synctest.Test(t, func(t *testing.T) {
			e := queueEngine{make(chan struct{}, 1)}
			rates, _, err := Measure(t.Context(), e, Load{Parts: parts(10), InFlight: 100, Windows: 2, Seconds: tc.seconds, Most: tc.most})
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range rates {
				if math.Abs(r.Pairs/200-1) > 0.05 || r.Seconds < tc.least || r.Seconds > tc.least+0.1 {
					t.Errorf("%+v: window %d of %v s, %v pairs/s, want %v and 200", tc, i, r.Seconds, r.Pairs, tc.least)
				}
			}
		})
	}
}
