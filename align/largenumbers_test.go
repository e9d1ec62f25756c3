package align

import "testing"

// Sequences of more letters than half of what 32 bits hold.
const manyLetters = 1<<30 + 1000

// TestNearestOfLongPairs: cells that are not there are no nearer to the end than those that are.
func TestNearestOfLongPairs(t *testing.T) {
	for _, n := range []int{1 << 20, manyLetters} {
		f := newAdaptiveWavefronts(goKernels, DefaultPenalties)
		f.pattern, f.text = &sequence{n: n}, &sequence{n: n}
		f.AdaptiveBand = AdaptiveBand{Band: 8, Lambda: 50, MaxDrift: 100}
		f.w = -4
		f.rows.width = 16
		f.rows.m = mBlock{buf: nulls(16), first: 0, width: 16}
		if _, distance, ok := f.nearest(); ok || distance != -1 {
			t.Errorf("%d letters: distance %d of no cell", n, distance)
		}
		f.rows.m.buf[4] = 500
		if k, distance, ok := f.nearest(); k != 0 || distance != n-500 || !ok {
			t.Errorf("%d letters: diagonal %d, distance %d, %v", n, k, distance, ok)
		}
	}
}

// TestFurthestOfLongPairs: antidiagonals have twice as many letters.
func TestFurthestOfLongPairs(t *testing.T) {
	if got := furthest([]int32{null, manyLetters, 5}, -1); got != 2*manyLetters {
		t.Errorf("%d, want %d", got, 2*manyLetters)
	}
	if got := furthest([]int32{null, null}, 0); got >= 0 {
		t.Errorf("%d of no cell", got)
	}
}

// TestBanderOfUnequalPieces: a band that lacks an end takes no piece.
func TestBanderOfUnequalPieces(t *testing.T) {
	b := NewBander(DefaultPenalties, false)
	short, long := make([]byte, 100), make([]byte, 1500)
	for i := range long {
		long[i] = 'A'
	}
	copy(short, long)
	for _, pair := range [][2][]byte{{short, long}, {long, short}} {
		if s, c, ok, err := b.Align(pair[0], pair[1], nil); ok || err != nil {
			t.Errorf("%d, %v, %v, %v", s, c, ok, err)
		}
	}
}
