package main

import (
	"bytes"
	"fmt"
	"os"

	"wfagpu/gpu"
)

// checkKernels refuses a file in WFAGPU_KERNELS that cannot be kernels, whether a
// GPU is there to refuse it or not. One that cannot be read is for the engine to
// report.
func checkKernels() error {
	path := os.Getenv(gpu.KernelsVariable)
	if path == "" {
		return nil
	}
	image, err := os.ReadFile(path)
	if err != nil || isKernels(image) {
		return nil
	}
	return fmt.Errorf("%s: %s is no compiled kernels: want a fatbin, a cubin or PTX", gpu.KernelsVariable, path)
}

// isKernels tells a fatbin and a cubin by their first bytes (a cubin is an ELF file
// of machine 190, CUDA), and PTX by the directive that it has to begin with.
func isKernels(image []byte) bool {
	switch {
	case bytes.HasPrefix(image, []byte("\x50\xed\x55\xba")):
		return true
	case bytes.HasPrefix(image, []byte("\x7fELF")):
		return len(image) > 19 && image[18] == 190 && image[19] == 0
	}
	return bytes.Contains(image, []byte(".version"))
}
