package kernel

import "wfagpu/align"

// Variant is an instance of a kernel template in cuda/variants-*.cuh.
type Variant struct {
	Family    *Family
	Penalties align.Penalties
	// Macro is the macro that defines the kernel, without WFA_, if it is not that of the
	// family.
	Macro string
	// Arguments are those of the macro that defines the kernel, after the
	// penalties.
	Arguments string
	// Names are the names of its kernels: for scores alone, and with rows or
	// checkpoints for the traceback.
	Names []string

	// The other fields are zero for the tiles family. PairThreads is the number of
	// threads per pair, 32 if a block aligns a pair; Words is the number of words of
	// two diagonals per thread, over all warps, or the columns of a strip in the gotoh and
	// span families, whose kernels take any penalties, or the words of a strip in the edit
	// family.
	PairThreads, Words int
	Warps, Pairs       int // per block
	Bases              int // per look-ahead entry; 0: packed
}

// Variants returns the instances of the families with wavefronts in registers, and of the
// adaptive-rings, gotoh, edit and span families.
func Variants() []Variant {
	shapes := map[string][]shape{
		"warp": warpShapes, "block": blockShapes, "long": longShapes, "warp_free": warpFreeShapes, "block_free": blockFreeShapes, "long_free": longFreeShapes,
		"adaptive_warp": adaptiveWarpShapes, "adaptive_long": adaptiveLongShapes,
	}
	gotohs := map[string][]gotohShape{"gotoh": gotohShapes, "gotoh_free": gotohFreeShapes}
	var all []Variant
	for _, p := range registerPenalties {
		for _, f := range families {
			for i := range shapes[f.Name] {
				all = append(all, shapeVariant(f, p, &shapes[f.Name][i]))
			}
			if f.Name == "tiles" {
				all = append(all, tilesVariant(f, p))
			}
		}
	}
	for _, f := range families {
		switch f.Name {
		case "adaptive_rings":
			for i := range adaptiveRingsShapes {
				all = append(all, shapeVariant(f, align.Penalties{}, &adaptiveRingsShapes[i]))
			}
		case "edit":
			for _, s := range editShapes {
				all = append(all, editVariant(f, s))
			}
		case "gotoh", "gotoh_free":
			for _, s := range gotohs[f.Name] {
				all = append(all, gotohVariant(f, s))
			}
		case spanFamily:
			all = append(all, spanVariants(f)...)
		}
	}
	return all
}

// shapeVariant is the instance of a shape at some penalties, zero for any.
func shapeVariant(f *Family, p align.Penalties, s *shape) Variant {
	return Variant{
		Family: f, Penalties: p, Arguments: s.arguments,
		Names:       []string{instanceName(f, p, s, true), instanceName(f, p, s, false)},
		PairThreads: s.pairThreads, Words: s.words, Warps: s.warps, Pairs: s.pairs, Bases: s.bases,
	}
}
