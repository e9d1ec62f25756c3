package gpu

// Unfinished is the Result.Err of a pair that the GPU has left to another
// engine, see Rescue. It names the cause.
type Unfinished string

func (u Unfinished) Error() string { return "not aligned on the GPU: " + string(u) }

// Why a pair is left unfinished.
const (
	UnfinishedLetters Unfinished = "letters outside ACGTU"
	UnfinishedLength  Unfinished = "sequences too long for a batch"
	UnfinishedMemory  Unfinished = "not enough device memory"
)

// unfinished keeps the causes as errors, so that none is made for each pair.
var (
	errLetters error = UnfinishedLetters
	errLength  error = UnfinishedLength
	errMemory  error = UnfinishedMemory
)
