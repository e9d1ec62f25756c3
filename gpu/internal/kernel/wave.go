package kernel

// Wave returns the number of tasks that the device aligns at a time in a launch of a
// plan. The plan's group must have at least as many.
func Wave(k Kernel, p Plan) int {
	if r, ok := k.(*registers); ok {
		return p.blocks * r.shape.pairs
	}
	return p.blocks
}
