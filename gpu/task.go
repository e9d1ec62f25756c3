package gpu

import (
	"math/bits"

	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// task is a staged pair with the kernel and the bound of its next pass.
type task struct {
	at            uint32 // the pattern's first word among those of its load; the text follows
	index         int32  // of the pair in its batch
	pattern, text int32  // lengths
	bound         int32  // score bound of the pass
	kernel        uint8  // index into kernel.Set.Kernels
	class         uint8  // of length, and of few errors
	// attempts counts earlier exact passes, of a bounding pass too, or passes in the same adaptive
	// band. It is certain if a bounding or a gated pass has found the bound, of a bounding pass
	// too, exceeded if a pass that the pair exceeded has, and slackTold if the kernel is one for
	// the slack that this has told, within a text.
	attempts uint8
	passes   uint8 // before this one, at most 2
}

// Values of task.attempts of a pass whose bound is the score of an alignment, or above it. An exact pass
// cannot fail then, unless the bound is the policy's limit, or the score has more slack than is likely.
const (
	exceeded = 253 + iota
	slackTold
	certain
)

// maxKernels is the largest number of kernels of a Set: task.kernel has 8 bits.
const maxKernels = 1 << 8

// key tells the tasks that may share a launch: those of one kernel, of bounds within a
// third of an octave, and of lengths within a factor of two. All tasks of a launch have
// rows of the size that the largest bound takes.
type key struct{ kernel, bound, class uint8 }

// wideBounds is the bound below which a class of bounds is an octave: rows of short
// pairs take little memory, and fewer launches cost less.
const wideBounds = 256

func boundClass(bound int32) uint8 {
	n := bits.Len32(uint32(bound))
	if bound < wideBounds {
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

func (t *task) key() key { return key{t.kernel, boundClass(t.bound), t.class} }

// enlarge makes a group's bound and lengths at least those of a task.
func enlarge(g *kernel.Group, bound, text, pattern int32) {
	g.Bound = max(g.Bound, int(bound))
	g.Text = max(g.Text, int(text))
	g.Pattern = max(g.Pattern, int(pattern))
}

// likely and upper are those of the task's class, for its length.
func (t *task) likely(r *estimate.Rates, score int) kernel.Bound {
	return r[t.class].Likely(score, int(t.pattern))
}
func (t *task) upper(r *estimate.Rates, score int) kernel.Bound {
	return r[t.class].Upper(score, int(t.pattern))
}

// fails returns the share of passes for slacks from a source that fail, of the task's class and with a score.
func (t *task) fails(r *estimate.Rates, from estimate.SlackSource, score int) float64 {
	return float64(r[t.class].SlackFails[from][estimate.SlackRate(score, int(t.pattern))])
}
