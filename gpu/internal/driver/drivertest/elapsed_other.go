//go:build !linux || !(amd64 || arm64)

package drivertest

import (
	"errors"

	"wfagpu/gpu/internal/driver"
)

func elapsedTime() (func(start, end driver.Handle) (float32, driver.Result), error) {
	return nil, errors.New("there are no GPUs on this system")
}
