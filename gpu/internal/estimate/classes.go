package estimate

import (
	"math"
	"math/bits"
)

const (
	// LengthClasses is the number of classes of lengths, powers of two. In the approximate mode,
	// long pairs that are aligned exactly and pieces have as many classes of their own behind
	// these: see IsFew.
	LengthClasses = 32
	Classes       = 2 * LengthClasses
)

// LengthClass returns the class of a length, the logarithm to base 2.
func LengthClass(n int) int { return min(bits.Len32(uint32(n)), LengthClasses) - 1 }

// IsFew reports whether a class is one of pairs of few errors, or of pieces, in the approximate mode.
func IsFew(class uint8) bool { return class >= LengthClasses }

// classLength returns the middle length of a class.
func classLength(class int) float64 { return math.Exp2(float64(class%LengthClasses) + 0.5) }
