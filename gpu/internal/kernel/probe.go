package kernel

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// A probe, cuda/probe.cuh, aligns nothing: it tells how many errors a pattern within a text has, and how far its ends
// are off one diagonal. A warp takes a pair.

// Probed is what a probe tells of a pair.
type Probed struct {
	Seeds int32 // broken ones, those included that the text has by chance
	Apart int32 // half of the distance of the diagonals on which the pattern's ends lie
}

// UsualPerSeed returns the score for each broken seed that few pairs exceed, before any are known: noisy reads of four kinds have 1.2 to 1.6
// errors in each, on average, and few of their pairs have a third more.
func UsualPerSeed(p align.Penalties) float64 { return 1.75 * float64(p.ThreeErrors()) / 3 }

// The lengths of pairs that are probed: shorter ones take little time, and longer texts have most seeds by chance.
const leastProbed, mostProbed = 1000, 40_000

// probeWork is the work of a letter of a pair.
const probeWork = 2

type probe struct {
	family Family
	kernel *driver.Function
	sms    int
}

// loadProbe loads the probe, if bands with rims align patterns within texts.
func loadProbe(l *loader) ([]Kernel, error) {
	fn, err := l.function("wfa_probe")
	if err != nil {
		return nil, err
	}
	return []Kernel{&probe{Family{Name: "probe", Counter: adaptiveCounter, spans: true}, fn, l.device.SMs}}, nil
}

func (k *probe) Family() *Family          { return &k.family }
func (k *probe) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

func (k *probe) Takes(pattern, text, _ int) bool {
	return pattern >= leastProbed && text <= mostProbed
}

func (k *probe) Work(pattern, text, _, _ int) float64 { return probeWork * float64(pattern+text) }

func (k *probe) MaxBound(int) int { return MaxBound }

func (k *probe) Plan(Group, int) (Plan, bool, error) {
	const words = 4 // for each task, as a launch divides memory by it
	return Plan{threads: 32, pairs: 1, blocks: gotohTables * k.sms, PerTask: 4 * words}, true, nil
}

func (k *probe) Launch(s *driver.Stream, a abi.Params, _ Group, p Plan) error {
	return launch(s, k.kernel, min(int(a.Count), p.blocks), p.threads, 0, &a)
}

func (k *probe) Trace(*driver.Stream, abi.Params, Group, Plan) error { return nil }

// Outcome is for results without a score, which a probe has none of.
func (k *probe) Outcome(abi.Flags) Outcome { return Broken }
