//go:build !(linux && (amd64 || arm64))

package emu

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Kernels are the compiled kernels; this system has none.
type Kernels struct{}

// Open returns ErrNoCompiler.
func Open() (*Kernels, error) {
	return nil, fmt.Errorf("%w: not on %s/%s", ErrNoCompiler, runtime.GOOS, runtime.GOARCH)
}

func (k *Kernels) Names() []string { return nil }

func (k *Kernels) Has(string) bool { return false }

func (k *Kernels) ParamsBytes() int { return 0 }

func (k *Kernels) Launch(string, int, int, int, unsafe.Pointer, int) error { return ErrNoCompiler }

func lock(string) (func(), error) { return nil, ErrNoCompiler }
