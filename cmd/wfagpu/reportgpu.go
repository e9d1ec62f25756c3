package main

import (
	"fmt"
	"strings"
)

// reportGPU is one GPU's part in a run. Pairs are counted as they are aligned,
// so an interrupted run may count more than it wrote.
type reportGPU struct {
	Device int    `json:"device"`
	Name   string `json:"name"`
	// Pairs were finished on the GPU, by one of these kernels.
	Pairs   int64         `json:"pairs"`
	Kernels reportKernels `json:"kernels"`
	// SecondPass of these needed more than one pass.
	SecondPass int64 `json:"second_pass"`
	// Widened is how often a pair of the approximate mode began again with a
	// wider band, or exactly.
	Widened int64 `json:"widened,omitempty"`
	// Rescued pairs were left to the CPU, for these reasons.
	Rescued reportRescued `json:"rescued"`
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

// reportRescued counts pairs by what kept them from the GPU: letters outside
// ACGTU, sequences too long for its buffers, or its memory.
type reportRescued struct {
	Letters int64 `json:"letters"`
	Length  int64 `json:"length"`
	Memory  int64 `json:"memory"`
}

func newReportGPUs(workers []*gpuWorker) []reportGPU {
	gpus := make([]reportGPU, len(workers))
	for i, w := range workers {
		info, s := w.Device(), w.Stats()
		gpus[i] = reportGPU{
			Device:     info.Ordinal,
			Name:       info.Name,
			Pairs:      s.Finished(),
			Kernels:    reportKernels{Warp: s.Warp, Block: s.Block, General: s.General, Trivial: s.Trivial, Approx: s.Approx},
			SecondPass: s.SecondPass,
			Widened:    s.Widened,
			Rescued:    reportRescued{Letters: s.Letters, Length: s.Length, Memory: s.Memory},
		}
	}
	return gpus
}

// gpuSummary is the pairs of each GPU, and how many of them are approximate
// where that is the mode.
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

// rescueSummary is the pairs of the CPU behind these GPUs, and why they came
// to it.
func rescueSummary(cpu *reportCPU, gpus []reportGPU) string {
	var sum reportRescued
	for i := range gpus {
		r := &gpus[i].Rescued
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
