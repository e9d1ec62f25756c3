//go:build !unix

package emu_test

import "testing"

// guarded skips the test.
func guarded(t testing.TB, _ int) []byte {
	t.Helper()
	t.Skip("needs memory that faults")
	return nil
}
