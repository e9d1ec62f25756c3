package gpu

import (
	"math/bits"

	"wfagpu/gpu/internal/kernel"
)

// task is a pair on its way through the kernels.
type task struct {
	pair     int32 // in the chunk
	bound    int32 // largest score that is looked for now
	kernel   uint8 // index into kernel.Set.Kernels
	class    uint8 // of length
	attempts uint8 // that were made before
}

const (
	// lengthClasses is the number of classes of lengths, powers of two.
	lengthClasses = 32
	// maxKernels bounds the kernels of a Set, which a task has 8 bits for.
	maxKernels = 1 << 8
)

// lengthClass is the class of a length: the power of two at or below it.
func lengthClass(n int) int { return min(bits.Len32(uint32(n)), lengthClasses) - 1 }

// group is the tasks of a pass for one kernel, of lengths within a factor of two.
type group struct {
	kernel.Group
	kernel, class uint8
	first         int // position of the first task among all of the pass
	tasks         []task
}
