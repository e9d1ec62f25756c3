package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"wfagpu/align"
	"wfagpu/gpu"
)

// gpuEngine aligns on one GPU and has another engine finish what it cannot.
type gpuEngine interface {
	aligner
	Device() gpu.DeviceInfo
	Stats() gpu.Stats
	Close() error
}

// gpuSystem is how GPUs are found and opened; tests have their own.
type gpuSystem struct {
	// count is the number of visible GPUs, an error if there are none.
	count func() (int, error)
	// open prepares one of them, with other behind it.
	open func(o gpu.Options, other aligner) (gpuEngine, error)
	// devices lists the visible GPUs with their free memory.
	devices func() ([]gpu.DeviceInfo, error)
	// expected tells at once how many GPUs there probably are, so that a run can
	// begin before they are open; see startEngines. Where it is nil none does.
	expected func() int
}

// cudaGPUs are those that the CUDA driver shows.
var cudaGPUs = gpuSystem{count: gpu.Count, open: openRescued, devices: gpu.Devices}

// shared is the system for a run that opens each of its GPUs n times, one set
// after the other. An engine takes its memory as it needs it, so that the first
// one would leave nothing for the others, or they for it.
func (s gpuSystem) shared(n int64) gpuSystem {
	devices := sync.OnceValues(s.devices)
	open := s.open
	s.open = func(o gpu.Options, other aligner) (gpuEngine, error) {
		infos, err := devices()
		if err != nil {
			return nil, err
		}
		// Without a limit an engine leaves a tenth of the memory free.
		for _, info := range infos {
			if info.Ordinal == o.Device {
				o.Memory = int64(info.FreeMemory) / 10 * 9 / n
			}
		}
		return open(o, other)
	}
	return s
}

// rescuedGPU is a GPU with the CPU behind it.
type rescuedGPU struct {
	*gpu.Engine
	rescue gpu.Rescue
}

func openRescued(o gpu.Options, other aligner) (gpuEngine, error) {
	e, err := gpu.Open(o)
	if err != nil {
		return nil, err
	}
	return &rescuedGPU{Engine: e, rescue: gpu.Rescue{GPU: e, Other: other}}, nil
}

func (g *rescuedGPU) AlignBatch(ctx context.Context, b *align.Batch) error {
	return g.rescue.AlignBatch(ctx, b)
}

// gpuWorker is a GPU in a run: its failures say which one it was.
type gpuWorker struct{ gpuEngine }

func (w *gpuWorker) AlignBatch(ctx context.Context, b *align.Batch) error {
	err := w.gpuEngine.AlignBatch(ctx, b)
	if err == nil || ctx.Err() != nil {
		return err
	}
	info := w.Device()
	return withHint(fmt.Errorf("GPU %d (%s) failed: %w", info.Ordinal, info.Name, err),
		"--device cpu aligns without a GPU")
}

// gpuSet is what came of opening some GPUs: those that work, and why the
// others do not.
type gpuSet struct {
	workers []*gpuWorker
	faults  []error
}

// openGPUs opens the GPUs of these numbers, or all if there are none. An
// interrupt does not wait for it: the driver may have to compile the kernels,
// which takes long.
func openGPUs(ctx context.Context, system gpuSystem, ordinals []int, o gpu.Options, other aligner) (*gpuSet, error) {
	ch := make(chan *gpuSet, 1)
	go func() { ch <- system.openAll(ordinals, o, other) }()
	select {
	case set := <-ch:
		return set, nil
	case <-ctx.Done():
		go func() { (<-ch).close() }()
		return nil, context.Cause(ctx)
	}
}

// openAll opens GPUs side by side, as each takes some tenths of a second.
func (s gpuSystem) openAll(ordinals []int, o gpu.Options, other aligner) *gpuSet {
	if len(ordinals) == 0 {
		n, err := s.count()
		if err != nil {
			return &gpuSet{faults: []error{err}}
		}
		for i := range n {
			ordinals = append(ordinals, i)
		}
	}
	opened := make([]gpuEngine, len(ordinals))
	errs := make([]error, len(ordinals))
	var wg sync.WaitGroup
	for i, ordinal := range ordinals {
		o := o
		o.Device = ordinal
		wg.Go(func() { opened[i], errs[i] = s.open(o, other) })
	}
	wg.Wait()
	set := &gpuSet{}
	for i, e := range opened {
		if errs[i] != nil {
			set.faults = append(set.faults, errs[i])
		} else {
			set.workers = append(set.workers, &gpuWorker{e})
		}
	}
	return set
}

// before is the engine that these GPUs make with cpu behind them.
func (s *gpuSet) before(cpu aligner) aligner {
	switch len(s.workers) {
	case 0:
		return cpu
	case 1:
		return s.workers[0]
	}
	all := make([]aligner, len(s.workers))
	for i, w := range s.workers {
		all[i] = w
	}
	return newSpread(all...)
}

// close gives the GPUs back, side by side as well.
func (s *gpuSet) close() error {
	errs := make([]error, len(s.workers))
	var wg sync.WaitGroup
	for i, w := range s.workers {
		wg.Go(func() { errs[i] = w.Close() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// refusal is the error where these GPUs are not what --device demands.
func (s *gpuSet) refusal(d deviceChoice) error {
	switch {
	case d.kind == "": // by number: all or nothing
		if len(s.faults) == 0 {
			return nil
		}
	case len(s.workers) > 0:
		return nil
	case d.kind == "auto" && !s.kernelsRefused():
		return nil
	}
	return withHint(&deviceError{errors.New(faultText(s.faults))},
		"'wfagpu devices' lists the GPUs; --device cpu aligns without one")
}

// kernelsRefused reports that a GPU is not used because of the user's own
// kernels. A run that has no other GPU must not go on as if it had none at all.
func (s *gpuSet) kernelsRefused() bool {
	return os.Getenv(gpu.KernelsVariable) != "" &&
		slices.ContainsFunc(s.faults, func(err error) bool { return errors.Is(err, gpu.ErrNoKernels) })
}

// checkKernelsVariable reads the user's own kernels, if any: a wrong path is
// an error on a machine without a GPU, too.
func checkKernelsVariable() error {
	path := os.Getenv(gpu.KernelsVariable)
	if path == "" {
		return nil
	}
	if _, err := os.ReadFile(path); err != nil {
		return fmt.Errorf("%s: %w", gpu.KernelsVariable, err)
	}
	return nil
}

// gpuNames lists GPUs by number, those of one name together.
func gpuNames(workers []*gpuWorker) string {
	var names []string
	numbers := map[string][]string{}
	for _, w := range workers {
		info := w.Device()
		if numbers[info.Name] == nil {
			names = append(names, info.Name)
		}
		numbers[info.Name] = append(numbers[info.Name], strconv.Itoa(info.Ordinal))
	}
	for i, name := range names {
		word := "GPU"
		if len(numbers[name]) > 1 {
			word = "GPUs"
		}
		names[i] = fmt.Sprintf("%s %s (%s)", word, strings.Join(numbers[name], ","), name)
	}
	return strings.Join(names, ", ")
}
