package hybrid

import (
	"wfagpu/align"
	"wfagpu/gpu"
)

// Status says what an Engine runs on.
type Status struct {
	// CPU has the options in force on the CPU: its threads and its code path
	// among them.
	CPU align.Options
	// GPUs are those in use, and Faults the reasons why others are not. Both
	// are empty for an engine on the CPU alone that was asked for.
	GPUs   []gpu.DeviceInfo
	Faults Faults
	// Opening says that after an early start it is not known yet which GPUs
	// there are or, once the engine is closed, that it was not known in time.
	Opening bool
}

// Status returns what the engine runs on at the moment.
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
	// 0 where none did.
	Early int64
}

// Pairs is the number of pairs that the CPU has aligned.
func (s CPUStats) Pairs() int64 {
	return s.Exact.Wavefront + s.Exact.Bidirectional + s.Exact.Banded + s.Approx.Aligned
}

// GPUStats counts the pairs of a GPU. Its fallbacks, by cause, were aligned by the
// CPU.
type GPUStats struct {
	Device gpu.DeviceInfo
	gpu.Stats
}

// Stats sums up all batches so far. It waits for threads of the CPU in use.
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
