//go:build !unix

package drivertest

func mapped(n int) []byte { return make([]byte, n) }

func unmap([]byte) {}
