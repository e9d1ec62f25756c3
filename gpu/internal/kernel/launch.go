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
