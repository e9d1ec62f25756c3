package kernel

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

// Whatever the score bound, one task and the rings of all blocks fit into the
// memory for rows.
func TestAdaptiveBlockPlanFits(t *testing.T) {
	const budget = 220 << 20
	set := mustLoad(t, newImage(), Config{Penalties: widePenalties, Bands: []align.AdaptiveBand{wideBand}})
	k := set.Kernels[set.Adaptive(wideBand, 1000, 1000)]
	most := k.MaxBound(budget / 4)
	if most < 10_000 {
		t.Fatalf("the largest bound is %d", most)
	}
	for bound := 1; bound <= most; bound++ {
		p, ok, err := k.Plan(Group{Count: 1000, Bound: bound, Text: 1000, Pattern: 1000}, budget)
		if err != nil || !ok {
			t.Fatalf("bound %d: %v, %v", bound, ok, err)
		}
		if p.Fixed == 0 || p.PerTask == 0 || p.Bytes(1) > budget {
			t.Fatalf("bound %d: rings of %d bytes and rows of %d, the budget is %d", bound, p.Fixed, p.PerTask, budget)
		}
	}
}

// No bound is so high that its alignment has no room.
func TestAdaptiveBlockAlignmentsHaveRoom(t *testing.T) {
	for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 1, GapOpen: 0, GapExtend: 1}, widePenalties} {
		c := Config{Penalties: p, Bands: []align.AdaptiveBand{wideBand}, CigarCapacity: cigarCapacity}
		set := mustLoad(t, newImage(), c)
		k := set.Kernels[set.Adaptive(wideBand, 1000, 1000)]
		for _, words := range []int{1 << 20, 1 << 34, 1 << 40} {
			if s := k.MaxBound(words); s < 1 || c.CigarRoom(s) > cigarCapacity {
				t.Errorf("%v, %d words: scores up to %d take %d elements of %d", p, words, s, c.CigarRoom(s), cigarCapacity)
			}
		}
	}
}

// At its largest bound a kernel has memory for the pairs of one block; at twice that
// bound it has not, where only memory sets the bound. The memory of tiles is that of
// long sequences.
func TestMaxBound(t *testing.T) {
	for p, least := range map[align.Penalties]int{
		registerPenalties[0]: 200, align.EditPenalties: 40, {Mismatch: 10, GapOpen: 12, GapExtend: 3}: 60,
	} {
		checkMaxBounds(t, p, least)
	}
}

// checkMaxBounds checks the kernels for some penalties, at least so many with a budget.
func checkMaxBounds(t *testing.T, penalties align.Penalties, least int) {
	t.Helper()
	c := Config{Penalties: penalties, Bands: everyBand(penalties)}
	set := mustLoad(t, newImage(), c)
	checked := 0
	for _, budget := range []int{1 << 20, 16 << 20, 100 << 20} {
		for _, k := range set.Kernels {
			pairs, length, spare := 1, 300, 0
			switch k := k.(type) {
			case *registers:
				pairs, spare = k.shape.pairs, 32/k.shape.pairThreads-1 // groups of a warp without a pair
			case *tiles:
				length = 20_000
			case *general, *gotoh, *spanned, *edit: // their memory does not depend on the bound
				continue
			}
			most := k.MaxBound(budget / 4)
			if most < 1 {
				continue
			}
			checked++
			g := Group{Count: pairs, Bound: most, Text: length, Pattern: length}
			if p, ok, err := k.Plan(g, budget); err != nil || !ok || p.Bytes(pairs) > budget ||
				name(k) != "adaptive_block" && p.Fixed != spare*p.PerTask {
				t.Errorf("%s, %d bytes, bound %d: %v, %v, %+v", name(k), budget, most, ok, err, p)
			}
			g.Bound = 2*most + 100
			if p, ok, err := k.Plan(g, budget); err != nil || !ok || p.Bytes(pairs) <= budget {
				t.Errorf("%s, %d bytes: %d for scores up to %d, %d for the double: %v, %v", name(k), budget, most, p.Bytes(pairs), g.Bound, ok, err)
			}
		}
	}
	if checked < least {
		t.Errorf("%v: %d kernels and budgets are checked", penalties, checked)
	}
}

