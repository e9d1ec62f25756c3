package kernel

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

// adaptive is the common part of the kernels with an adaptive band. The rule of the
// band is that of package align.
type adaptive struct{ band align.AdaptiveBand }

func (k *adaptive) Band() align.AdaptiveBand { return k.band }

// loadBounding loads the kernels of Config.Bounds, which compute scores alone.
func loadBounding(l *loader) ([]Kernel, error) {
	scores := *l
	scores.ScoreOnly, scores.Bands = true, l.Bounds
	var all []Kernel
	for _, f := range families {
		if f.Counter != adaptiveCounter {
			continue
		}
		kernels, err := f.load(f, &scores)
		if err != nil {
			return nil, err
		}
		all = append(all, kernels...)
	}
	return all, nil
}

// adaptiveCounter is the counter of the families with an adaptive band.
const adaptiveCounter = "approx"

// bandStarts is the number of words ahead of a pair's rows for the band's first
// diagonal, and for the origin of offsets if there are origins, at score 0 and after each of the moves
// up to a score.
func bandStarts(lambda, score int, origins bool) int {
	n := score/lambda + 1
	if origins {
		n *= 2
	}
	return (n + 31) &^ 31
}

// set adds the band to the parameters of a launch.
func (k *adaptive) set(a *abi.Params, bound int, origins bool) {
	a.MaxScore = int32(bound)
	a.Band, a.Lambda = int32(k.band.Band), int32(k.band.Lambda)
	a.MaxDrift, a.StallInterval = int32(k.band.MaxDrift), int32(k.band.StallInterval)
	a.BandStarts = int32(bandStarts(k.band.Lambda, bound, origins))
}

func (k *adaptive) Outcome(flags abi.Flags) Outcome {
	switch {
	case flags&^(abi.FlagLost|abi.FlagDrifted) != 0:
		return Broken
	case flags&abi.FlagDrifted != 0:
		return Drifted
	case flags&abi.FlagLost != 0:
		return Lost
	}
	return Exceeded
}

// adaptiveTracebackThreads is the number of threads per pair of both traceback
// kernels. More would idle: few steps of long pairs need them.
const adaptiveTracebackThreads = 8
