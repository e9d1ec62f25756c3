package kernel

import (
	"testing"

	"wfagpu/align"
)

// gotohKernelsOf returns the kernels of the gotoh family for penalties.
func gotohKernelsOf(t *testing.T, p align.Penalties, scoreOnly bool) []*gotoh {
	t.Helper()
	var found []*gotoh
	for _, k := range mustLoad(t, newImage(), Config{Penalties: p, ScoreOnly: scoreOnly}).Kernels {
		if k, ok := k.(*gotoh); ok {
			found = append(found, k)
		}
	}
	return found
}

// A band certifies every score below that of the cheapest alignment that leaves it, and no
// more, unless all columns are in flight.
func TestGotohCertificates(t *testing.T) {
	for _, p := range []align.Penalties{{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 10, GapOpen: 12, GapExtend: 3}} {
		for _, k := range gotohKernelsOf(t, p, false) {
			diagonals := k.strips()*(k.columns+1) - k.columns // that the strips cover with all neighbours
			columns := k.strips() * k.columns
			for _, end := range []int{0, 1, -1, 7, -8, diagonals / 2, -diagonals / 2, diagonals - 2, 1 - diagonals, diagonals - 1, diagonals, -diagonals} {
				text := columns + 1 + 2*diagonals
				pattern := text - end
				apart := max(end, -end)
				want := -1
				if beside := diagonals - 1 - apart; beside >= 0 {
					above, below := beside/2+max(end, 0), beside-beside/2+max(-end, 0)
					want = min(p.Gap(above+1)+p.Gap(above+1-end), p.Gap(below+1)+p.Gap(below+1+end)) - 1
				}
				if got := k.certifies(pattern, text); got != want {
					t.Errorf("%v, %s, end on diagonal %d: %d, want %d", p, name(k), end, got, want)
				}
			}
			if got := k.certifies(1, columns); got != MaxBound {
				t.Errorf("%v, %s: %d columns, all in flight: %d", p, name(k), columns, got)
			}
		}
	}
}

// The family takes penalties whose scores of a letter fit into a byte, with alignments those
// whose steps fit into the bits that are stored, and bands whose values fit into 16 bits.
func TestGotohPenalties(t *testing.T) {
	for _, tc := range []struct {
		p             align.Penalties
		score, stored bool
	}{
		{align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, true, true},
		{align.Penalties{Mismatch: 6, GapOpen: 4, GapExtend: 3}, true, true},
		{align.Penalties{Mismatch: 9, GapOpen: 6, GapExtend: 1}, true, true},
		{align.Penalties{Mismatch: 10, GapOpen: 6, GapExtend: 1}, true, true},
		{align.Penalties{Mismatch: 1, GapOpen: 7, GapExtend: 1}, true, true},
		{align.Penalties{Mismatch: 129, GapOpen: 126, GapExtend: 1}, true, true},
		{align.Penalties{Mismatch: 130, GapOpen: 1, GapExtend: 1}, false, false},
		{align.Penalties{Mismatch: 1, GapOpen: 127, GapExtend: 1}, true, false},
		{align.Penalties{Mismatch: 131, GapOpen: 125, GapExtend: 2}, true, false},
		{align.Penalties{Mismatch: 1, GapOpen: 1, GapExtend: 64}, true, true},
		{align.Penalties{Mismatch: 1, GapOpen: 1, GapExtend: 65}, false, false},
	} {
		if got := len(gotohKernelsOf(t, tc.p, true)) > 0; got != tc.score {
			t.Errorf("%v, scores alone: kernels %v", tc.p, got)
		}
		if got := len(gotohKernelsOf(t, tc.p, false)) > 0; got != tc.stored {
			t.Errorf("%v: kernels %v", tc.p, got)
		}
	}
	widest := 0
	for _, k := range gotohKernelsOf(t, align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}, false) {
		if k.Takes(100_000, 100_000, 100) {
			widest = max(widest, 2*2*k.strips()*k.columns+2*36)
		}
	}
	if widest > gotohRange || widest < gotohRange*9/10 {
		t.Errorf("values differ by up to %d, of %d", widest, gotohRange)
	}
}

