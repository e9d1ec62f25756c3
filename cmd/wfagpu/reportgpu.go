package main

import (
	"fmt"
	"strings"

	"wfagpu/gpu/hybrid"
)

// reportGPU has the counts of one GPU. Pairs are counted as they are aligned, so
// that an interrupted run may count more than it wrote.
type reportGPU struct {
	Device int    `json:"device"`
	Name   string `json:"name"`
	// Pairs were finished on the GPU, by one of these kernels.
	Pairs   int64         `json:"pairs"`
	Kernels reportKernels `json:"kernels"`
	// SecondPass of these needed more than one pass.
	SecondPass int64 `json:"second_pass"`
	// Widened is how often a pair of the approximate mode started again with a
	// wider band, or exactly.
	Widened int64 `json:"widened,omitempty"`
	// Fallback counts the pairs that the CPU aligned in place of the GPU.
	Fallback reportFallback `json:"rescued"`
}

// reportKernels counts pairs by the family of kernels; trivial ones have an
// empty sequence and need none. Approx are those of the approximate mode.
type reportKernels struct {
	Warp    int64 `json:"warp"`
	Block   int64 `json:"block"`
	General int64 `json:"general"`
	Trivial int64 `json:"trivial"`
	Approx  int64 `json:"approx,omitempty"`
}

// reportFallback counts pairs by cause: letters outside ACGTU, sequences too long
// for the GPU's buffers, or not enough of its memory.
type reportFallback struct {
	Letters int64 `json:"letters"`
	Length  int64 `json:"length"`
	Memory  int64 `json:"memory"`
}

func newReportGPUs(stats []hybrid.GPUStats) []reportGPU {
	gpus := make([]reportGPU, len(stats))
	for i, s := range stats {
		gpus[i] = reportGPU{
			Device:     s.Device.Ordinal,
			Name:       s.Device.Name,
			Pairs:      s.Finished(),
			Kernels:    reportKernels{Warp: s.Kernels["warp"], Block: s.Kernels["block"], General: s.Kernels["general"], Trivial: s.Trivial, Approx: s.Kernels["approx"]},
			SecondPass: s.SecondPass,
			Widened:    s.Widened,
			Fallback:   reportFallback{Letters: s.Letters, Length: s.Length, Memory: s.Memory},
		}
	}
	return gpus
}

// gpuSummary is the pairs of each GPU and, in approximate mode, how many of them
// are approximate.
func gpuSummary(gpus []reportGPU, approx bool) string {
	parts := make([]string, len(gpus))
	for i := range gpus {
		parts[i] = fmt.Sprintf("gpu %d: %s", gpus[i].Device, count(gpus[i].Pairs, "pair"))
		if approx {
			parts[i] += fmt.Sprintf(" (%d approximate, widened %s)", gpus[i].Kernels.Approx, count(gpus[i].Widened, "time"))
		}
	}
	return strings.Join(parts, ", ")
}

// fallbackSummary is the pairs of the CPU behind these GPUs, by cause.
func fallbackSummary(cpu *reportCPU, gpus []reportGPU) string {
	var sum reportFallback
	for i := range gpus {
		r := &gpus[i].Fallback
		sum.Letters += r.Letters
		sum.Length += r.Length
		sum.Memory += r.Memory
	}
	var causes []string
	for _, c := range []struct {
		pairs int64
		text  string
	}{
		{cpu.Early, "before a GPU was ready"},
		{sum.Letters, "letters outside ACGTU"},
		{sum.Length, "too long for the GPU"},
		{sum.Memory, "not enough GPU memory"},
	} {
		if c.pairs > 0 {
			causes = append(causes, fmt.Sprintf("%d %s", c.pairs, c.text))
		}
	}
	text := count(cpu.Pairs, "pair")
	if len(causes) > 0 {
		text += " (" + strings.Join(causes, ", ") + ")"
	}
	return text
}
