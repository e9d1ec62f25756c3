package gpu

import "unsafe"

// prefetch has the CPU bring on two cache lines from a on, two from b on, and one
// at c. Any address will do.
//
//go:noescape
func prefetch(a, b, c unsafe.Pointer)
