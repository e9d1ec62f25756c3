package seqio

import (
	"fmt"

	"wfagpu/io/internal/letters"
)

// letterRun returns how many bytes at the start of s may stand in a sequence.
func letterRun(s []byte) int { return letters.Run(s) }

// badLetter returns the index of the first byte that may not stand in a
// sequence, or -1.
func badLetter(s []byte) int {
	if n := letterRun(s); n < len(s) {
		return n
	}
	return -1
}

// checkLetters is badLetter as an error that calls the sequence what.
func checkLetters(s []byte, what string) error {
	i := badLetter(s)
	if i < 0 {
		return nil
	}
	if s[i] == '\r' {
		return fmt.Errorf("%s position %d: %s is not a sequence letter: %w", what, i+1, showByte(s[i]), errLoneCR)
	}
	return fmt.Errorf("%s position %d: %s is not a sequence letter", what, i+1, showByte(s[i]))
}
