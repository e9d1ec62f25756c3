package hybrid

import (
	"sync"

	"wfagpu/gpu"
)

// MemoryShare divides the memory of GPUs among engines that use them at the same
// time. An engine takes device memory as it needs it, so that without a share
// the first one leaves nothing for the others.
type MemoryShare struct {
	engines int64
	once    sync.Once
	infos   []gpu.DeviceInfo
	err     error
}

// NewMemoryShare is for so many engines. Each is opened with it, and all of them
// before the first one aligns.
func NewMemoryShare(engines int) *MemoryShare { return &MemoryShare{engines: int64(engines)} }

// of returns the memory, in bytes, that an engine may take of a GPU: an equal part
// of nine tenths of the memory that was free at the first call. A single engine
// leaves a tenth free, too. It is 0 for a GPU that is not listed.
func (m *MemoryShare) of(s System, ordinal int) (int64, error) {
	m.once.Do(func() { m.infos, m.err = s.Devices() })
	for _, info := range m.infos {
		if info.Ordinal == ordinal {
			return int64(info.FreeMemory) / 10 * 9 / m.engines, m.err
		}
	}
	return 0, m.err
}
