//go:build !linux && !darwin

package seqio

// writeAccess has nothing to ask on this system: the first Write will tell.
func writeAccess(string) error { return nil }
