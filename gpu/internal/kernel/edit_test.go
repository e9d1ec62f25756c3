package kernel

import (
	"math"
	"testing"

	"wfagpu/align"
)

// editKernelsOf returns the kernels of the edit family.
func editKernelsOf(t *testing.T, scoreOnly bool) []*edit {
	t.Helper()
	var found []*edit
	for _, k := range mustLoad(t, newImage(), Config{Penalties: align.EditPenalties, ScoreOnly: scoreOnly}).Kernels {
		if k, ok := k.(*edit); ok {
			found = append(found, k)
		}
	}
	if want := len(editShapes) - 2 + 3 + 7; len(found) != want {
		t.Fatalf("%d kernels, want %d", len(found), want)
	}
	return found
}

// A band certifies every distance below that of the cheapest alignment that leaves it, and is as
// good as any that begins with a block of columns. Where all strips are in flight it has no limit.
func TestEditCertificates(t *testing.T) {
	p := align.EditPenalties
	for _, k := range editKernelsOf(t, true) {
		rows := k.lanes * k.shape.words * editSide
		width := editSide * (k.lanes*(k.shape.words+1) - k.shape.words) // diagonals, without the first one
		for _, end := range []int{0, 1, -1, 7, -8, 31, 32, -33, width / 2, -width / 2, width - 32, 32 - width, width - 31, width, -width, width + 1, -width - 1} {
			pattern := rows + 1 + 2*width
			text := pattern + end
			want := -1
			for below := (editSide - text%editSide) % editSide; below <= width; below += editSide {
				if above := width - below; above >= max(end, 0) && below >= max(-end, 0) {
					want = max(want, min(p.Gap(above+1)+p.Gap(above+1-end), p.Gap(below+1)+p.Gap(below+1+end))-1)
				}
			}
			if got := k.certifies(pattern, text); got != want {
				t.Errorf("%s, end on diagonal %d: %d, want %d", name(k), end, got, want)
			}
			if want >= 0 && (!k.Takes(pattern, text, want) || k.Takes(pattern, text, want+1)) {
				t.Errorf("%s, end on diagonal %d: takes %v, %v", name(k), end, k.Takes(pattern, text, want), k.Takes(pattern, text, want+1))
			}
			if got := k.stretch(pattern, text, want/2); want >= 0 && (got < want/2 || got > want) {
				t.Errorf("%s, end on diagonal %d: %d is stretched to %d of %d", name(k), end, want/2, got, want)
			}
		}
		if got := k.certifies(rows, 1); got != MaxBound {
			t.Errorf("%s: %d rows, all in flight: %d", name(k), rows, got)
		}
	}
}

// For edit distance the family takes pairs up to a million letters with up to a tenth of errors, in
// bands that are not much wider than the bound needs.
func TestExactOfEditDistance(t *testing.T) {
	for _, scoreOnly := range []bool{false, true} {
		set := mustLoad(t, newImage(), Config{Penalties: align.EditPenalties, ScoreOnly: scoreOnly})
		for _, length := range []int{30, 150, 151, 300, 1000, 10_000, 100_000, 1_000_000} {
			for _, rate := range []float64{0.02, 0.05, 0.1} {
				bound := int(rate * float64(length))
				chosen := set.Kernels[set.Exact(length, length, Plain(bound), unlimited(set))]
				k, ok := chosen.(*edit)
				if !ok {
					t.Errorf("%d letters, distance up to %d: %s", length, bound, name(chosen))
					continue
				}
				rows := min(length, editSide*k.lanes*k.shape.words)
				if rows > 4*max(bound, 100) {
					t.Errorf("%d letters, distance up to %d: %s", length, bound, name(k))
				}
			}
		}
		want := "general" // scores alone take no memory
		if scoreOnly {
			want = "span"
		}
		if k := set.Kernels[set.Exact(1<<20, 1<<20, Plain(1<<19), unlimited(set))]; k.Family().Name != want {
			t.Errorf("half of the letters differ: %s, want %s", name(k), want)
		}
		if k := set.Kernels[set.Wavefront(150, 150, 5, unlimited(set))]; name(k) != "general" {
			t.Errorf("wavefronts: %s", name(k))
		}
	}
}

// Kernels that take less time for a letter come first.
func TestEditOrder(t *testing.T) {
	set := mustLoad(t, newImage(), Config{Penalties: align.EditPenalties})
	for _, family := range set.bands {
		last := 0.0
		for _, i := range family {
			if rank := set.Kernels[i].(banded).rank(); rank < last {
				t.Errorf("%s: %g after %g", name(set.Kernels[i]), rank, last)
			} else {
				last = rank
			}
		}
	}
	if len(set.bands) != 2 {
		t.Errorf("%d families", len(set.bands))
	}
}

// Memory is that of a tile for each lane and stage of the longest pair. An SM has a block, or as
// many warps as keep it busy.
func TestEditPlan(t *testing.T) {
	for _, k := range editKernelsOf(t, false) {
		plan, ok, err := k.Plan(Group{Count: 10, Bound: 50, Text: 1003, Pattern: 777}, 1<<30)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if got, want := k.Work(777, 1003, 20, 50)-k.Work(777, 1003, 0, 50), 20*k.tileWork(); got != want {
			t.Errorf("%s: 20 differences take %g, want %g", name(k), got, want)
		}
		stages := 32 + int(math.Ceil(777/float64(32*k.shape.words))) - 1
		if want := 8 * stages * k.lanes * (k.shape.words + 1); plan.PerTask != want || plan.Fixed != 0 || plan.threads != max(32, k.lanes) {
			t.Errorf("%s: %+v, want %d bytes", name(k), plan, want)
		}
		if warps := plan.blocks / k.sms * plan.threads / 32; warps < 1 || warps > max(editResident, k.lanes/32) {
			t.Errorf("%s: %d warps on an SM", name(k), warps)
		}
	}
}