// Without alignments no kernel stores rows, and memory bounds no score, but that of the
// two checkpoints of tiles.
func TestScoreOnlyTakesNoRows(t *testing.T) {
	set := mustLoad(t, newImage(), Config{Penalties: registerPenalties[0], ScoreOnly: true, Bands: []align.AdaptiveBand{narrowBand}})
	for i, k := range set.Kernels {
		if k.Family().Name == "tiles" || set.Whole(i) {
			continue // TestTilesMemory; the memory of whole matrices depends on the lengths
		}
		if most := k.MaxBound(1); most != MaxBound {
			t.Errorf("%s: largest bound %d", name(k), most)
		}
		p, ok, err := k.Plan(Group{Count: 100, Bound: 500, Text: 300, Pattern: 300}, 16<<20)
		_, general := k.(*general)
		if _, ok := k.(*gotoh); ok { // letters of the pattern
			p.PerTask, p.Fixed = p.PerTask/3000, 0
		}
		if err != nil || !ok || p.PerTask != 0 || (p.Fixed > 0) != general {
			t.Errorf("%s: %+v, %v, %v", name(k), p, ok, err)
		}
	}
}

// The general kernel takes the memory there is for as many workers as the device
// runs, then for fewer, then with more checkpoints, then none.
func TestGeneralPlan(t *testing.T) {
	c := Config{Penalties: align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 4}, CigarCapacity: cigarCapacity}
	set := mustLoad(t, newImage(), c)
	k := set.Kernels[set.General].(*general)
	g := Group{Count: 1000, Bound: 4000, Text: 3000, Pattern: 3000}
	workers, checkpoints, plans := 1<<30, -1, 0
	for budget := 16 << 30; budget > 1<<10; budget -= budget / 7 {
		p, ok, err := k.Plan(g, budget)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		plans++
		s := p.slab
		if p.PerTask != 0 || p.Fixed != 4*s.words*p.blocks || p.Fixed > budget || p.blocks < 1 || p.blocks > g.Count {
			t.Errorf("%d bytes: %+v", budget, p)
		}
		if rows := (s.checkpoints + 1) * s.segmentRows; rows <= g.Bound {
			t.Errorf("%d bytes: rows for scores below %d, %d are needed", budget, rows, g.Bound+1)
		}
		if s.checkpoints < checkpoints && p.blocks > workers {
			t.Errorf("%d bytes: %d workers and %d checkpoints, with more memory %d and %d", budget, p.blocks, s.checkpoints, workers, checkpoints)
		}
		workers, checkpoints = p.blocks, s.checkpoints
	}
	if plans < 10 || workers != 1 || checkpoints < 3 {
		t.Errorf("%d plans; the last has %d workers and %d checkpoints", plans, workers, checkpoints)
	}
	c.CigarCapacity = c.CigarRoom(g.Bound) - 1
	set = mustLoad(t, newImage(), c)
	if _, ok, err := set.Kernels[set.General].Plan(g, 16<<30); ok || err != nil {
		t.Errorf("an alignment that has no room is planned: %v", err)
	}
}

// A band certifies every score below that of the cheapest alignment that leaves
// it, and no more.
func TestCertificates(t *testing.T) {
	cost := func(p align.Penalties, gap int) int {
		if gap < 0 {
			gap = -gap
		}
		return p.Gap(gap)
	}
	certified := 0
	for _, p := range []align.Penalties{registerPenalties[0], {Mismatch: 4, GapOpen: 1, GapExtend: 3}} {
		for _, s := range append(warpShapes[:len(warpShapes):len(warpShapes)], blockShapes...) {
			half := s.half()
			for end := -half - 3; end <= half+3; end++ {
				// The band's diagonals are those from end - half on, 2·half of them.
				first, last := end-half, end+half-1
				want := -1
				if first <= 0 && last >= 0 {
					want = min(cost(p, last+1)+cost(p, last+1-end), cost(p, first-1)+cost(p, end-first+1)) - 1
					certified++
				}
				if got := s.certifies(&p, end); got != want {
					t.Fatalf("%v, %s, end on diagonal %d: %d, want %d", p, s.name, end, got, want)
				}
			}
		}
	}
	if certified < 1000 {
		t.Errorf("%d certificates", certified)
	}
}

