package hybrid

import (
	"wfagpu/align"
	"wfagpu/gpu"
)

// Devices says what an Engine runs on.
type Devices int

const (
	// Auto is every usable GPU with the CPU behind it, or the CPU alone where
	// there is none.
	Auto Devices = iota
	// CPUOnly is the CPU alone. No driver is looked for.
	CPUOnly
	// RequireGPU is Auto with an error where no GPU is usable.
	RequireGPU
)

// Options configure an Engine. The zero value is usable: exact alignments with
// default penalties and CIGARs, on all GPUs and all CPUs.
type Options struct {
	// CPU has the options of the engine on the CPU. Penalties, ScoreOnly and
	// Approx hold for the GPUs, too.
	CPU align.Options

	Devices Devices
	// Ordinals, if not empty, are the GPUs to use in place of Devices. It is an
	// error if one of them is not usable.
	Ordinals []int

	// MaxError is the worst pair to expect on a GPU; see gpu.Options.
	MaxError gpu.ErrorBound
	// Memory bounds the memory in bytes that is taken of each GPU; 0 is most of
	// what is free.
	Memory int64
	// Share, if not nil, bounds that memory, too, for several engines on the
	// same GPUs.
	Share *MemoryShare

	// StartEarly lets Open return before the GPUs are open, which takes up to a
	// second. Until then the CPU aligns. An Engine starts early if GPUs are
	// likely to be found and opening them cannot be an error: with Auto, without
	// Ordinals, and without kernels of the user's own (gpu.KernelsVariable). It
	// does not with Share: the engines must be open before the first one
	// aligns.
	StartEarly bool
	// LeaveOpen leaves the GPUs to the end of the process: Close does not
	// release them, which takes a third of a second. All their work is done by
	// then, and its failures are reported.
	LeaveOpen bool
	// BatchBases is the usual number of bases in a batch, for the early start;
	// 0 is DefaultBatchBases.
	BatchBases int

	// Ready, if not nil, is called once when it is known which GPUs are used:
	// before Open returns or, after an early start, by another goroutine and
	// before the first batch goes to a GPU. It is not called after Close, and
	// must not call Close.
	Ready func(Status)

	// System finds and opens GPUs; nil is the CUDA driver.
	System System
}

// DefaultBatchBases is a good size of batches, in bases. It keeps the threads of
// the CPU busy and their caches warm. GPUs do not gain from more: their launches
// of different batches overlap, and smaller batches start the first of them
// sooner.
const DefaultBatchBases = 4e6

func (o Options) withDefaults() Options {
	if o.BatchBases <= 0 {
		o.BatchBases = DefaultBatchBases
	}
	if o.System == nil {
		o.System = cuda{}
	}
	return o
}

// cpuOnly reports that no GPU is to be looked for.
func (o *Options) cpuOnly() bool { return o.Devices == CPUOnly && len(o.Ordinals) == 0 }

// auto reports that the CPU alone is as good as any GPU.
func (o *Options) auto() bool { return o.Devices == Auto && len(o.Ordinals) == 0 }

// gpuOptions are the options of one GPU.
func (o *Options) gpuOptions(ordinal int) (gpu.Options, error) {
	g := gpu.Options{
		Penalties: o.CPU.Penalties,
		ScoreOnly: o.CPU.ScoreOnly,
		Approx:    o.CPU.Approx,
		Device:    ordinal,
		MaxError:  o.MaxError,
		Memory:    o.Memory,
	}
	if o.Share == nil {
		return g, nil
	}
	share, err := o.Share.of(o.System, ordinal)
	if share > 0 && (g.Memory == 0 || share < g.Memory) {
		g.Memory = share
	}
	return g, err
}
