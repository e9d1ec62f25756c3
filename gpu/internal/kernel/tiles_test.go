package kernel

import "testing"

// bothTiles returns the kernels of the tiles family.
func bothTiles(t *testing.T, scoreOnly bool) (both []*tiles) {
	t.Helper()
	set := mustLoad(t, newImage(), Config{Penalties: registerPenalties[0], ScoreOnly: scoreOnly})
	for _, k := range set.Kernels {
		if k, ok := k.(*tiles); ok {
			both = append(both, k)
		}
	}
	if len(both) != 2 || !both[0].inShared || both[1].inShared {
		t.Fatalf("%d kernels of tiles", len(both))
	}
	return both
}

// tilesWords is the memory of a pair by cuda/tilestates.cuh, for penalties 2,3,1: a
// header, and checkpoints of three rows of M and two of gaps.
func tilesWords(checkpoints, width int) int { return (32 + checkpoints*5*width + 31) / 32 * 32 }

// A pair takes a checkpoint for each round of 30 scores, two with scores alone, whatever
// the bound. A row has the diagonals that gaps reach, and no more than the pair has.
func TestTilesMemory(t *testing.T) {
	for _, scoreOnly := range []bool{false, true} {
		for _, k := range bothTiles(t, scoreOnly) {
			for _, tc := range []struct{ bound, text, pattern, rounds, cells int }{
				{0, 20_000, 20_000, 1, 4}, {30, 20_000, 20_000, 1, 31}, {31, 20_000, 20_000, 2, 32},
				{3000, 20_000, 20_000, 100, 3001}, {3001, 20_000, 20_000, 101, 3002}, {3000, 20_000, 9, 100, 3001},
				{3000, 300, 400, 100, 701}, {90_000, 300_000, 300_000, 3000, 90_001}, {60, 0, 5, 2, 6},
			} {
				p, ok, err := k.Plan(Group{Count: 10, Bound: tc.bound, Text: tc.text, Pattern: tc.pattern}, 1)
				if err != nil || !ok || p.Fixed != 0 {
					t.Fatalf("%s, %+v: %+v, %v, %v", name(k), tc, p, ok, err)
				}
				checkpoints := tc.rounds
				if scoreOnly {
					checkpoints = 2
				}
				// Rows begin at multiples of eight diagonals, and tiles store eight cells at a time.
				least, most := tilesWords(checkpoints, tc.cells), tilesWords(checkpoints, tc.cells+7+8+7)
				if words := p.PerTask / 4; words < least || words > most {
					t.Errorf("%s, %+v: %d words, want %d to %d", name(k), tc, words, least, most)
				}
			}
		}
	}
}

// The largest bound is that of long sequences exactly, and that whose alignment has room.
func TestTilesMaxBound(t *testing.T) {
	for _, scoreOnly := range []bool{false, true} {
		for _, k := range bothTiles(t, scoreOnly) {
			before := -1
			for words := 1; words < 1<<28; words += words/3 + 1 {
				most := k.MaxBound(words)
				if most < before {
					t.Fatalf("%s: scores up to %d in %d words, up to %d in fewer", name(k), most, words, before)
				}
				before = most
				fits := func(bound int) bool { return k.words(Group{Bound: bound, Text: 1 << 40, Pattern: 1 << 40}) <= words }
				if most > 0 && !fits(most) || most < k.longestScore && fits(most+1) {
					t.Errorf("%s, %d words: scores up to %d", name(k), words, most)
				}
			}
			if before < 10_000 {
				t.Errorf("%s: scores up to %d in a gigabyte", name(k), before)
			}
			want := cigarCapacity - 2
			if scoreOnly {
				want = MaxBound
			}
			if most := k.MaxBound(1 << 60); most != want {
				t.Errorf("%s: scores up to %d, want %d", name(k), most, want)
			}
		}
	}
}

// A pair has a block. Several share one that is wide, or any if the device has little
// other work, but no more than it runs, and none if there are many pairs.
func TestTilesBlocks(t *testing.T) {
	for _, k := range bothTiles(t, false) {
		plan := func(count, bound int, spare bool) Plan {
			p, ok, err := k.Plan(Group{Count: count, Bound: bound, Text: 60_000, Pattern: 60_000, Spare: spare}, 1)
			if err != nil || !ok {
				t.Fatalf("%s, %d pairs, bound %d: %v, %v", name(k), count, bound, ok, err)
			}
			return p
		}
		most := plan(1<<20, 100, false).blocks
		if most < 2*k.sms {
			t.Fatalf("%s: %d blocks on %d SMs", name(k), most, k.sms)
		}
		across := func(bound int) int {
			return (k.width(Group{Bound: bound, Text: 60_000, Pattern: 60_000}) + tileCore - 1) / tileCore
		}
		narrow, wide := 2*tileCore, 20*tileCore
		if n := across(narrow); n <= 1 || n >= sharing || across(wide) < sharing {
			t.Fatalf("%d and %d tiles across", n, across(wide))
		}
		for _, tc := range []struct {
			count, bound int
			spare        bool
			want         int
		}{
			{1, 100, true, 1}, {most - 1, 100, false, most - 1}, {most + 1, 100, true, most},
			{3, narrow, false, 3}, {3, narrow, true, 3 * across(narrow)}, {most, narrow, true, most},
			{1, wide, false, across(wide)}, {3, wide, true, 3 * across(wide)}, {k.sms / 2, wide, false, min(k.sms/2*across(wide), most)},
			{k.sms/2 + 1, wide, false, k.sms/2 + 1}, {k.sms/2 + 1, narrow, true, k.sms/2 + 1}, {20, 4_000_000, false, most},
		} {
			if p := plan(tc.count, tc.bound, tc.spare); p.Wave() != tc.want {
				t.Errorf("%s, %+v: %+v", name(k), tc, p)
			}
		}
	}
}
