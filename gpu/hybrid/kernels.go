package hybrid

import (
	"bytes"
	"fmt"
	"os"

	"wfagpu/gpu"
)

// checkKernelsVariable reads the user's kernels, if any, so that a wrong path and a
// file of another kind are errors on a machine without a GPU, too.
func checkKernelsVariable() error {
	path := os.Getenv(gpu.KernelsVariable)
	if path == "" {
		return nil
	}
	image, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%s: %w", gpu.KernelsVariable, err)
	}
	if !isKernels(image) {
		return fmt.Errorf("%s: %s is no compiled kernels: want a fatbin, a cubin or PTX", gpu.KernelsVariable, path)
	}
	return nil
}

// isKernels recognizes a fatbin and a cubin by their first bytes (a cubin is an ELF
// file of machine 190, CUDA), and PTX by its .version directive. A GPU checks the
// rest of the image when it loads it.
func isKernels(image []byte) bool {
	switch {
	case bytes.HasPrefix(image, []byte("\x50\xed\x55\xba")):
		return true
	case bytes.HasPrefix(image, []byte("\x7fELF")):
		return len(image) > 19 && image[18] == 190 && image[19] == 0
	}
	return bytes.Contains(image, []byte(".version"))
}
