package align

// kernels are the inner loops of one code path. The plain Go versions define
// what the assembly computes.
type kernels struct {
	// canonical writes the canonical form of src to dst, of the same length,
	// and reports whether all bytes can be letters.
	canonical func(dst, src []byte) bool
	// compute fills one wavefront; its vectors are computeLanes wide.
	compute      func(*computeArgs)
	computeLanes int
	// approx computes a row of the approximate mode.
	approx func(*approxArgs)
	// narrow computes wavefronts over a few diagonals; nil where there is no
	// such code.
	narrow func(*narrowArgs)
	// groups run several bands of one vector at a time, narrowest first.
	groups []groupKernel
	// band is nil where banded dynamic programming does not pay.
	band *bandKernels
}

// groupKernel is a routine that runs size bands of one vector each.
type groupKernel struct {
	vector bandKernels // its lanes alone
	size   int
	run    func(*bandArgs)
}

// bandKernels are the routines that advance a band of antidiagonals (see
// bandGo), by the number of vectors in the band.
type bandKernels struct {
	lanes int // 16-bit lanes in a vector
	// held[w-1] serves a band of w vectors; wide any number. The history
	// variants also store every antidiagonal's H.
	held, heldHistory []func(*bandArgs)
	wide, wideHistory func(*bandArgs)
}

// pick returns the routine for a band of w vectors.
func (b *bandKernels) pick(w int, history bool) func(*bandArgs) {
	switch {
	case w <= len(b.held) && history:
		return b.heldHistory[w-1]
	case w <= len(b.held):
		return b.held[w-1]
	case history:
		return b.wideHistory
	}
	return b.wide
}

var goKernels = &kernels{canonical: canonicalGo, compute: computeGo, computeLanes: 1, approx: approxGo}
