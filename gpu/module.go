package gpu

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// module is a loaded image of kernels.
type module struct {
	d      *device
	handle handle
	image  []byte // the driver may load functions from it when they are first used
}

// loadModule loads a fatbin, a cubin or PTX. An image without code for this
// device, or a damaged one, is ErrNoKernels.
func (d *device) loadModule(image []byte) (*module, error) {
	if err := checkImage(image); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoKernels, err)
	}
	// A copy, because PTX must end in a zero byte and binary images be
	// aligned, which embedded ones need not be.
	image = append(bytes.Clone(image), 0)
	m := &module{d: d, image: image}
	err := d.run("cuModuleLoadData", func() (r result) {
		m.handle, r = d.drv.moduleLoadData(image)
		return r
	})
	if err != nil {
		return nil, d.kernelError(err)
	}
	return m, nil
}

// kernelError makes ErrNoKernels of a failure that the image is to blame for.
func (d *device) kernelError(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	var what string
	switch result(e.Code) {
	case resultNoBinaryForGPU:
		what = "the kernel image has no code for compute capability %d.%d"
	case resultUnsupportedPTX:
		what = "the kernel image has only PTX for compute capability %d.%d, newer than the driver can compile"
	case resultNoJIT, resultJITDisabled:
		what = "the kernel image has only PTX for compute capability %d.%d, and the driver does not compile it"
	case resultInvalidImage, resultInvalidPTX, resultInvalidSource:
		what = "the driver cannot read the kernel image (compute capability %d.%d)"
	default:
		return err
	}
	return fmt.Errorf("%w: "+what+": %w", ErrNoKernels, d.info.Major, d.info.Minor, err)
}

const (
	fatbinMagic  = 0xba55ed50
	fatbinHeader = 16 // magic, version and header size of 16 bits, size of 64 bits
	elfMagic     = "\x7fELF"
	elfHeader    = 64
)

// checkImage refuses what is no image, or half of one: the driver reads as many
// bytes as the image's own header says, there or not.
func checkImage(image []byte) error {
	le := binary.LittleEndian
	size := uint64(len(image))
	switch {
	case size >= fatbinHeader && le.Uint32(image) == fatbinMagic:
		// A file may hold several, one behind the other.
		for rest := image; len(rest) >= fatbinHeader && le.Uint32(rest) == fatbinMagic; {
			body, left := le.Uint64(rest[8:]), uint64(len(rest))
			header := uint64(le.Uint16(rest[6:]))
			if header < fatbinHeader || header > left || body > left-header {
				return errors.New("the kernel image is cut short")
			}
			rest = rest[header+body:]
		}
		return nil
	case size >= elfHeader && string(image[:4]) == elfMagic:
		// The table of sections is the end of the file.
		start, entry, n := le.Uint64(image[40:]), uint64(le.Uint16(image[58:])), uint64(le.Uint16(image[60:]))
		if start > size || entry*n > size-start {
			return errors.New("the kernel image is cut short")
		}
		return nil
	case bytes.Contains(image, []byte(".version")) && bytes.IndexByte(image, 0) < 0:
		return nil
	}
	return errors.New("the kernel image is neither fatbin nor cubin nor PTX")
}

// function returns a kernel by its C name. A kernel that the image lacks is
// ErrNoKernels.
func (m *module) function(name string) (function, error) {
	f := function{d: m.d, name: name}
	err := m.d.run("cuModuleGetFunction", func() (r result) {
		f.handle, r = m.d.drv.moduleGetFunction(m.handle, name)
		return r
	})
	if err == nil {
		return f, nil
	}
	if e, ok := err.(*Error); ok && result(e.Code) == resultNotFound {
		return function{}, fmt.Errorf("%w: the kernel image has no kernel %s: %w", ErrNoKernels, name, err)
	}
	// Images are loaded late: what loadModule would have said can come now.
	return function{}, fmt.Errorf("kernel %s: %w", name, m.d.kernelError(err))
}

// close unloads the image; its functions are gone then. Closing twice does
// nothing.
func (m *module) close() error {
	return m.d.destroy("cuModuleUnload", &m.handle, m.d.drv.moduleUnload)
}

// function is a kernel of a loaded module.
type function struct {
	d      *device
	handle handle
	name   string
}

// setSharedBytes allows launches with up to n bytes of dynamic shared memory,
// where 48 KiB is the limit otherwise, and asks for all of an SM's on-chip
// memory to be shared memory.
func (f function) setSharedBytes(n int) error {
	err := f.set(functionDynamicShared, n)
	if err == nil {
		err = f.set(functionCarveout, 100)
	}
	return err
}

// blocksPerSM is how many blocks of the given threads and dynamic shared bytes
// an SM holds at a time; 0 if not one fits.
func (f function) blocksPerSM(threads, sharedBytes int) (int, error) {
	var n int32
	err := f.d.run("cuOccupancyMaxActiveBlocksPerMultiprocessor", func() (r result) {
		n, r = f.d.drv.occupancyMaxActiveBlocksPerMultiprocessor(f.handle, int32(threads), uint64(sharedBytes))
		return r
	})
	return int(n), f.wrap(err)
}

func (f function) set(attribute int32, value int) error {
	return f.wrap(f.d.run("cuFuncSetAttribute", func() result {
		return f.d.drv.funcSetAttribute(f.handle, attribute, int32(value))
	}))
}

// wrap names the kernel in an error.
func (f function) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("kernel %s: %w", f.name, err)
}
