// Package cuda holds the compiled GPU kernels. Their sources, *.cu and *.cuh,
// lie beside this file and are one translation unit, wfagpu.cu.
//
// The compiled image is committed, so that building the program takes Go alone.
// `make kernels` makes it and the manifest beside it, and a test compares the
// manifest with the sources.
package cuda

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// ErrNoImage: the program was built without compiled kernels.
var ErrNoImage = errors.New("this program was built without GPU kernels: cuda/bin/wfagpu.fatbin was not there (make kernels compiles it)")

// The directory, because the image may be missing from it.
//
//go:embed bin
var files embed.FS

// Image returns the compiled kernels, a fatbin for the driver to load, or
// ErrNoImage. The caller owns the slice.
func Image() ([]byte, error) { return image(files) }

func image(files fs.FS) ([]byte, error) {
	b, err := fs.ReadFile(files, "bin/wfagpu.fatbin")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoImage
	}
	if err == nil && len(b) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("the program's GPU kernels: %w", err)
	}
	return b, nil
}
