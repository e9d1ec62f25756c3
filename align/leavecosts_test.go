package align

import "testing"

// The costs are the least of all gaps over so many diagonals, with errors in the seeds that these do not
// spoil.
func TestLeaveCosts(t *testing.T) {
	for _, s := range []Penalties{{2, 3, 1}, {1, 0, 1}, {4, 6, 1}, {5, 0, 1}, {9, 2, 3}, {3, 20, 5}} {
		m, err := NewModel(EndsFree, Free{TextBegin: FreeAll, TextEnd: FreeAll}, Scoring{Penalties: s})
		if err != nil {
			t.Fatal(err)
		}
		c, ok := newLaneCosts(&m)
		if !ok {
			t.Fatal(s)
		}
		for _, letters := range []int{laneShort, laneLong} {
			u := c.of(letters)
			// least tries all gaps of up to most letters, the longest first.
			var least func(n, seeds, most int, pattern bool) int
			least = func(n, seeds, most int, pattern bool) int {
				if n <= 0 {
					return u.unit * max(0, seeds)
				}
				best := 1 << 30
				for l := 1; l <= most; l++ {
					spoilt := 1
					if pattern {
						spoilt = (l+letters-2)/letters + 1
					}
					best = min(best, m.Cost(l)+least(n-l, seeds-spoilt, l, pattern))
				}
				return best
			}
			for n := range 8 {
				for seeds := range 9 {
					want := min(least(n, seeds, n+letters, true), least(n, seeds, n+letters, false))
					if got := u.leave.of(n, seeds); got != want {
						t.Fatalf("%v, %d diagonals, %d seeds of %d: %d, want %d", s, n, seeds, letters, got, want)
					}
				}
			}
		}
	}
}
