//go:build !linux || !(amd64 || arm64) || nogpu

package driver

import (
	"fmt"
	"runtime"
)

// openLibrary returns ErrNoDriver: GPUs are supported on Linux, amd64 and arm64. There, the
// build tag nogpu leaves them out, for a static program: loading a library needs the
// dynamic loader of glibc.
func openLibrary(string, int) (*API, error) {
	return nil, fmt.Errorf("%w: this program is built for the CPU alone (%s/%s)", ErrNoDriver, runtime.GOOS, runtime.GOARCH)
}
