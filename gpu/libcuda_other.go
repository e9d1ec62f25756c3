//go:build !linux || !(amd64 || arm64)

package gpu

import (
	"fmt"
	"runtime"
)

// openLibrary says that GPUs are for Linux on amd64 and arm64 alone.
func openLibrary(name string) (*driver, error) {
	return nil, fmt.Errorf("%w: %s is not looked for on %s/%s", ErrNoDriver, name, runtime.GOOS, runtime.GOARCH)
}
