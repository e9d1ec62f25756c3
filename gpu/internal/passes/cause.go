package passes

// Cause is why no pass aligns a pair, in words: it needs another engine.
type Cause string

func (c Cause) Error() string { return "not aligned on the GPU: " + string(c) }

// The causes.
const (
	Letters Cause = "letters outside ACGTU"
	Length  Cause = "sequences too long for the GPU's buffers"
	Memory  Cause = "not enough device memory"
	Scores  Cause = "match scores and penalties too large for the GPU"
)

// The causes as errors, so that storing one in a result allocates nothing.
var (
	ErrLetters error = Letters
	ErrLength  error = Length
	ErrMemory  error = Memory
	ErrScores  error = Scores
)