// Among all families, the one that takes the least time is chosen: wavefronts where scores are
// low for the length, bands of the matrix where they are high, and for other penalties.
func TestExactOfAllFamilies(t *testing.T) {
	for _, tc := range []struct {
		p                    align.Penalties
		pattern, text, bound int
		want                 string
	}{
		{registerPenalties[0], 150, 150, 20, "warp"}, {registerPenalties[0], 150, 150, 40, "warp"}, {registerPenalties[0], 150, 150, 70, "span"}, {registerPenalties[0], 150, 150, 100, "span"},
		{registerPenalties[0], 1000, 1000, 110, "warp"}, {registerPenalties[0], 10_000, 10_000, 760, "block"},
		{registerPenalties[0], 10_000, 10_000, 1700, "block"}, {registerPenalties[0], 10_000, 10_000, 4500, "block"},
		{registerPenalties[0], 10_000, 10_000, 8000, "gotoh"},
		{registerPenalties[0], 60_000, 60_000, 2000, "long"}, {registerPenalties[0], 20_000, 20_000, 14_000, "gotoh"},
		{registerPenalties[0], 300_000, 300_000, 80_000, "tiles"},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, 150, 150, 100, "gotoh"},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, 10_000, 10_000, 12_000, "gotoh"},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, 100_000, 100_000, 120_000, "span"},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, 100_000, 100_000, 30, "general"},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, 400_000, 400_000, 500_000, "general"}, // for its memory
		{align.Penalties{Mismatch: 130, GapOpen: 1, GapExtend: 1}, 100, 100, 30, "span"}, {align.Penalties{Mismatch: 130, GapOpen: 1, GapExtend: 1}, 100_000, 100_000, 30, "general"},
	} {
		set := mustLoad(t, newImage(), Config{Penalties: tc.p})
		k := set.Kernels[set.Exact(tc.pattern, tc.text, Plain(tc.bound), unlimited(set))]
		if got := k.Family().Name; got != tc.want {
			t.Errorf("%v, %d and %d letters, score up to %d: %s, want %s", tc.p, tc.pattern, tc.text, tc.bound, name(k), tc.want)
		}
	}
}

// Memory is that of the letters and of what is stored of the longest pair, a multiple of 16 bytes.
func TestGotohPlan(t *testing.T) {
	for _, p := range []align.Penalties{{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 10, GapOpen: 12, GapExtend: 3}} {
		for _, k := range gotohKernelsOf(t, p, false) {
			g := Group{Count: 10, Bound: 50, Text: 1003, Pattern: 777}
			plan, ok, err := k.Plan(g, 1<<30)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			steps := 777 + 1002/k.columns + 1
			stored, more := 4*k.lanes*(steps+steps/8*k.columns)+k.edgeBytes(777, 1003), 4*(8+k.columns)*k.lanes+16
			if least := stored + 777; plan.PerTask < least || plan.PerTask > least+more+20*k.lanes+200 || plan.PerTask%16 != 0 || plan.threads != max(32, k.lanes) {
				t.Errorf("%s: %+v for %d bytes stored", name(k), plan, stored)
			}
		}
	}
}

