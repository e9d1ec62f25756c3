package letters

import "golang.org/x/sys/cpu"

// runVectors is Run of whole vectors. Unless the run has ended, it goes on behind these.
func runVectors(s []byte) (run int, ended bool) {
	n := len(s) &^ 31
	if n == 0 || !cpu.X86.HasAVX2 {
		return runWords(s), false
	}
	run = runAVX2(&s[0], n)
	return run, run < n
}

// basesVectors is Bases of 32 letters or more, if it is known.
func basesVectors(s []byte) (bases, known bool) {
	if !cpu.X86.HasAVX2 {
		return false, false
	}
	return basesAVX2(&s[0], len(s)), true
}

// valuesVectors is Values of 32 bytes or more, if it is known.
func valuesVectors(s []byte) (values, known bool) {
	if !cpu.X86.HasAVX2 {
		return false, false
	}
	return valuesAVX2(&s[0], len(s)), true
}

// runAVX2 returns the length of the run in n bytes, a multiple of 32.
//
//go:noescape
func runAVX2(s *byte, n int) int

// basesAVX2 reports whether n bytes, 32 or more, are bases.
//
//go:noescape
func basesAVX2(s *byte, n int) bool

// valuesAVX2 reports whether n bytes, 32 or more, are quality values.
//
//go:noescape
func valuesAVX2(s *byte, n int) bool
