package cigar

import (
	"bytes"
	"fmt"
)

// Verify reports the first reason why the alignment is not one of query with
// target, or nil. It has to consume both sequences exactly, its = columns must
// hold letters that are equal under Canonical and its X columns letters that
// differ; an M column may hold anything. Columns and positions in the error
// count from 1.
func (c CIGAR) Verify(query, target []byte) error {
	q, t, column := 0, 0, 1
	for _, e := range c {
		n := e.Len()
		usesQuery, usesTarget := true, true
		switch e & 15 {
		case codeMatch, codeMismatch, codeM:
		case codeIns:
			usesTarget = false
		case codeDel:
			usesQuery = false
		default:
			return fmt.Errorf("cigar: column %d: %v is not an operation of an alignment", column, e)
		}
		if left := len(query) - q; usesQuery && n > left {
			return fmt.Errorf("cigar: column %d: %v starts at query position %d and runs past the query's end at %d", column, e, q+1, len(query))
		}
		if left := len(target) - t; usesTarget && n > left {
			return fmt.Errorf("cigar: column %d: %v starts at target position %d and runs past the target's end at %d", column, e, t+1, len(target))
		}
		if i := e.wrongColumn(query[q:], target[t:]); i >= 0 {
			relation := "differ"
			if e&15 == codeMismatch {
				relation = "are equal"
			}
			return fmt.Errorf("cigar: column %d: %c at query position %d and target position %d, but %q and %q %s",
				column+i, e.Op(), q+i+1, t+i+1, query[q+i], target[t+i], relation)
		}
		column += n
		if usesQuery {
			q += n
		}
		if usesTarget {
			t += n
		}
	}
	if q < len(query) {
		return fmt.Errorf("cigar: %d columns consume %d of %d query letters", column-1, q, len(query))
	}
	if t < len(target) {
		return fmt.Errorf("cigar: %d columns consume %d of %d target letters", column-1, t, len(target))
	}
	return nil
}

// wrongColumn returns the first column of a run whose letters contradict its
// operation, or -1. Both slices start at the run; those the operation compares
// are at least as long as it.
func (e Elem) wrongColumn(query, target []byte) int {
	code := e & 15
	if code != codeMatch && code != codeMismatch {
		return -1
	}
	n := e.Len()
	q, t := query[:n], target[:n]
	if code == codeMatch && bytes.Equal(q, t) {
		return -1 // by far the most frequent case, at memcmp's speed
	}
	for i, b := range q {
		if (Canonical[b] == Canonical[t[i]]) != (code == codeMatch) {
			return i
		}
	}
	return -1
}
