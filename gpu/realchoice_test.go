package gpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/estimate"
)

// Reads of few errors that lie together take gated passes after a thousand pairs, whatever the order
// in which their scores come, and keep them. Noisy reads never do.
func TestGatedPassesOfRealSets(t *testing.T) {
	names, load := aligntest.RealSets(t)
	e := openOnFake(t, newFakeGPU(t, 1<<30), Options{families: gatedFamilies + " long gotoh"})
	for _, tc := range []struct {
		set         string
		least, most float64 // share of the letters in gated passes
	}{
		{"pacbio_hifi_chm13_chr20", 0.85, 1}, {"pacbio_hifi_hg002_chr20", 0.85, 1}, {"ont_ul_hg002_chr6", 0.85, 1},
		{"ont_r73_lambda", 0, 0}, {"ont_r94_ecoli", 0, 0.01}, {"pacbio_clr_p5c3_ecoli", 0, 0},
	} {
		if !slices.Contains(names, tc.set) {
			continue
		}
		set := load(t, tc.set)
		scores := set.Scores[aligntest.RealPenalties()[0]] // the reduced ones of e
		lengths := make([]int, len(scores))
		for i := range set.Cases {
			lengths[i] = max(len(set.Cases[i].Pattern), len(set.Cases[i].Text))
		}
		for seed := range uint64(8) {
			r := rand.New(rand.NewPCG(seed, 1))
			x := estimate.Estimator{UsualSlack: e.estimate.UsualSlack, BoundingWork: e.estimate.BoundingWork, Exact: e.estimate.Exact, GatedWork: e.estimate.GatedWork}
			x.Start(0.17)
			for step := range 40 {
				var seen estimate.Observations
				for range 200 {
					i := r.IntN(len(scores))
					seen.Add(scores[i], lengths[i], estimate.LengthClass(lengths[i]))
				}
				x.Learn(&seen)
				if share := gatedShare(lengths, x.Rates()); step >= 4 && (share < tc.least || share > tc.most) {
					t.Errorf("%s, seed %d, %d pairs: %.3f of the letters in gated passes, want %v to %v",
						tc.set, seed, 200*(step+1), share, tc.least, tc.most)
				}
			}
		}
	}
}

// gatedShare is the share of the letters that are of pairs which take gated passes.
func gatedShare(lengths []int, r *estimate.Rates) float64 {
	letters, gated := 0, 0
	for _, n := range lengths {
		letters += n
		if r[estimate.LengthClass(n)].Gated {
			gated += n
		}
	}
	return float64(gated) / float64(letters)
}
