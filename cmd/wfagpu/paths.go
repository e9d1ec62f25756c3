package main

import (
	"os"
	"path/filepath"

	seqio "wfagpu/io"
)

// The output is opened when there is something to write. These checks come first:
// a run of an hour must not fail at a misspelt directory, and must never
// overwrite its input.

// namedPath is a file named on the command line and the flag it came with.
type namedPath struct{ flag, path string }

// checkOutputs refuses outputs that could not be created, that are read by
// the same run, or that coincide.
func checkOutputs(outputs []namedPath, inputs []string) error {
	for i, out := range outputs {
		// Create creates no file yet, and returns what would prevent it.
		if _, err := seqio.Create(out.path, nil); err != nil {
			return usagef("%s: %w", out.flag, err)
		}
		for _, in := range inputs {
			if sameFile(out.path, in) {
				return usagef("%s %s would overwrite an input file", out.flag, out.path)
			}
		}
		for _, other := range outputs[:i] {
			if sameFile(out.path, other.path) {
				return usagef("%s and %s name the same file %s", other.flag, out.flag, out.path)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one regular file. Devices and pipes
// may be named several times.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	if errA == nil || errB == nil {
		return false
	}
	return filepath.Clean(a) == filepath.Clean(b)
}
