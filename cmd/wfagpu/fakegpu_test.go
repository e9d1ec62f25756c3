package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu"
)

// noGPUs is a machine without a driver.
var noGPUs = gpuSystem{
	count: func() (int, error) { return 0, errNoDriverHere },
	open:  func(gpu.Options, aligner) (gpuEngine, error) { return nil, errNoDriverHere },

	devices: func() ([]gpu.DeviceInfo, error) { return nil, errNoDriverHere },
}

var errNoDriverHere = fmt.Errorf("%w: none in this test", gpu.ErrNoDriver)

// fakeGPU does as a GPU with an engine behind it does: it leaves pairs with
// letters outside ACGTU to the other engine and counts.
type fakeGPU struct {
	name   string
	free   uint64 // bytes of memory
	noRoom bool   // for any pair of the approximate mode
	// spoil, if not nil, changes the results of a batch.
	spoil   func(f *fakeGPU, b *align.Batch)
	openErr error           // what opening it gives instead
	failAt  map[int64]error // by the ordinal of a batch's first pair

	opts   gpu.Options // as opened
	own    *align.Engine
	other  aligner
	mu     sync.Mutex
	stats  gpu.Stats
	closed int
	second *fakeGPU // the engine of another opening
}

func (f *fakeGPU) Device() gpu.DeviceInfo {
	return gpu.DeviceInfo{Ordinal: f.opts.Device, Name: f.name}
}

func (f *fakeGPU) Stats() gpu.Stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stats
}

func (f *fakeGPU) Close() error {
	f.closed++
	return nil
}

func (f *fakeGPU) AlignBatch(ctx context.Context, b *align.Batch) error {
	if err := f.failAt[b.First]; err != nil {
		return err
	}
	if err := f.own.AlignBatch(ctx, b); err != nil {
		return err
	}
	var rest align.Batch
	var at []int
	f.mu.Lock()
	for i, p := range b.Pairs {
		windowed := false
		if f.opts.Approx != nil {
			_, windowed = f.opts.Approx.First(len(p.Pattern), len(p.Text))
		}
		counter := &f.stats.Warp
		switch {
		case strings.Trim(string(p.Pattern)+string(p.Text), "ACGTUacgtu") != "":
			counter = &f.stats.Letters
		case windowed && f.noRoom:
			counter = &f.stats.Memory
		case windowed:
			counter = &f.stats.Approx
		}
		*counter++
		if counter == &f.stats.Letters || counter == &f.stats.Memory {
			rest.Pairs = append(rest.Pairs, p)
			at = append(at, i)
		}
	}
	f.mu.Unlock()
	err := f.other.AlignBatch(ctx, &rest)
	for j, i := range at {
		b.Results[i] = rest.Results[j]
	}
	if f.spoil != nil {
		f.spoil(f, b)
	}
	return err
}

// systemOf is a machine with these GPUs.
func systemOf(gpus ...*fakeGPU) gpuSystem {
	return gpuSystem{
		count: func() (int, error) {
			if len(gpus) == 0 {
				return 0, fmt.Errorf("%w: none in this test", gpu.ErrNoDevice)
			}
			return len(gpus), nil
		},
		open: func(o gpu.Options, other aligner) (gpuEngine, error) {
			if o.Device >= len(gpus) {
				return nil, fmt.Errorf("GPU %d: %w", o.Device, &gpu.Error{Call: "cuDeviceGet", Code: 101})
			}
			f := gpus[o.Device]
			if f.openErr != nil {
				return nil, f.openErr
			}
			if f.own != nil { // each opening has an engine of its own
				f.second = &fakeGPU{name: f.name, noRoom: f.noRoom, spoil: f.spoil}
				f = f.second
			}
			own, err := align.New(align.Options{Penalties: o.Penalties, ScoreOnly: o.ScoreOnly, Approx: o.Approx, Threads: 1})
			f.opts, f.own, f.other = o, own, other
			return f, err
		},
		devices: func() ([]gpu.DeviceInfo, error) {
			var infos []gpu.DeviceInfo
			for i, f := range gpus {
				infos = append(infos, gpu.DeviceInfo{Ordinal: i, Name: f.name, FreeMemory: f.free})
			}
			return infos, nil
		},
	}
}

// outcome is a run of the command on such a machine.
type outcome struct {
	code           int
	stdout, stderr string
}

func runOn(t *testing.T, system gpuSystem, stdin string, args ...string) outcome {
	t.Helper()
	// The variables of whoever runs the tests are for the real GPUs.
	t.Setenv(gpu.KernelsVariable, "")
	return runOnAsIs(t, system, stdin, args...)
}

// runOnAsIs leaves the environment as the test has set it.
func runOnAsIs(t *testing.T, system gpuSystem, stdin string, args ...string) outcome {
	t.Helper()
	opts := defaultAlignOptions()
	opts.gpus = system
	var stdout, stderr bytes.Buffer
	code := runWith(t.Context(), opts, args, streams{strings.NewReader(stdin), &stdout, &stderr})
	return outcome{code, stdout.String(), stderr.String()}
}

var (
	errOld    = fmt.Errorf("GPU 1 (Tesla T4): %w: compute capability 7.5, 8.0 or later is needed", gpu.ErrTooOld)
	errMemory = errors.New("GPU 0 (NVIDIA H200): 100 MiB of device memory are free, at least 200 are needed")
	errImage  = fmt.Errorf("%w: this program was built without GPU kernels", gpu.ErrNoKernels)
)

// closeTeller says when it is closed.
type closeTeller struct {
	gpuEngine
	closed chan<- struct{}
}

func (c closeTeller) Close() error {
	err := c.gpuEngine.Close()
	close(c.closed)
	return err
}
