package gpu

import (
	"math/bits"

	"wfagpu/gpu/internal/kernel"
)

// task is a pair with the kernel and the bound of its next pass.
type task struct {
	pair     int32 // in the chunk
	bound    int32 // score bound of this pass
	kernel   uint8 // index into kernel.Set.Kernels
	class    uint8 // of length
	attempts uint8 // earlier exact passes, or passes in the same adaptive band
}

const (
	// lengthClasses is the number of classes of lengths, powers of two.
	lengthClasses = 32
	// maxKernels is the largest number of kernels of a Set: task.kernel has 8 bits.
	maxKernels = 1 << 8
)

// lengthClass returns the class of a length, the logarithm to base 2.
func lengthClass(n int) int { return min(bits.Len32(uint32(n)), lengthClasses) - 1 }

// group is the tasks of a pass for one kernel, of lengths within a factor of two.
type group struct {
	kernel.Group
	kernel, class uint8
	first         int // position of the first task in the pass
	tasks         []task
}
