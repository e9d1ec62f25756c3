package hybrid

import (
	"sync"

	"wfagpu/gpu"
)

// MemoryShare divides the memory of GPUs among engines that use them at the same
// time. Without it the first engine may take most of the free memory.
type MemoryShare struct {
	engines int64
	once    sync.Once
	infos   []gpu.DeviceInfo
	err     error
}

// NewMemoryShare returns a share for a number of engines, which are opened with it.
func NewMemoryShare(engines int) *MemoryShare { return &MemoryShare{engines: int64(engines)} }

// defaultPart is the part of the free memory that an engine may use.
const defaultPart = 0.9

// free returns the memory, in bytes, that was free on a GPU at the first call, and 0
// for a GPU that is not listed.
func (m *MemoryShare) free(s System, ordinal int) (int64, error) {
	m.once.Do(func() { m.infos, m.err = s.Devices() })
	for _, info := range m.infos {
		if info.Ordinal == ordinal {
			return int64(info.FreeMemory), m.err
		}
	}
	return 0, m.err
}
