package passes

import (
	"math/bits"

	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// Task is a staged pair with the kernel and the bound of its next pass.
type Task struct {
	At            uint32 // the pattern's first word among those of its load; the text follows
	Index         int32  // of the pair in its batch
	Pattern, Text int32  // lengths
	Bound         int32  // score bound of the pass
	Kernel        uint8  // index into kernel.Set.Kernels
	Class         uint8  // of length, and of few errors
	// Attempts counts earlier exact passes, of a bounding pass too, or passes in the same adaptive
	// band. It is Certain if a bounding or a gated pass has found the bound, of a bounding pass
	// too, Exceeded if a pass that the pair exceeded has, and SlackTold if the kernel is one for
	// the slack that this has told, within a text.
	Attempts uint8
	Passes   uint8         // before this one, at most 2
	Probed   kernel.Probed // without seeds if the pair has not been probed
}

// Values of Task.Attempts of a pass whose bound is the score of an alignment, or above it. An exact pass
// cannot fail then, unless the bound is the policy's limit, the score has more slack than is likely, or there is no room for the
// alignment beside others that are above their bounds.
const (
	Exceeded = 253 + iota
	SlackTold
	Certain
)

// MaxKernels is the largest number of kernels of a Set: Task.Kernel has 8 bits.
const MaxKernels = 1 << 8

// Key tells the tasks that may share a launch: those of one kernel, of bounds within a
// third of an octave, and of lengths within a factor of two. All tasks of a launch have
// rows of the size that the largest bound takes. Where rows depend on lengths alone, bounds are within an octave.
type Key struct{ Kernel, bound, Class uint8 }

// wideBounds is the bound below which a class of bounds is an octave: rows of short
// pairs take little memory, and fewer launches cost less.
const wideBounds = 256

func boundClass(bound int32, wide bool) uint8 {
	n := bits.Len32(uint32(bound))
	if wide || bound < wideBounds {
		return uint8(n)
	}
	third := 0
	switch leading := bound >> (n - 4); { // 8 to 15
	case leading >= 13:
		third = 2
	case leading >= 10:
		third = 1
	}
	octaves := bits.Len32(wideBounds)
	return uint8(octaves + 3*(n-octaves) + third)
}

// Key returns a task's key.
func (x *ExactRule) Key(t *Task) Key {
	return Key{t.Kernel, boundClass(t.Bound, x.Kernels.ByLength(int(t.Kernel))), t.Class}
}

// Enlarge makes a group's bound and lengths at least those of a task.
func Enlarge(g *kernel.Group, bound, text, pattern int32) {
	g.Bound = max(g.Bound, int(bound))
	g.Text = max(g.Text, int(text))
	g.Pattern = max(g.Pattern, int(pattern))
}

// likely and upper are those of the task's class, for its length.
func (t *Task) likely(r *estimate.Rates, score int) kernel.Bound {
	return r[t.Class].Likely(score, int(t.Pattern))
}
func (t *Task) upper(r *estimate.Rates, score int) kernel.Bound {
	return r[t.Class].Upper(score, int(t.Pattern))
}

// fails returns the share of passes for slacks from a source that fail, of the task's class and with a score.
func (t *Task) fails(r *estimate.Rates, from estimate.SlackSource, score int) float64 {
	return float64(r[t.Class].SlackFails[from][estimate.SlackRate(score, int(t.Pattern))])
}
