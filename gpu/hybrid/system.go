package hybrid

import (
	"context"

	"wfagpu/align"
	"wfagpu/gpu"
)

// GPU is an engine on one GPU. *gpu.Engine is one and documents the methods.
type GPU interface {
	AlignBatchFunc(ctx context.Context, b *align.Batch, fallback func(pairs []int32)) error
	Device() gpu.DeviceInfo
	Stats() gpu.Stats
	Close() error
}

// System is how an Engine finds and opens GPUs. Tests have their own.
type System interface {
	// Count is the number of visible GPUs; it is an error if there are none.
	Count() (int, error)
	// Expected is the likely number of GPUs, without the time that Count
	// takes.
	Expected() int
	// Devices lists the visible GPUs with their free memory.
	Devices() ([]gpu.DeviceInfo, error)
	// Open opens the GPU o.Device.
	Open(o gpu.Options) (GPU, error)
}

// cuda is the system of the CUDA driver.
type cuda struct{}

func (cuda) Count() (int, error)                { return gpu.Count() }
func (cuda) Expected() int                      { return expectedGPUs() }
func (cuda) Devices() ([]gpu.DeviceInfo, error) { return gpu.Devices() }

func (cuda) Open(o gpu.Options) (GPU, error) {
	e, err := gpu.Open(o)
	if err != nil {
		return nil, err // not a GPU that is a nil *gpu.Engine
	}
	return e, nil
}
