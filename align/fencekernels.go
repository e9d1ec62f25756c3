package align

// fenceKernels are the routines for bands whose least costs are known at the end, open ones, which have nothing to do
// with what is beside them, and fenced ones: see fenceArgs.
type fenceKernels struct{ open, fenced fenceRoutines }

// fenceRoutines are routines for bands of any number of vectors.
type fenceRoutines struct {
	least     int // vectors of the narrowest band in registers
	registers []func(*fenceArgs)
	wide      func(*fenceArgs)
}

// pick returns the routine for a band of so many vectors.
func (r *fenceRoutines) pick(vectors int) func(*fenceArgs) {
	if i := vectors - r.least; i >= 0 && i < len(r.registers) {
		return r.registers[i]
	}
	return r.wide
}
