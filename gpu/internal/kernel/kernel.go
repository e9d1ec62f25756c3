package kernel

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// Kernel is one way to align pairs on the device: a compiled kernel of a family
// and the traceback kernel that belongs to it. Its methods are safe for
// concurrent use.
type Kernel interface {
	// Family is the family that the kernel belongs to.
	Family() *Family
	// Cost is what a score costs, in diagonals computed in registers.
	Cost() int
	// Band is the adaptive band, the zero value for an exact kernel.
	Band() align.AdaptiveBand
	// Takes reports whether the kernel decides a pair of sequences of these
	// lengths within a score bound: an exact kernel finds the optimal alignment
	// if its score is within the bound, one with an adaptive band the alignment
	// that the band's rule gives.
	Takes(pattern, text, bound int) bool
	// MaxBound is the largest score bound of a pair whose rows fit into words of
	// 4 bytes, at most the constant MaxBound.
	MaxBound(words int) int
	// Plan lays out the memory of a launch for a group. A plan whose rows exceed
	// budget, in bytes, is for a launch of a part of the group. Plan reports
	// false when not one task fits.
	Plan(g Group, budget int) (Plan, bool, error)
	// Launch queues the kernel and, unless only scores are wanted, its traceback
	// kernel, for the a.Count tasks at a.Tasks. The memory at a.Rows is as large
	// as the plan asks for.
	Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error
	// Outcome says why the result of a pair holds no alignment.
	Outcome(flags abi.Flags) Outcome
}

// Group describes the tasks that a launch is planned for.
type Group struct {
	Count         int
	Bound         int // largest score bound
	Text, Pattern int // longest, in letters
}

// Plan is the memory of a launch, in bytes.
type Plan struct {
	PerTask int // rows of each task
	Fixed   int // beside these

	threads, blocks int // of the grid, where the family plans it
	shared          int // dynamic shared memory of a block
	slab            slab
}

// Bytes is the memory for n tasks.
func (p Plan) Bytes(n int) int { return n*p.PerTask + p.Fixed }

// Tasks is how many of n tasks fit into bytes of memory.
func (p Plan) Tasks(n, bytes int) int {
	switch {
	case bytes < p.Fixed:
		return 0
	case p.PerTask == 0:
		return n
	}
	return min(n, (bytes-p.Fixed)/p.PerTask)
}

// Outcome is why a pair has no alignment.
type Outcome uint8

const (
	Broken   Outcome = iota // the device reports what must not happen
	Exceeded                // every alignment costs more than the bound
	Lost                    // the adaptive band holds no cell any more
	Drifted                 // the adaptive band is off the alignment, or stalls
)

// MaxBound keeps score bounds, and sums of a few of them, within 32 bits, and
// their negatives above null offsets.
const MaxBound = 1 << 30
