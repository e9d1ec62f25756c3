package hybrid

import (
	"time"

	"wfagpu/align"
	"wfagpu/gpu"
)

// Status describes what an Engine runs on.
type Status struct {
	// CPU are the options of the CPU engine with defaults filled in, its threads
	// and its code path among them.
	CPU align.Options
	// Beside reports that the CPU aligns batches of its own beside GPUs, and not
	// their fallbacks alone.
	Beside bool
	// GPUs are those in use, and Faults the reasons why others are not. Both
	// are empty with CPUOnly.
	GPUs   []gpu.DeviceInfo
	Faults Faults
	// Opening reports that the GPUs are not open yet. On a closed engine it
	// reports that they were not open before Close.
	Opening bool
}

// Status returns what the engine runs on at present.
func (e *Engine) Status() Status {
	s := Status{CPU: e.opts.CPU, Beside: e.opts.auto()}
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

// Stats counts pairs by engine and by cause. The pairs of an interrupted batch are
// counted by method and by kernel only.
type Stats struct {
	CPU  CPUStats
	GPUs []GPUStats // those in use
	// Opening is the time from Open until the GPUs joined, 0 if none did.
	Opening time.Duration
}

// CPUStats counts the pairs of the CPU.
type CPUStats struct {
	// Pairs are those that the CPU has aligned: its own batches and the fallbacks
	// of GPUs.
	Pairs int64
	// Early of these were taken before GPUs joined, 0 if none did, and Beside
	// are the other ones of its own batches, aligned while GPUs were in use.
	Early, Beside int64
	// Repeated are pairs of batches that a GPU finished first. Exact and Approx
	// may count them.
	Repeated int64
	// Active is the time in which the CPU had batches of its own.
	Active time.Duration
	// Exact and Approx count pairs by method.
	Exact  align.Stats
	Approx align.ApproxStats
}

// GPUStats counts the pairs of a GPU.
type GPUStats struct {
	Device gpu.DeviceInfo
	// Pairs are those that the GPU has aligned, and Fallback those of its batches
	// that the CPU has aligned in its place.
	Pairs    int64
	Fallback FallbackCounts
	// Repeated are pairs of batches that the CPU finished first. Stats may count
	// them.
	Repeated int64
	gpu.Stats
}

// Stats returns the counts of all batches so far. It waits for busy threads of the
// CPU engine.
func (e *Engine) Stats() Stats {
	s := Stats{CPU: CPUStats{Exact: e.cpu.Stats(), Approx: e.cpu.ApproxStats()}}
	e.team.mu.Lock()
	defer e.team.mu.Unlock()
	var gpus []GPU
	if set := e.gpus.Load(); set != nil { // which is before GPUs join the team
		gpus = set.gpus
		s.Opening = set.opening
	}
	for i, m := range e.team.members {
		c := m.done
		if m == e.team.cpu {
			s.CPU.Pairs += c.pairs
			s.CPU.Repeated, s.CPU.Active = c.repeated, m.active
			if len(gpus) > 0 {
				s.CPU.Early, s.CPU.Beside = c.early, c.pairs-c.early
			}
			continue
		}
		s.CPU.Pairs += c.fallback.Pairs()
		s.GPUs = append(s.GPUs, GPUStats{
			Device: gpus[i].Device(), Pairs: c.pairs - c.fallback.Pairs(), Fallback: c.fallback, Repeated: c.repeated, Stats: gpus[i].Stats(),
		})
	}
	return s
}
