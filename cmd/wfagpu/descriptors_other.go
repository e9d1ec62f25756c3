//go:build !linux && !darwin

package main

// reserveDescriptors has nothing to reserve on this system.
func reserveDescriptors() error { return nil }
