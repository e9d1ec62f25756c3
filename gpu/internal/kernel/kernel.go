package kernel

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// Kernel is a compiled kernel of a family with its traceback kernel. Its methods are
// safe for concurrent use.
type Kernel interface {
	// Family returns the kernel's family.
	Family() *Family
	// Work estimates how long the kernel takes for a pair with a score and a score bound, as a
	// number of wavefront cells in registers: about 0.65 ps each on an H200.
	Work(pattern, text, score, bound int) float64
	// Band returns the adaptive band, the zero value for an exact kernel.
	Band() align.AdaptiveBand
	// Takes reports whether the kernel takes a pair of sequences of these lengths
	// and a score bound. An exact kernel finds the optimal alignment if its score
	// is within the bound; a kernel with an adaptive band finds the alignment that
	// the rule of the band defines.
	Takes(pattern, text, bound int) bool
	// MaxBound returns the largest score bound of a pair whose rows or checkpoints
	// fit into a number of words of 4 bytes, at most the constant MaxBound.
	MaxBound(words int) int
	// Plan lays out the memory of a launch for a group. If the plan takes
	// more than budget, in bytes, the group takes several launches. Plan reports
	// false if not one task fits.
	Plan(g Group, budget int) (Plan, bool, error)
	// Launch queues the kernel for the a.Count tasks at a.Tasks. The memory at a.Rows
	// has the size of the plan.
	Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error
	// Trace queues the traceback kernel behind Launch with the same arguments. It does
	// nothing with scores alone, or if the kernel traces back itself.
	Trace(s *driver.Stream, a abi.Params, g Group, p Plan) error
	// Outcome returns the reason why the result of a pair has no alignment.
	Outcome(flags abi.Flags) Outcome
}

// Pooled is a Kernel whose alignments take the elements that they have, of those that all tasks of a launch
// have together. A task for whose alignment there is no room has none. Params.Used may be above
// Params.CigarCapacity then.
type Pooled interface {
	Kernel
	// Room returns the least room for a task with a bound, in elements, on average over a launch of many.
	Room(bound int) int
}

// Exceeds reports whether results of a kernel may have scores above the bounds of their tasks.
func Exceeds(k Kernel) bool {
	g, ok := k.(*gotoh)
	return ok && !g.free
}

// Overflows reports whether alignments of a kernel's tasks may take more elements than there are: then Params.Used is
// above Params.CigarCapacity, and tasks without room have none.
func Overflows(k Kernel) bool {
	_, ok := k.(Pooled)
	return ok || Exceeds(k)
}

// waveWork is the number of cells of wavefronts up to a score: they grow by a diagonal on
// either side with each score, until diagonals that cannot reach the end within the bound are
// dropped. A score takes as long as perScore cells more.
func waveWork(score, bound, perScore int) float64 {
	s, b := float64(score), float64(bound)
	cells := s * s
	if 2*score > bound {
		cells = b*b/2 - (b-s)*(b-s)
	}
	return cells + float64(perScore)*s
}

// Group describes the tasks of a launch.
type Group struct {
	Count         int
	Bound         int // largest score bound
	Text, Pattern int // longest, in letters
	// Spare reports that the device has little other work: a pair may take more of it
	// than is efficient.
	Spare bool
}

// Bound is a bound of a pair's score.
type Bound struct {
	Score int
	// Slack is the score that a band must certify by gaps alone if broken seeds are used, at most Score.
	Slack int
}

// Plain returns a bound of a score of which no broken seeds are known.
func Plain(score int) Bound { return Bound{score, score} }

// Plan is the memory of a launch, in bytes.
type Plan struct {
	PerTask int // rows or checkpoints of each task
	Fixed   int // in addition to those of all tasks

	threads, blocks int // threads per block, blocks in the grid
	pairs           int // of a block at a time
	shared          int // dynamic shared memory of a block
	slab            slab
}

// Wave returns the number of tasks that the device aligns at a time. The plan's group must
// have at least as many.
func (p Plan) Wave() int { return p.blocks * p.pairs }

// Bytes returns the memory for n tasks.
func (p Plan) Bytes(n int) int { return n*p.PerTask + p.Fixed }

// Outcome is the reason why a pair has no alignment.
type Outcome uint8

const (
	Broken   Outcome = iota // the flags report a bug
	Exceeded                // every alignment costs more than the bound
	Lost                    // the adaptive band has no cell
	Drifted                 // the adaptive band has drifted or stalled
	Overflow                // cells are too far apart for the kernel
	NoRoom                  // alignments of scores above bounds have taken the room for this one, whose score is known
)

// MaxBound is the largest score bound. Scores a step beyond it fit into 32 bits.
const MaxBound = 1 << 30
