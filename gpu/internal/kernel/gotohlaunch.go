package kernel

import (
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// pad is gotohPad of cuda/gotohband.cuh.
func (k *gotoh) pad() int { return (k.strips() + k.columns + 8 + 15) &^ 15 }

// letterBytes returns the memory for the letters of a pattern, for the edges or rims of the band,
// and for what broken seeds tell.
func (k *gotoh) letterBytes(pattern, text int) int {
	return 2*k.pad() + (pattern+15)&^15 + k.edgeBytes(pattern, text) + gotohLeaving
}

// edgeBytes returns the memory for what is at the edges of the band or outside: the indels of
// segments on both sides of rims, cuda/gotohrims.cuh; or, cuda/detours.cuh, values at edges, the
// least ones of rims, and indels. If all strips of a text are in flight, there is none.
func (k *gotoh) edgeBytes(pattern, text int) int {
	words := 0
	switch {
	case text <= k.strips()*k.columns:
	case k.outside != nil:
		words = 1 + 2*(pattern/segmentLetters+1)
	case k.detours != nil && 2*k.penalties.GapExtend*(pattern+text) <= mostEdged:
		const values, least = 4, 2
		come := k.steps(pattern, text)/(k.columns+1) + 3 // strips
		words = (values+least)*come + pattern/segmentLetters + text/segmentLetters + 2
	}
	return (4*words + 15) &^ 15
}

func (k *gotoh) Plan(g Group, _ int) (Plan, bool, error) {
	p := Plan{threads: max(k.lanes, 32), pairs: max(32/k.lanes, 1), Fixed: gotohSpare}
	p.PerTask = (k.letterBytes(g.Pattern, g.Text) + 4*k.storedWords(k.steps(g.Pattern, g.Text)) + 15) &^ 15
	perSM, err := k.kernel.BlocksPerSM(p.threads, 0)
	p.blocks = perSM * k.sms
	return p, true, err
}

// storedWords returns the words of what is stored for the traceback in some steps.
func (k *gotoh) storedWords(steps int) int {
	if k.trace == nil {
		return 0
	}
	return gotohHead + (steps/gotohLines+2)*gotohLines*k.lanes + (steps/gotohRows+1)*k.lanes*k.columns
}

func (k *gotoh) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	k.set(&a, g, p)
	if k.seeds != nil {
		if err := launch(s, k.seeds, min(int(a.Count), gotohTables*k.sms), 32, 0, &a); err != nil {
			return err
		}
	}
	if k.outside != nil && a.EdgeWords > 0 {
		if err := k.launchOutside(s, k.outside, a, g, 4); err != nil {
			return err
		}
	}
	if err := launch(s, k.kernel, min(p.blocks, (int(a.Count)+p.pairs-1)/p.pairs), p.threads, 0, &a); err != nil {
		return err
	}
	if k.detours != nil && a.EdgeWords > 0 {
		return k.launchOutside(s, k.detours, a, g, 8)
	}
	return nil
}

// launchOutside launches a kernel of whose blocks each thread takes some segments of the longest pattern.
func (k *gotoh) launchOutside(s *driver.Stream, f *driver.Function, a abi.Params, g Group, segments int) error {
	warps := min(max(g.Pattern/(segments*32*segmentLetters), 1), segmentWarps)
	perSM, err := f.BlocksPerSM(32*warps, 0)
	if err != nil {
		return err
	}
	return launch(s, f, min(int(a.Count), perSM*k.sms), 32*warps, 0, &a)
}

func (k *gotoh) Trace(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	if k.trace == nil {
		return nil
	}
	k.set(&a, g, p)
	return traceback(s, k.trace, 1, &a)
}

// set sets the parameters of both kernels.
func (k *gotoh) set(a *abi.Params, g Group, p Plan) {
	a.MaxScore = int32(g.Bound)
	a.RowStride = uint64(p.PerTask / 4)
	a.PairThreads, a.PairWords = int32(k.lanes), int32(k.columns)
	a.LetterWords = int32(k.letterBytes(g.Pattern, g.Text) / 4)
	a.EdgeWords = int32(k.edgeBytes(g.Pattern, g.Text) / 4)
	if k.seeds != nil {
		a.BrokenSeeds = 1
	}
}
