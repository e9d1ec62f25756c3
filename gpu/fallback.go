package gpu

import "wfagpu/gpu/internal/passes"

// FallbackCause is the Result.Err of a pair that the GPU cannot align and that
// needs another engine. It is the cause in words.
type FallbackCause = passes.Cause

// The causes of a fallback.
const (
	FallbackLetters = passes.Letters
	FallbackLength  = passes.Length
	FallbackMemory  = passes.Memory
	FallbackScores  = passes.Scores
)

// FallbackCounts counts pairs for another engine by cause.
type FallbackCounts struct {
	Letters, Length, Memory, Scores int64
}

// Pairs returns the number of pairs.
func (c FallbackCounts) Pairs() int64 { return c.Letters + c.Length + c.Memory + c.Scores }

// Add adds the counts d.
func (c *FallbackCounts) Add(d FallbackCounts) {
	c.Letters += d.Letters
	c.Length += d.Length
	c.Memory += d.Memory
	c.Scores += d.Scores
}

// Count counts a pair whose result has a FallbackCause as its error.
func (c *FallbackCounts) Count(cause error) {
	switch cause {
	case passes.ErrLetters:
		c.Letters++
	case passes.ErrLength:
		c.Length++
	case passes.ErrScores:
		c.Scores++
	default:
		c.Memory++
	}
}
