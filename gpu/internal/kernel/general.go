package kernel

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// The general family, cuda/general.cu: exact, for any penalties and any length. A
// block, called a worker, aligns a pair; wavefronts are in global memory.

type general struct {
	family *Family
	config Config
	kernel *driver.Function
	sms    int
}

func loadGeneral(f *Family, l *loader) ([]Kernel, error) {
	fn, err := l.function("wfa_general")
	return []Kernel{&general{f, l.Config, fn, l.device.SMs}}, err
}

func (k *general) Family() *Family          { return k.family }
func (k *general) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

func (k *general) Takes(pattern, text, bound int) bool { return true }

// Work counts a cell in memory as twenty in registers. Score 0 takes time, too.
func (k *general) Work(_, _, score, bound int) float64 {
	return 20 * (waveWork(score, bound, 1000) + 1000) / float64(k.config.Penalties.GapExtend)
}

// MaxBound does not depend on the memory for rows: checkpoints trade it for time.
// Plan reports whether a group fits.
func (k *general) MaxBound(int) int { return MaxBound }

func (k *general) Outcome(flags abi.Flags) Outcome { return exactOutcome(flags) }

// slab is the memory of one worker, in words; cuda/general.cuh has its layout.
type slab struct {
	width, segmentRows, checkpoints, scratch int
	words                                    int
}

// Plan divides the budget among as many workers as the device runs at a time, or
// among fewer if an alignment needs more memory.
func (k *general) Plan(g Group, budget int) (Plan, bool, error) {
	s, ok := k.slab(g, budget/4)
	if !ok || !k.config.ScoreOnly && k.config.CigarRoom(g.Bound) > k.config.CigarCapacity {
		return Plan{}, false, nil
	}
	threads := generalThreads(s.width)
	perSM, err := k.kernel.BlocksPerSM(threads, 0)
	if err != nil {
		return Plan{}, false, err
	}
	workers := min(g.Count, k.sms*perSM)
	for ; workers > 1; workers = (workers + 1) / 2 {
		if shared, ok := k.slab(g, budget/4/workers); ok {
			s = shared
			break
		}
	}
	return Plan{Fixed: 4 * s.words * workers, blocks: workers, threads: threads, pairs: 1, slab: s}, true, nil
}

// slab lays out a worker's memory for a group within a budget in words. It takes the
// fewest checkpoints that fit, as fewer segments are recomputed. It reports false if
// no layout fits.
func (k *general) slab(g Group, budget int) (slab, bool) {
	p := k.config.Penalties
	reach := 0 // diagonals that gaps reach within the bound
	if g.Bound >= p.GapOpen+p.GapExtend {
		reach = (g.Bound - p.GapOpen) / p.GapExtend
	}
	lookback := p.LongestStep()
	rings := 2 * (p.GapExtend + 1)
	// An alignment within the bound reaches a diagonal and returns to the end's,
	// so the number of diagonals is about what gaps reach on one side. Rows are
	// padded to groups of four cells.
	s := slab{width: (min(g.Text+g.Pattern+1, reach+4) + 3 + 3) &^ 3}
	if k.config.ScoreOnly {
		s.words = (rings + lookback + 1) * s.width
		return s, s.words <= budget
	}
	s.scratch = (k.config.CigarRoom(g.Bound) + 1 + 3) &^ 3
	for segments := 1; segments <= g.Bound+1; segments *= 2 {
		s.checkpoints = segments - 1
		s.segmentRows = (g.Bound+1+s.checkpoints)/segments + 1
		s.words = s.scratch + s.width*(rings+lookback+s.segmentRows+s.checkpoints*(lookback+rings))
		if s.words <= budget {
			return s, true
		}
	}
	return s, false
}

// generalThreads returns the size of a block for rows of some width. A thread
// computes four cells at a time; narrow rows would leave threads of a large block
// idle.
func generalThreads(width int) int {
	switch {
	case width <= 128:
		return 32
	case width <= 1024:
		return 128
	case width <= 4096:
		return 256
	case width <= 8192:
		return 512
	}
	return 1024
}

func (k *general) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	a.MaxScore = int32(g.Bound)
	a.RowStride = uint64(p.slab.words)
	a.Width, a.SegmentRows = int32(p.slab.width), int32(p.slab.segmentRows)
	a.Checkpoints, a.Scratch = int32(p.slab.checkpoints), int32(p.slab.scratch)
	return launch(s, k.kernel, p.blocks, p.threads, 0, &a)
}

// Trace does nothing: the kernel traces back itself.
func (k *general) Trace(*driver.Stream, abi.Params, Group, Plan) error { return nil }
