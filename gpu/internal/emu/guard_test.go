//go:build unix

package emu_test

import (
	"syscall"
	"testing"
)

// guarded returns memory that ends at a page that faults.
func guarded(t testing.TB, bytes int) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	pages := (bytes + page - 1) &^ (page - 1)
	b, err := syscall.Mmap(-1, 0, pages+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(b) })
	if err := syscall.Mprotect(b[pages:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return b[pages-bytes : pages]
}
