package hybrid

import (
	"sync"

	"wfagpu/gpu"
)

// MemoryShare divides the memory of GPUs among engines that use them at the same
// time. Without it the first engine may allocate most of the free memory.
type MemoryShare struct {
	engines int64
	once    sync.Once
	infos   []gpu.DeviceInfo
	err     error
}

// NewMemoryShare returns a share for a number of engines. All of them are opened
// with it before the first one aligns.
func NewMemoryShare(engines int) *MemoryShare { return &MemoryShare{engines: int64(engines)} }

// of returns the memory, in bytes, that an engine may use on a GPU: an equal part of
// nine tenths of the memory that was free at the first call. It returns 0 for a GPU
// that is not listed.
func (m *MemoryShare) of(s System, ordinal int) (int64, error) {
	m.once.Do(func() { m.infos, m.err = s.Devices() })
	for _, info := range m.infos {
		if info.Ordinal == ordinal {
			return int64(info.FreeMemory) / 10 * 9 / m.engines, m.err
		}
	}
	return 0, m.err
}
