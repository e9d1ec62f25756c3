package gpu

import (
	"fmt"
	"os"

	"wfagpu/align"
	"wfagpu/cuda"
	"wfagpu/gpu/internal/driver"
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

// kernels are an engine's functions.
type kernels struct {
	pack, general           *driver.Function
	trace1, trace8, trace32 *driver.Function
	variants                []*driver.Function // nil: these penalties have none; of the exact mode alone: shorter

	// Of the approximate mode, nil in the exact one.
	approxTrace, window, windowTrace *driver.Function
}

// namedKernel is a kernel of the module and where it goes.
type namedKernel struct {
	to   **driver.Function
	name string
}

// loadKernels looks up every kernel that an engine with these options can
// launch, so that one that is missing shows at once.
func loadKernels(m *driver.Module, info DeviceInfo, p align.Penalties, scoreOnly, approx bool) (*kernels, error) {
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
		f, err := m.Function(k.name)
		if err != nil {
			return nil, err
		}
		*k.to = f
	}
	if approx {
		if err := ks.window.SetSharedBytes(dynamicShared(&info)); err != nil {
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
		f, err := m.Function(variants[i].kernelName(p, scoreOnly))
		if err != nil {
			return nil, err
		}
		if err := f.SetSharedBytes(dynamicShared(&info)); err != nil {
			return nil, err
		}
		ks.variants = append(ks.variants, f)
	}
	return &ks, nil
}
