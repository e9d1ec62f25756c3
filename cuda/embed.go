// Package cuda embeds the compiled GPU kernels. Their sources, *.cu and *.cuh in this
// directory, are compiled part by part; see README.md.
//
// The compiled image is committed, so that only Go is needed to build the program.
// `make kernels` writes the image and its manifest, and a test compares the manifest
// with the sources.
package cuda

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// ErrNoImage: the program was built without compiled kernels.
var ErrNoImage = errors.New("this program was built without GPU kernels: cuda/bin/wfagpu.fatbin was not there (make kernels compiles it)")

// The directory is embedded because the image may be missing.
//
//go:embed bin
var files embed.FS

// Image returns the compiled kernels, fatbins one behind another, or
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
