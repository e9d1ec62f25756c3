package kernel

import (
	"unsafe"

	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// launch queues a kernel with its parameters.
func launch(s *driver.Stream, f *driver.Function, blocks, threads, shared int, a *abi.Params) error {
	return s.Launch(f, blocks, threads, shared, unsafe.Pointer(a))
}

// tracebackThreads is the size of a block of the traceback kernels.
const tracebackThreads = 128

// traceback queues a traceback kernel with pairThreads threads per pair.
func traceback(s *driver.Stream, f *driver.Function, pairThreads int, a *abi.Params) error {
	blocks := (pairThreads*int(a.Count) + tracebackThreads - 1) / tracebackThreads
	return launch(s, f, blocks, tracebackThreads, 0, a)
}

// suffix returns the suffix of kernels that have two forms: one reports scores alone,
// the other stores rows for the traceback.
func suffix(scoreOnly bool) string {
	if scoreOnly {
		return "score"
	}
	return "rows"
}

// Packer packs letters to bases on the device.
type Packer struct{ f *driver.Function }

// LoadPacker looks up the packing kernel.
func LoadPacker(m *driver.Module) (*Packer, error) {
	f, err := m.Function("wfa_pack")
	if err != nil {
		return nil, err
	}
	return &Packer{f}, nil
}

// Launch queues the packing of a.Count pairs and the initialization of their results.
// Eight threads share a pair; blocks are large enough to hide the latency of memory.
func (p *Packer) Launch(s *driver.Stream, a abi.Params) error {
	const threads, pairs = 256, 256 / 8
	return launch(s, p.f, (int(a.Count)+pairs-1)/pairs, threads, 0, &a)
}
