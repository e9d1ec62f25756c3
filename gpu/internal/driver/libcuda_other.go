//go:build !linux || !(amd64 || arm64)

package driver

import (
	"fmt"
	"runtime"
)

// openLibrary returns ErrNoDriver: GPUs are supported on Linux, amd64 and arm64.
func openLibrary(name string, _ int) (*API, error) {
	return nil, fmt.Errorf("%w: %s is not looked for on %s/%s", ErrNoDriver, name, runtime.GOOS, runtime.GOARCH)
}
