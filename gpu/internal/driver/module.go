package driver

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"
)

// Module is an image of kernels. It may have several parts, which are loaded in turn when a function is in none
// of those before.
type Module struct {
	d *Device

	mu     sync.Mutex
	loaded []Handle
	images [][]byte // of these, kept: the driver may load a function on its first use
	rest   [][]byte // parts that are not loaded
}

// LoadModule loads fatbins one behind another, a cubin or PTX. An image without code for this
// device, or a damaged one, is ErrNoKernels. The image is not changed afterwards.
func (d *Device) LoadModule(image []byte) (*Module, error) {
	parts, err := imageParts(image)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoKernels, err)
	}
	m := &Module{d: d, rest: parts}
	if err := m.loadNext(); err != nil {
		return nil, d.kernelError(err)
	}
	return m, nil
}

// loadNext loads the first part that is not loaded.
func (m *Module) loadNext() error {
	image := loadable(m.rest[0])
	var h Handle
	err := m.d.run("cuModuleLoadData", func() (r Result) {
		h, r = m.d.api.ModuleLoadData(image)
		return r
	})
	if err != nil {
		return err
	}
	m.loaded, m.images, m.rest = append(m.loaded, h), append(m.images, image), m.rest[1:]
	return nil
}

// imageAlignment is what the address of a binary image is a multiple of, in bytes.
const imageAlignment = 16

// loadable returns an image as the driver reads it: PTX ends in a zero byte, and a binary image
// is aligned. It copies an image that is not.
func loadable(image []byte) []byte {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(image)))
	if isBinary(image) && at%imageAlignment == 0 {
		return image
	}
	copied := make([]byte, len(image)+1)
	copy(copied, image)
	return copied
}

// kernelError wraps a failure that the image causes in ErrNoKernels.
func (d *Device) kernelError(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	var what string
	switch Result(e.Code) {
	case ResultNoBinaryForGPU:
		what = "the kernel image has no code for compute capability %d.%d"
	case ResultUnsupportedPTX:
		what = "the kernel image has only PTX for compute capability %d.%d, newer than the driver can compile"
	case ResultNoJIT, ResultJITDisabled:
		what = "the kernel image has only PTX for compute capability %d.%d, and the driver does not compile it"
	case ResultInvalidImage, ResultInvalidPTX, ResultInvalidSource:
		what = "the driver cannot read the kernel image (compute capability %d.%d)"
	default:
		return err
	}
	return fmt.Errorf("%w: "+what+": %w", ErrNoKernels, d.Info.Major, d.Info.Minor, err)
}

// Function returns a kernel by its C name. If the image lacks it, the error is
// ErrNoKernels.
func (m *Module) Function(name string) (*Function, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	h, err := m.find(name)
	switch {
	case err == nil:
		return &Function{d: m.d, handle: h, name: name, occupancy: map[shape]int{}}, nil
	case isMissing(err):
		return nil, fmt.Errorf("%w: the kernel image has no kernel %s: %w", ErrNoKernels, name, err)
	}
	// The driver loads images lazily, so loading can fail here, too.
	return nil, fmt.Errorf("kernel %s: %w", name, m.d.kernelError(err))
}

// find looks for a kernel in the parts that are loaded, the last one first: kernels that are looked
// for one after another are mostly in one part. Then it loads others.
func (m *Module) find(name string) (h Handle, err error) {
	in := func(part Handle) bool {
		err = m.d.run("cuModuleGetFunction", func() (r Result) {
			h, r = m.d.api.ModuleGetFunction(part, name)
			return r
		})
		return !isMissing(err) // found, or another failure
	}
	for _, part := range slices.Backward(m.loaded) {
		if in(part) {
			return h, err
		}
	}
	for len(m.rest) > 0 {
		if err := m.loadNext(); err != nil {
			return 0, err
		}
		if in(m.loaded[len(m.loaded)-1]) {
			break
		}
	}
	return h, err
}

// Close unloads the image with its functions. A second Close does nothing.
func (m *Module) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var errs []error
	for i := range m.loaded {
		errs = append(errs, m.d.destroy("cuModuleUnload", &m.loaded[i], m.d.api.ModuleUnload))
	}
	return errors.Join(errs...)
}