// Kernels that use broken seeds take pairs by the slack of their bounds.
func TestGotohSlack(t *testing.T) {
	p := align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}
	set := mustLoad(t, newImage(), Config{Penalties: p})
	plain := set.Kernels[set.Exact(10_000, 10_000, Plain(6000), nil)].(*gotoh)
	half := set.Kernels[set.Exact(10_000, 10_000, Bound{Score: 6000, Slack: 3000}, nil)].(*gotoh)
	if plain.rank() <= half.rank() || plain.certifies(10_000, 10_000) < 6000 || half.certifies(10_000, 10_000) < 3000 {
		t.Errorf("%s for a score up to 6000, %s with a slack of 3000", name(plain), name(half))
	}
	seeded := 0
	for i, k := range set.Kernels {
		k, ok := k.(*gotoh)
		if !ok {
			continue
		}
		if set.Seeded(i) != (k.lanes >= gotohSeeded) {
			t.Errorf("%s: seeds %v", name(k), set.Seeded(i))
		}
		b := Bound{Score: 1000, Slack: 400}
		certified := k.certifies(1_000_000, 1_000_000)
		if want := map[bool]int{true: certified, false: MaxBound}[set.Seeded(i)]; set.Certified(i, 1_000_000, 1_000_000) != want {
			t.Errorf("%s certifies a slack of %d, want %d", name(k), set.Certified(i, 1_000_000, 1_000_000), want)
		}
		// Scores above a bound count: with seeds any, without those that gaps certify.
		most := map[bool]int{true: MaxBound, false: max(certified, 1)}[set.Seeded(i)]
		if got := set.Most(i, 1_000_000, 1_000_000, 1); got != most || set.Most(i, 1_000_000, 1_000_000, MaxBound) != MaxBound {
			t.Errorf("%s aligns scores up to %d with a bound of 1, want %d", name(k), got, most)
		}
		if got, want := set.takes(i, 20_000, 20_000, b), certified >= 1000 || set.Seeded(i) && certified >= 400; got != want {
			t.Errorf("%s, which certifies %d: takes a score of 1000 with a slack of 400: %v", name(k), certified, got)
		}
		if !set.Seeded(i) {
			continue
		}
		seeded++
		if got := k.stretch(1_000_000, 1_000_000, b.Score); got != 1250 {
			t.Errorf("%s: a score of 1000 with a slack of 400 stretches to %d", name(k), got)
		}
	}
	for i, k := range set.Kernels {
		if _, ok := k.(*gotoh); !ok && set.Most(i, 1000, 1000, 70) != 70 {
			t.Errorf("%s aligns scores up to %d with a bound of 70", name(k), set.Most(i, 1000, 1000, 70))
		}
	}
	if seeded < 10 {
		t.Errorf("%d kernels use broken seeds", seeded)
	}
}

// The slack of a band is that of sequences of one length that are as far from its sides. Of a band
// with rims, it is narrower by a strip.
func TestSlackOfLengths(t *testing.T) {
	p := align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}
	model, err := align.NewModel(align.EndsFree, align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}, align.Scoring{Penalties: p})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Config{{Penalties: p}, {Penalties: model.Affine(), Model: model}} {
		for _, k := range mustLoad(t, newImage(), c).Kernels {
			k, ok := k.(*gotoh)
			if !ok {
				continue
			}
			gaps := 2
			if k.free {
				gaps = 1
			}
			for _, apart := range []int{-40, -7, 0, 5, 36, 100, 150} {
				const pattern = 100_000
				half := (k.strips()*(k.columns+1)-k.columns-1-max(apart, -apart))/2 + 1
				if k.outside != nil {
					half += min(max(apart, 0), 100) / 2 // letters around a pattern have no part in it
				}
				want := gaps*(p.GapOpen+p.GapExtend*half) - 1
				if half < 1 {
					continue
				}
				if got := k.slack(pattern, pattern+apart); got != want {
					t.Errorf("%s certifies a slack of %d of lengths %d apart, want %d", name(k), got, apart, want)
				}
			}
		}
	}
}

// Where what is outside of bands certifies scores, those that hold the whole matrix do not tell the slack of scores.
func TestGotohTells(t *testing.T) {
	whole := 0
	for _, k := range gotohKernelsOf(t, align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, false) {
		held := k.strips() * k.columns
		switch {
		case !k.looks():
			if !k.tells(held) || !k.tells(held+1) {
				t.Errorf("%s does not tell slacks", name(k))
			}
			continue
		case k.tells(held):
			whole++
		}
		if !k.tells(held+1) || k.edgeBytes(held, held+1) == 0 || k.edgeBytes(held, held) != 0 {
			t.Errorf("%s does not tell slacks of bands", name(k))
		}
		if !k.tells(150) {
			t.Errorf("%s: texts shorter than all bands", name(k))
		}
	}
	if whole != 2 { // two are as narrow
		t.Errorf("%d kernels tell slacks by the whole matrix of the longest text", whole)
	}
	for _, k := range gotohKernelsOf(t, align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 60}, false) {
		if k.looks() || !k.tells(10) || !k.tells(100_000) {
			t.Errorf("%s does not tell slacks if nothing outside certifies scores", name(k))
		}
	}
}
