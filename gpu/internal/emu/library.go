//go:build linux && (amd64 || arm64)

package emu

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Kernels are the compiled kernels.
type Kernels struct {
	mu     sync.Mutex // one launch at a time
	path   string
	launch uintptr
	params int // size of a launch's parameters
	byName map[string]uintptr
}

// Open compiles the kernels, unless they are cached, and loads them. The error is
// ErrNoCompiler without a compiler. All calls return the same.
var Open = sync.OnceValues(func() (*Kernels, error) {
	path, err := build()
	if err != nil {
		return nil, err
	}
	return load(path)
})

// load opens a shared object.
func load(path string) (*Kernels, error) {
	names, err := symbols(path)
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread() // dlerror is per thread
	defer runtime.UnlockOSThread()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	k := &Kernels{path: path, byName: map[string]uintptr{}}
	for _, name := range names {
		p, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, err
		}
		k.byName[name] = p
	}
	if k.launch, err = purego.Dlsym(handle, "emulatedLaunch"); err != nil {
		return nil, err
	}
	size, err := purego.Dlsym(handle, "emulatedParamsBytes")
	if err != nil {
		return nil, err
	}
	bytes, _, _ := purego.SyscallN(size)
	k.params = int(bytes)
	return k, nil
}

// symbols lists the kernels of a shared object, among them the emu_ kernels, which
// test the emulation.
func symbols(path string) ([]string, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := f.DynamicSymbols()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range all {
		if s.Section != elf.SHN_UNDEF && (strings.HasPrefix(s.Name, "wfa_") || strings.HasPrefix(s.Name, "emu_")) {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Names returns the kernels' names, sorted: those of the image, and those of
// cuda/emu/extra.cuh.
func (k *Kernels) Names() []string {
	names := make([]string, 0, len(k.byName))
	for name := range k.byName {
		if strings.HasPrefix(name, "wfa_") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Has reports whether a kernel has this name.
func (k *Kernels) Has(name string) bool { return k.byName[name] != 0 }

// ParamsBytes returns the size of the kernels' parameter structure.
func (k *Kernels) ParamsBytes() int { return k.params }

// Launch runs a kernel with the structure of size bytes at params and waits for its
// end. Pointers in the structure are addresses of the process; the caller keeps their
// targets alive. One launch runs at a time.
func (k *Kernels) Launch(name string, grid, block, shared int, params unsafe.Pointer, size int) error {
	f, ok := k.byName[name]
	if !ok {
		return fmt.Errorf("no kernel %s", name)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	var message [512]byte
	var where uint64
	r := call(k.launch, f, uintptr(grid), uintptr(block), uintptr(shared), uintptr(params), uintptr(size),
		uintptr(unsafe.Pointer(&message[0])), uintptr(len(message)), uintptr(unsafe.Pointer(&where)))
	if int32(r) == 0 {
		return nil
	}
	text, _, _ := bytes.Cut(message[:], []byte{0})
	return fmt.Errorf("%s: %s%s", name, text, k.line(where))
}

// call keeps the targets of its arguments alive and in place.
//
//go:uintptrescapes
func call(fn uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}

// lock waits for a file's lock. The lock ends with the process at the latest.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
