package hybrid

import (
	"wfagpu/align"
	"wfagpu/gpu"
)

// Status describes what an Engine runs on.
type Status struct {
	// CPU are the options of the CPU engine with defaults filled in, its threads
	// and its code path among them.
	CPU align.Options
	// GPUs are those in use, and Faults the reasons why others are not. Both
	// are empty with CPUOnly.
	GPUs   []gpu.DeviceInfo
	Faults Faults
	// Opening reports that, after an early start, the GPUs are not open yet. On
	// a closed engine it reports that they were not open before Close.
	Opening bool
}

// Status returns what the engine runs on at present.
func (e *Engine) Status() Status {
	s := Status{CPU: e.opts.CPU}
	set := e.gpus.Load()
	if set == nil {
		s.Opening = true
		return s
	}
	for _, g := range set.gpus {
		s.GPUs = append(s.GPUs, g.Device())
	}
	s.Faults = set.faults
	return s
}

// Stats counts pairs by engine and by cause. Pairs are counted as they are
// aligned, so that pairs of an interrupted batch may be among them.
type Stats struct {
	CPU  CPUStats
	GPUs []GPUStats // those in use
}

// CPUStats counts the pairs of the CPU by method.
type CPUStats struct {
	Exact  align.Stats
	Approx align.ApproxStats
	// Early is the number of these pairs that were aligned before GPUs joined;
	// 0 if none did.
	Early int64
}

// Pairs returns the number of pairs that the CPU has aligned.
func (s CPUStats) Pairs() int64 {
	return s.Exact.Wavefront + s.Exact.Checkpointed + s.Exact.Banded + s.Approx.Aligned
}

// GPUStats counts the pairs of a GPU. The CPU has aligned its fallbacks.
type GPUStats struct {
	Device gpu.DeviceInfo
	gpu.Stats
}

// Stats returns the counts of all batches so far. It waits for busy threads of the
// CPU engine.
func (e *Engine) Stats() Stats {
	s := Stats{CPU: CPUStats{Exact: e.cpu.Stats(), Approx: e.cpu.ApproxStats()}}
	set := e.gpus.Load()
	if set == nil {
		return s
	}
	for _, g := range set.gpus {
		s.GPUs = append(s.GPUs, GPUStats{Device: g.Device(), Stats: g.Stats()})
	}
	if e.early != nil && len(s.GPUs) > 0 {
		s.CPU.Early = e.early.pairs.Load()
	}
	return s
}
