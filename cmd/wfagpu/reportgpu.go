package main

import (
	"fmt"
	"strings"

	"wfagpu/cmd/wfagpu/internal/page"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
)

// reportGPU has the counts of one GPU. An interrupted run may count more than it
// wrote.
type reportGPU struct {
	Device int    `json:"device"`
	Name   string `json:"name"`
	// Pairs were finished on the GPU, by one of these kernels.
	Pairs   int64         `json:"pairs"`
	Kernels reportKernels `json:"kernels"`
	// Passes counts passes of pairs by family and by number, and Launches counts
	// launches of kernels. Slowest is the launch that took longest.
	Passes   map[string]reportPasses `json:"passes,omitempty"`
	Launches int64                   `json:"launches,omitempty"`
	Slowest  *reportSlowest          `json:"slowest,omitempty"`
	// SecondPass of these needed more than one pass.
	SecondPass int64 `json:"second_pass"`
	// Widened is how often a pair of the approximate mode started again with a
	// wider band, or exactly.
	Widened int64 `json:"widened,omitempty"`
	// Repeated are pairs of batches that the CPU finished first; Kernels may count
	// them.
	Repeated int64 `json:"repeated,omitempty"`
	// Fallback counts the pairs that the CPU aligned in place of the GPU.
	Fallback reportFallback `json:"rescued"`
}

// reportKernels counts pairs by the family of kernels; trivial ones have an empty
// sequence, or lengths that alone take the score above --max-distance, and need none. Gated
// are those of a gated pass, whichever kernels aligned the parts that it left open.
// Approx are those of the approximate mode, and Pieces those that it aligned in pieces.
type reportKernels struct {
	Warp    int64 `json:"warp"`
	Block   int64 `json:"block"`
	Edit    int64 `json:"edit"`
	Gotoh   int64 `json:"gotoh"`
	Tiles   int64 `json:"tiles"`
	Gated   int64 `json:"gated"`
	General int64 `json:"general"`
	Trivial int64 `json:"trivial"`
	Span    int64 `json:"span,omitempty"`
	Approx  int64 `json:"approx,omitempty"`
	Pieces  int64 `json:"pieces,omitempty"`
}

// reportPasses counts passes of pairs: a pair's first one, its second one, and later
// ones.
type reportPasses struct {
	First  int64 `json:"first"`
	Second int64 `json:"second"`
	Later  int64 `json:"later"`
}

// reportSlowest describes a launch by its pair with the highest score.
type reportSlowest struct {
	Seconds float64 `json:"seconds"`
	Family  string  `json:"family"`
	Pairs   int     `json:"pairs"`
	Score   int     `json:"score"`
	Query   int     `json:"query_bases"`
	Target  int     `json:"target_bases"`
}

// reportFallback counts pairs by cause: letters outside ACGTU, sequences too long
// for the GPU's buffers, not enough of its memory, or scores too large for its cells.
type reportFallback struct {
	Letters int64 `json:"letters"`
	Length  int64 `json:"length"`
	Memory  int64 `json:"memory"`
	Scores  int64 `json:"scores,omitempty"`
}

func newReportGPUs(stats []hybrid.GPUStats) []reportGPU {
	gpus := make([]reportGPU, len(stats))
	for i, s := range stats {
		gpus[i] = reportGPU{
			Device:     s.Device.Ordinal,
			Name:       s.Device.Name,
			Pairs:      s.Pairs,
			Kernels:    newReportKernels(&s.Stats),
			Launches:   s.Launches,
			SecondPass: s.SecondPass,
			Widened:    s.Widened,
			Repeated:   s.Repeated,
			Fallback:   reportFallback(s.Fallback),
		}
		for family, p := range s.Passes {
			if gpus[i].Passes == nil {
				gpus[i].Passes = map[string]reportPasses{}
			}
			gpus[i].Passes[family] = reportPasses(p)
		}
		if l := s.Slowest; l.Pairs > 0 {
			gpus[i].Slowest = &reportSlowest{
				Seconds: l.Time.Seconds(), Family: l.Family, Pairs: l.Pairs, Score: l.Score, Query: l.Pattern, Target: l.Text,
			}
		}
	}
	return gpus
}

func newReportKernels(s *gpu.Stats) reportKernels {
	k := s.Kernels
	return reportKernels{
		Warp: k["warp"], Block: k["block"], Edit: k["edit"], Gotoh: k["gotoh"], Tiles: k["tiles"], Gated: k["gated"], General: k["general"],
		Trivial: s.Trivial, Span: k["span"], Approx: k["approx"], Pieces: k["pieces"],
	}
}

// gpuSummary is the pairs of each GPU and, in approximate mode, how many of them
// are approximate.
func gpuSummary(gpus []reportGPU, approx bool) string {
	parts := make([]string, len(gpus))
	for i := range gpus {
		parts[i] = fmt.Sprintf("gpu %d: %s", gpus[i].Device, count(gpus[i].Pairs, "pair"))
		if approx {
			k := &gpus[i].Kernels
			parts[i] += fmt.Sprintf(" (%d approximate, ", k.Approx)
			if k.Pieces > 0 {
				parts[i] += fmt.Sprintf("%d in pieces, ", k.Pieces)
			}
			parts[i] += fmt.Sprintf("widened %s)", count(gpus[i].Widened, "time"))
		}
	}
	return strings.Join(parts, ", ")
}

// fallbackSummary is the pairs of the CPU with these GPUs, by cause.
func fallbackSummary(cpu *reportCPU, gpus []reportGPU) string {
	var causes []string
	for _, c := range cpuCauses(cpu, gpus) {
		if c.Pairs > 0 {
			causes = append(causes, fmt.Sprintf("%d %s", c.Pairs, c.Name))
		}
	}
	text := count(cpu.Pairs, "pair")
	if len(causes) > 0 {
		text += " (" + strings.Join(causes, ", ") + ")"
	}
	return text
}

// cpuCauses are the pairs of the CPU with these GPUs by why the CPU has them.
func cpuCauses(cpu *reportCPU, gpus []reportGPU) []page.Count {
	var sum gpu.FallbackCounts
	for i := range gpus {
		sum.Add(gpu.FallbackCounts(gpus[i].Fallback))
	}
	return []page.Count{
		{Name: "before a GPU was ready", Pairs: cpu.Early},
		{Name: besideText(len(gpus)), Pairs: cpu.Beside},
		{Name: "letters outside ACGTU", Pairs: sum.Letters},
		{Name: "too long for the GPU", Pairs: sum.Length},
		{Name: "not enough GPU memory", Pairs: sum.Memory},
		{Name: "scores too large for the GPU", Pairs: sum.Scores},
	}
}

// besideText says where the CPU's own pairs were aligned at the same time as others.
func besideText(gpus int) string {
	if gpus == 1 {
		return "beside the GPU"
	}
	return "beside the GPUs"
}
