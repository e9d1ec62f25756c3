//go:build !linux && !darwin

package seqio

import "os"

// mapFile maps no file on this system.
func mapFile(*os.File, int64) []byte { return nil }

func unmapFile([]byte) {}

func forgetMapped([]byte) {}
