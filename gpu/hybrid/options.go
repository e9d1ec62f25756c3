package hybrid

import (
	"errors"
	"fmt"

	"wfagpu/align"
	"wfagpu/gpu"
)

// Devices selects what an Engine runs on.
type Devices int

const (
	// Auto is every usable GPU and the CPU, or the CPU alone if no GPU is usable.
	Auto Devices = iota
	// CPUOnly is the CPU alone. The driver is not loaded.
	CPUOnly
	// RequireGPU is every usable GPU, with the CPU for their fallbacks alone, and an
	// error if no GPU is usable.
	RequireGPU
)

// Options configure an Engine. The zero value is usable: exact alignments with
// default penalties and CIGARs, on all GPUs and all CPUs.
type Options struct {
	// CPU are the options of the CPU engine. Penalties, match
	// score, gap costs, span, ScoreOnly, Approx and Cutoff apply to the GPUs, too. The
	// CPU aligns alone with ZDrop, and with Approx where alignments are not global or gaps
	// have two costs.
	CPU align.Options

	Devices Devices
	// Ordinals, if not empty, are the GPUs to use in place of Devices. It is an
	// error if one of them is not usable.
	Ordinals []int

	// MaxError is the expected bound on the errors of a pair; see gpu.Options.
	MaxError gpu.ErrorBound
	// Memory bounds the memory in bytes that the engine uses on each GPU, and
	// MemoryPart bounds it as a part of the memory that is free, above 0 and up to
	// 1. The smaller applies; without either it is most of the free memory.
	Memory     int64
	MemoryPart float64
	// Share, if not nil, divides the memory of GPUs among several engines: each
	// gets an equal part of what it may use without the others.
	Share *MemoryShare

	// Background lets Open return before the GPUs are open, which takes some
	// tenths of a second. They join the engine when they are. Until then batches
	// wait, or with Auto the CPU aligns them if that helps. With gpu.KernelsVariable,
	// or with Auto on a machine that shows no GPU, Open waits.
	Background bool
	// Rest, if not nil, estimates how much input is to come, as a multiple of what
	// has been read; it is 0 before any is. With Auto and Background, GPUs are then
	// opened only for an input that takes the CPU about a second or more. It is called
	// often, concurrently with everything else, and must not call the engine.
	Rest func() float64
	// LeaveOpen leaves the GPUs open until the process ends: Close does not
	// release them, which takes a third of a second. Their work is complete
	// before Close, and its failures are reported.
	LeaveOpen bool
	// Ready, if not nil, is called once, when the GPUs in use are known: before
	// Open returns or, with Background, on another goroutine and before the first
	// batch goes to a GPU. It is not called after Close, nor if a GPU that the
	// options require is not usable, and must not call Close.
	Ready func(Status)

	// System finds and opens GPUs; nil is the CUDA driver.
	System System
}

// DefaultBatchBases is the recommended size of batches, in bases. It keeps the
// threads of the CPU busy and their caches warm. Larger batches do not speed up
// GPUs, which align pairs of many batches at a time.
const DefaultBatchBases = 4e6

func (o Options) withDefaults() Options {
	if o.System == nil {
		o.System = cuda{}
	}
	return o
}

// cpuOnly reports whether the engine uses no GPU.
func (o *Options) cpuOnly() bool { return o.Devices == CPUOnly && len(o.Ordinals) == 0 }

// auto reports whether the options require no GPU.
func (o *Options) auto() bool { return o.Devices == Auto && len(o.Ordinals) == 0 }

// ErrModel is in the chain of the error that tells that GPUs are required for what they do not align.
var ErrModel = errors.New("GPUs do not follow it")

// forCPU is what GPUs do not align of the options, empty if they align it.
func (o *Options) forCPU() string {
	if o.CPU.ZDrop > 0 {
		return "a z-drop"
	}
	if o.CPU.Approx != nil {
		if m, err := o.CPU.Model(); err == nil && !m.Plain() {
			return "the approximate mode of alignments with free ends or two costs of gaps"
		}
	}
	return ""
}

// placeModel leaves the work to the CPU if GPUs do not align the model. It returns ErrModel if
// the options require GPUs.
func (o *Options) placeModel() error {
	what := o.forCPU()
	switch {
	case what == "" || o.cpuOnly():
	case !o.auto():
		return fmt.Errorf("%s is for the CPU: %w", what, ErrModel)
	default:
		o.Devices = CPUOnly
	}
	return nil
}

// gpuOptions returns the options of one GPU.
func (o *Options) gpuOptions(ordinal int) (gpu.Options, error) {
	g := gpu.Options{
		Penalties: o.CPU.Penalties,
		Match:     o.CPU.Match,
		LongGap:   o.CPU.LongGap,
		Span:      o.CPU.Span,
		Free:      o.CPU.Free,
		ScoreOnly: o.CPU.ScoreOnly,
		Approx:    o.CPU.Approx,
		Cutoff:    o.CPU.Cutoff,
		Device:    ordinal,
		MaxError:  o.MaxError,
		Memory:    o.Memory, MemoryPart: o.MemoryPart,
	}
	if o.Share == nil {
		return g, nil
	}
	free, err := o.Share.free(o.System, ordinal)
	if err != nil || free == 0 {
		return g, err // opening the GPU tells why it is not usable
	}
	part := defaultPart
	if o.MemoryPart > 0 {
		part = o.MemoryPart
	}
	all := int64(part * float64(free))
	if o.Memory > 0 {
		all = min(all, o.Memory)
	}
	g.Memory, g.MemoryPart = max(all/o.Share.engines, 1), 0 // 0 would be no bound
	return g, nil
}
