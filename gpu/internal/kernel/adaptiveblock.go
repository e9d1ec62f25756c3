package kernel

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// The adaptive-block family, cuda/adaptiveblock.cu: an adaptive band for any
// penalties, any length and any width. A block aligns a pair.

type adaptiveBlock struct {
	adaptive
	family      *Family
	penalties   align.Penalties
	scoreOnly   bool
	cigarBound  int // largest score whose alignment fits
	kernel      *driver.Function
	shared, sms int
	traceback   *driver.Function // nil if scoreOnly
}

func loadAdaptiveBlock(f *Family, l *loader) ([]Kernel, error) {
	var kernels []Kernel
	for _, band := range l.Bands {
		k := &adaptiveBlock{
			adaptive: adaptive{band}, family: f, penalties: l.Penalties, scoreOnly: l.ScoreOnly, sms: l.device.SMs,
			cigarBound: (l.CigarCapacity - 1) / 2 * l.CheapestRun(),
		}
		var err error
		if k.kernel, k.shared, err = l.large("wfa_adaptive_block_" + suffix(l.ScoreOnly)); err != nil {
			return nil, err
		}
		if !l.ScoreOnly {
			if k.traceback, err = l.function("wfa_adaptive_block_trace"); err != nil {
				return nil, err
			}
		}
		kernels = append(kernels, k)
	}
	return kernels, nil
}

func (k *adaptiveBlock) Family() *Family { return k.family }

// Work counts a diagonal in memory as five in registers.
func (k *adaptiveBlock) Work(_, _, score, _ int) float64 {
	return float64(score) * float64(5*k.band.Band+100)
}

func (k *adaptiveBlock) Takes(pattern, text, bound int) bool { return true }

// threads returns the size of a block: one diagonal per thread if possible, else
// about the same number of diagonals for all threads.
func (k *adaptiveBlock) threads() int {
	const most = 512
	each := (k.band.Band + most - 1) / most
	return ((k.band.Band+each-1)/each + 31) &^ 31
}

// ringBytes returns the size of the rings: max(x, o) rows of M and e + 1 of each
// kind of gap, each with one place more than the band has diagonals.
func (k *adaptiveBlock) ringBytes() int {
	p := k.penalties
	return 4 * (max(p.Mismatch, p.GapOpen) + 2*(p.GapExtend+1)) * (k.band.Band + 1)
}

func (k *adaptiveBlock) ringIsShared() bool { return k.ringBytes() <= k.shared }

// MaxBound assumes that the band moves with every score. The alignments must fit,
// too.
func (k *adaptiveBlock) MaxBound(words int) int {
	if k.scoreOnly {
		return MaxBound
	}
	if !k.ringIsShared() {
		words -= k.ringBytes()/4 + 64
	}
	return min((words-bandStarts(1, 1, false))/(k.band.Band+1)-1, MaxBound, k.cigarBound)
}

// Plan gives rings that do not fit into shared memory up to a quarter of the
// budget.
func (k *adaptiveBlock) Plan(g Group, budget int) (Plan, bool, error) {
	p := Plan{threads: k.threads(), pairs: 1}
	ring := k.ringBytes()
	if k.ringIsShared() {
		p.shared = ring
	}
	perSM, err := k.kernel.BlocksPerSM(p.threads, p.shared)
	if err != nil {
		return p, false, err
	}
	if !k.scoreOnly {
		p.PerTask = 4 * k.rowWords(g.Bound)
	}
	p.blocks = min(g.Count, perSM*k.sms)
	if !k.ringIsShared() { // 255: the rounding; one task's rows must fit, too
		p.blocks = min(p.blocks, max(min(budget/4, budget-p.PerTask-255)/ring, 1))
		p.Fixed = (p.blocks*ring + 255) &^ 255
	}
	return p, true, nil
}

// rowWords returns the size of a pair's M rows up to a score.
func (k *adaptiveBlock) rowWords(score int) int {
	return bandStarts(k.band.Lambda, score, false) + (score+1)*k.band.Band
}

func (k *adaptiveBlock) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	k.setRows(&a, g, p)
	return launch(s, k.kernel, min(p.blocks, int(a.Count)), p.threads, p.shared, &a)
}

func (k *adaptiveBlock) Trace(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	if k.scoreOnly {
		return nil
	}
	k.setRows(&a, g, p)
	return traceback(s, k.traceback, adaptiveTracebackThreads, &a)
}

// setRows sets the parameters of both kernels. Rings come before the rows.
func (k *adaptiveBlock) setRows(a *abi.Params, g Group, p Plan) {
	k.set(a, g.Bound, false)
	a.RowStride = uint64(p.PerTask / 4)
	if p.Fixed > 0 {
		a.Ring = a.Rows
		a.Rows += driver.Ptr(p.Fixed)
	}
}
