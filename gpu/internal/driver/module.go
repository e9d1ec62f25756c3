package driver

import (
	"errors"
	"fmt"
	"unsafe"
)

// Module is a loaded image of kernels.
type Module struct {
	d      *Device
	handle Handle
	image  []byte // kept: the driver may load a function on its first use
}

// LoadModule loads a fatbin, a cubin or PTX. An image without code for this
// device, or a damaged one, is ErrNoKernels. The image is not changed afterwards.
func (d *Device) LoadModule(image []byte) (*Module, error) {
	if err := checkImage(image); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoKernels, err)
	}
	image = loadable(image)
	m := &Module{d: d, image: image}
	err := d.run("cuModuleLoadData", func() (r Result) {
		m.handle, r = d.api.ModuleLoadData(image)
		return r
	})
	if err != nil {
		return nil, d.kernelError(err)
	}
	return m, nil
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
	f := &Function{d: m.d, name: name, occupancy: map[shape]int{}}
	err := m.d.run("cuModuleGetFunction", func() (r Result) {
		f.handle, r = m.d.api.ModuleGetFunction(m.handle, name)
		return r
	})
	if err == nil {
		return f, nil
	}
	if e, ok := err.(*Error); ok && Result(e.Code) == ResultNotFound {
		return nil, fmt.Errorf("%w: the kernel image has no kernel %s: %w", ErrNoKernels, name, err)
	}
	// The driver loads images lazily, so loading can fail here, too.
	return nil, fmt.Errorf("kernel %s: %w", name, m.d.kernelError(err))
}

// Close unloads the image with its functions. A second Close does nothing.
func (m *Module) Close() error {
	return m.d.destroy("cuModuleUnload", &m.handle, m.d.api.ModuleUnload)
}