// Flags of an adaptive band mean nothing to an exact kernel, which the pair may
// reach after it. Every other flag is a fault.
func TestOutcomes(t *testing.T) {
	for p, overflowing := range map[align.Penalties]string{registerPenalties[0]: "adaptive_long", {Mismatch: 10, GapOpen: 12, GapExtend: 3}: "adaptive_rings"} {
		checkOutcomes(t, p, overflowing)
	}
}

// checkOutcomes checks the kernels for some penalties. Those of a family may overflow in an adaptive band.
func checkOutcomes(t *testing.T, p align.Penalties, overflowing string) {
	t.Helper()
	set := mustLoad(t, newImage(), Config{Penalties: p, Bands: []align.AdaptiveBand{narrowBand, wideBand}})
	adaptives, overflows := 0, 0
	for i, k := range set.Kernels {
		if set.Whole(i) {
			continue // every pair has a result
		}
		want := map[abi.Flags]Outcome{
			0: Exceeded, abi.FlagNoRoom: Broken, abi.FlagMemory: Broken, abi.FlagTrace: Broken, abi.FlagTrace | abi.FlagLost: Broken,
			abi.FlagDrifted | abi.FlagNoRoom: Broken, 1 << 31: Broken,
			abi.FlagLost: Exceeded, abi.FlagDrifted: Exceeded, abi.FlagLost | abi.FlagDrifted: Exceeded,
		}
		if Exceeds(k) {
			want[abi.FlagNoRoom] = NoRoom
		}
		if k.Band() != (align.AdaptiveBand{}) {
			adaptives++
			want[abi.FlagDoubtful], want[abi.FlagOverflow] = Broken, Broken // a score is doubtful
			if k.Family().Name == overflowing {
				overflows++
				want[abi.FlagOverflow] = Overflow
			}
			want[abi.FlagLost], want[abi.FlagDrifted], want[abi.FlagLost|abi.FlagDrifted] = Lost, Drifted, Drifted
		}
		for flags, outcome := range want {
			if got := k.Outcome(flags); got != outcome {
				t.Errorf("%s, flags %#x: outcome %d, want %d", name(k), flags, got, outcome)
			}
		}
	}
	if adaptives < 3 || overflows != 1 {
		t.Errorf("%v: %d kernels of an adaptive band, %d of which may overflow", p, adaptives, overflows)
	}
}

// The room for an alignment is that of a score's cheapest edits, each with
// matches on either side.
func TestCigarRoom(t *testing.T) {
	for _, tc := range []struct {
		p           align.Penalties
		score, want int
	}{
		{align.DefaultPenalties, 0, 1}, {align.DefaultPenalties, 1, 1}, {align.DefaultPenalties, 2, 3}, {align.DefaultPenalties, 3, 3},
		{align.Penalties{Mismatch: 4, GapOpen: 0, GapExtend: 1}, 3, 7}, {align.Penalties{Mismatch: 5, GapOpen: 1, GapExtend: 3}, 11, 5},
		{align.Penalties{Mismatch: 1, GapOpen: 0, GapExtend: 1}, MaxBound, 2*MaxBound + 1},
	} {
		c := Config{Penalties: tc.p}
		if got := c.CigarRoom(tc.score); got != tc.want {
			t.Errorf("%v, score %d: %d elements, want %d", tc.p, tc.score, got, tc.want)
		}
	}
}
