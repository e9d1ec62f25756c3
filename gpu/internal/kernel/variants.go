package kernel

import "wfagpu/align"

// Variant is a kernel that cuda/variants.cuh has a template instantiated for.
type Variant struct {
	Family    *Family
	Penalties align.Penalties
	// Arguments are those of the macro that defines the kernel, after the
	// penalties.
	Arguments string
	// Names are the kernels that it defines.
	Names []string
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
				all = append(all, Variant{f, p, s.arguments, []string{
					kernelName(f, p, s, true), kernelName(f, p, s, false),
				}})
			}
		}
	}
	return all
}
