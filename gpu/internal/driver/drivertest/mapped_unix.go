//go:build unix

package drivertest

import "syscall"

// mapped returns n bytes of zeros, which take memory where they are used.
func mapped(n int) []byte {
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		panic(err)
	}
	return b
}

func unmap(b []byte) {
	if err := syscall.Munmap(b); err != nil {
		panic(err)
	}
}
