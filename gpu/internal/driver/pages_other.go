//go:build !linux

package driver

import (
	"errors"
	"math"
)

// hugePage is more than any size of pinned memory.
const hugePage = math.MaxInt

// mapPages is for systems whose huge pages are used.
func mapPages(int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmapPages([]byte) {}
