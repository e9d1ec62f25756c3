package kernel

import "wfagpu/align"

// Variant is a kernel that cuda/variants.cuh has a template instantiated for.
type Variant struct {
	Family    *Family
	Penalties align.Penalties
	// Arguments are those of the macro that defines the kernel, after the
	// penalties.
	Arguments string
	// Names are the two kernels that it defines: for scores alone, and with rows
	// for the traceback.
	Names []string

	// PairThreads is the number of threads that share a pair, or of one warp of a
	// block that does; Words the words of two diagonals a thread, over all warps.
	PairThreads, Words int
	Warps, Pairs       int // a block
	Bases              int // of an entry of the look-ahead tables; 0: packed
}

// Variants returns what the families with wavefronts in registers are compiled
// for.
func Variants() []Variant {
	shapes := map[string][]shape{"warp": warpShapes, "block": blockShapes, "adaptive_warp": adaptiveWarpShapes}
	var all []Variant
	for _, p := range registerPenalties {
		for _, f := range families {
			for i := range shapes[f.Name] {
				s := &shapes[f.Name][i]
				all = append(all, Variant{
					Family: f, Penalties: p, Arguments: s.arguments,
					Names:       []string{kernelName(f, p, s, true), kernelName(f, p, s, false)},
					PairThreads: s.pairThreads, Words: s.words, Warps: s.warps, Pairs: s.pairs, Bases: s.bases,
				})
			}
		}
	}
	return all
}
