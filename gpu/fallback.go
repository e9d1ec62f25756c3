package gpu

// FallbackCause is the Result.Err of a pair that the GPU cannot align and that
// needs another engine. It is the cause in words.
type FallbackCause string

func (c FallbackCause) Error() string { return "not aligned on the GPU: " + string(c) }

// The causes of a fallback.
const (
	FallbackLetters FallbackCause = "letters outside ACGTU"
	FallbackLength  FallbackCause = "sequences too long for the GPU's buffers"
	FallbackMemory  FallbackCause = "not enough device memory"
	FallbackScores  FallbackCause = "match scores and penalties too large for the GPU"
)

// The causes as errors, so that storing one in a result allocates nothing.
var (
	errLetters error = FallbackLetters
	errLength  error = FallbackLength
	errMemory  error = FallbackMemory
	errScores  error = FallbackScores
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
	case errLetters:
		c.Letters++
	case errLength:
		c.Length++
	case errScores:
		c.Scores++
	default:
		c.Memory++
	}
}
