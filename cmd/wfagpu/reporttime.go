package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wfagpu/gpu/hybrid"
)

// reportTime tells where the time of a run went. Shares are parts of the run's time,
// 0 to 1. They overlap, as reading, aligning and writing do.
type reportTime struct {
	// Reading is the time in which the input was read, and Full that in which it was
	// not, since batches in flight took all of --host-memory. Writing is the time
	// in which results were written.
	Reading float64 `json:"reading"`
	Full    float64 `json:"full"`
	Writing float64 `json:"writing"`
	// Opening is the time before GPUs were open, and CPU that in which the CPU had
	// batches of its own.
	Opening float64   `json:"opening"`
	CPU     float64   `json:"cpu"`
	GPU     []gpuTime `json:"gpu"` // as in reportEngines
	// Limit is what limited the run, in words.
	Limit string `json:"limit"`
}

// gpuTime is where the time of a GPU went.
type gpuTime struct {
	Device int `json:"device"`
	// Computing is the time in which the GPU had kernels to run. In the rest of
	// the time it waited: for the writer, while batches in flight took all of
	// --host-memory, or for input.
	Computing float64 `json:"computing"`
	Input     float64 `json:"waiting_for_input"`
	Writer    float64 `json:"waiting_for_writer"`
	// Memory is the time in which pairs waited for memory of the GPU. It may have
	// computed others.
	Memory float64 `json:"waiting_for_memory"`
}

const (
	// timeNoticed is the time of a run from which it is told where it went.
	timeNoticed = time.Second
	// limitShare is the share from which reading, writing, opening or computing
	// limits a run.
	limitShare = 0.6
)

func newReportTime(s hybrid.Stats, f *flow, took time.Duration) reportTime {
	share := func(d time.Duration) float64 { return min(1, d.Seconds()/max(took.Seconds(), 1e-9)) }
	t := reportTime{
		Reading: share(f.reading.total()), Full: share(f.full.total()), Writing: share(f.writing.total()),
		Opening: share(s.Opening), CPU: share(s.CPU.Active), GPU: make([]gpuTime, len(s.GPUs)),
	}
	for i, g := range s.GPUs {
		writer := min(g.InputTime, f.full.total())
		t.GPU[i] = gpuTime{
			Device: g.Device.Ordinal, Computing: share(g.Busy),
			Input: share(g.InputTime - writer), Writer: share(writer), Memory: share(g.MemoryTime),
		}
	}
	t.Limit = t.limit()
	return t
}

// limit returns what takes most of the time.
func (t *reportTime) limit() string {
	type part struct {
		share float64
		text  string
	}
	computing := part{0, "the GPU"}
	if len(t.GPU) > 1 {
		computing.text = "the GPUs"
	}
	memory := 0.0
	for _, g := range t.GPU {
		computing.share += g.Computing / float64(len(t.GPU))
		memory += g.Memory / float64(len(t.GPU))
	}
	if memory >= limitShare {
		computing.text += ", and more of its memory would help"
		if len(t.GPU) > 1 {
			computing.text = "the GPUs, and more of their memory would help"
		}
	}
	most := slices.MaxFunc([]part{
		{t.Reading, "reading the input"}, {t.Writing, "writing the results"}, {t.Opening, "opening the GPUs"}, computing,
	}, func(a, b part) int {
		switch {
		case a.share < b.share:
			return -1
		case a.share > b.share:
			return 1
		}
		return 0
	})
	switch {
	case most.share >= limitShare:
		return most.text
	case len(t.GPU) > 0 && t.CPU < limitShare:
		return "the host, which packs sequences and formats results"
	}
	return "the CPU"
}

// summary is the report in one line.
func (t *reportTime) summary() string {
	parts := []string{fmt.Sprintf("reading %s, writing %s", percentText(t.Reading), percentText(t.Writing))}
	for _, g := range t.GPU {
		parts = append(parts, fmt.Sprintf("gpu %d computing %s, waiting for input %s, for the writer %s, for memory %s",
			g.Device, percentText(g.Computing), percentText(g.Input), percentText(g.Writer), percentText(g.Memory)))
	}
	parts = append(parts, "cpu "+percentText(t.CPU))
	return fmt.Sprintf("limited by %s; of the time: %s", t.Limit, strings.Join(parts, "; "))
}

func percentText(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
