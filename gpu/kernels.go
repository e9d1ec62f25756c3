package gpu

import (
	"fmt"
	"os"
	"sync"

	"wfagpu/align"
	"wfagpu/cuda"
)

// KernelsVariable names an environment variable with the path of a fatbin,
// cubin or PTX file to be used instead of the kernels in the program.
const KernelsVariable = "WFAGPU_KERNELS"

// kernelImage returns the kernels to be loaded.
func kernelImage() ([]byte, error) {
	if path := os.Getenv(KernelsVariable); path != "" {
		image, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrNoKernels, KernelsVariable, err)
		}
		return image, nil
	}
	image, err := cuda.Image()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoKernels, err)
	}
	return image, nil
}

// kernel is a function of the module with what launches of it need to know.
type kernel struct {
	function
	mu  sync.Mutex
	fit map[[2]int]int // threads and shared bytes to blocks an SM
}

// kernels are an engine's functions.
type kernels struct {
	pack, general           *kernel
	trace1, trace8, trace32 *kernel
	variants                []*kernel // nil: these penalties have none; of the exact mode alone: shorter

	// Of the approximate mode, nil in the exact one.
	approxTrace, window, windowTrace *kernel
}

// namedKernel is a kernel of the module and where it goes.
type namedKernel struct {
	to   **kernel
	name string
}

// loadKernels looks up every kernel that an engine with these options can
// launch, so that one that is missing shows at once.
func loadKernels(m *module, info DeviceInfo, p align.Penalties, scoreOnly, approx bool) (*kernels, error) {
	var ks kernels
	named := []namedKernel{
		{&ks.pack, "wfa_pack"}, {&ks.general, "wfa_general"},
		{&ks.trace1, "wfa_trace_1"}, {&ks.trace8, "wfa_trace_8"}, {&ks.trace32, "wfa_trace_32"},
	}
	if approx {
		window := "wfa_window_rows"
		if scoreOnly {
			window = "wfa_window_score"
		}
		named = append(named, namedKernel{&ks.approxTrace, "wfa_approx_trace"},
			namedKernel{&ks.window, window}, namedKernel{&ks.windowTrace, "wfa_window_trace"})
	}
	for _, k := range named {
		f, err := m.function(k.name)
		if err != nil {
			return nil, err
		}
		*k.to = &kernel{function: f, fit: map[[2]int]int{}}
	}
	if approx {
		if err := ks.window.setSharedBytes(info.dynamicShared()); err != nil {
			return nil, err
		}
	}
	if !hasVariants(p) {
		return &ks, nil
	}
	for i := range variants {
		if variants[i].kind == kindApprox && !approx {
			break
		}
		f, err := m.function(variants[i].kernelName(p, scoreOnly))
		if err != nil {
			return nil, err
		}
		k := &kernel{function: f, fit: map[[2]int]int{}}
		if err := f.setSharedBytes(info.dynamicShared()); err != nil {
			return nil, err
		}
		ks.variants = append(ks.variants, k)
	}
	return &ks, nil
}

// blocks returns how many blocks an SM holds at a time, at least 1.
func (k *kernel) blocks(threads, sharedBytes int) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := [2]int{threads, sharedBytes}
	if n, ok := k.fit[key]; ok {
		return n, nil
	}
	n, err := k.blocksPerSM(threads, sharedBytes)
	if err != nil {
		return 0, err
	}
	if n < 1 {
		return 0, fmt.Errorf("kernel %s: not one block of %d threads with %d bytes of shared memory fits", k.name, threads, sharedBytes)
	}
	k.fit[key] = n
	return n, nil
}
