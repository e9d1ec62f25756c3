package gpu

import "unsafe"

// prefetch has the CPU bring two cache lines from each of two places on. Any
// address will do.
//
//go:noescape
func prefetch(a, b unsafe.Pointer)
