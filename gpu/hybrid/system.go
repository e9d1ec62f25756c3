package hybrid

import (
	"context"

	"wfagpu/align"
	"wfagpu/gpu"
)

// GPU is an engine on one GPU. *gpu.Engine implements it and documents its methods.
type GPU interface {
	AlignBatchFunc(ctx context.Context, b *align.Batch, fallback func(pairs []int32)) error
	Device() gpu.DeviceInfo
	Stats() gpu.Stats
	Close() error
}

// System finds and opens GPUs for an Engine. Tests replace it.
type System interface {
	// Count returns the number of visible GPUs, and an error if it is 0.
	Count() (int, error)
	// Expected estimates the number of GPUs without the time that Count takes.
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
		return nil, err // an untyped nil, not a nil *gpu.Engine
	}
	return e, nil
}
