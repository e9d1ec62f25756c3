package page

import (
	"time"

	"wfagpu/cmd/wfagpu/internal/tally"
)

// Run is what the page shows of a run. Texts of the outside, such as names of files,
// have no control characters; the page escapes what HTML does not take literally.
type Run struct {
	Version, Build string
	Command        string
	Input          string // names of the files
	Settings       []Setting

	Finished time.Time
	Seconds  float64
	// Bases are those of the pairs that were written, which Tally counts.
	Bases int64
	Tally *tally.Pairs
	// Mismatched pairs did not pass --check, if Checked.
	Checked    bool
	Mismatched int64
	// MaxDistance is the largest score reported, nil without a limit.
	MaxDistance *int
	// ScoreOnly says that there are no alignments, and Approx that scores are upper
	// bounds.
	ScoreOnly, Approx bool
	Similar           bool    // scores are similarities
	Recall            *Recall // nil without --recall
	// Error ended the run before its end, or says that pairs failed; "" for none.
	Error    string
	ExitCode int

	Time    Time
	Devices []Device
}

// Setting is a name and its value.
type Setting struct{ Name, Value string }

// Recall compares approximate scores with the optima.
type Recall struct {
	Pairs, Optimal int64
	// Excess counts score - optimum of the pairs that are not optimal.
	Excess *tally.Hist
	// ExcessPercent is by how much the sum of the scores exceeds that of the optima.
	ExcessPercent float64
}

// Time has parts of the time of the run, from 0 to 1. They overlap.
type Time struct {
	Limit                  string // what limited the run, in words
	Reading, Full, Writing float64
	Opening, CPU           float64
	GPUs                   []GPUTime
}

// GPUTime has parts of the time of a GPU with a short name: the first three exclude each
// other, and Memory overlaps with all of them.
type GPUTime struct {
	Name                             string
	Computing, Input, Writer, Memory float64
}

// Device counts the pairs of a CPU or a GPU.
type Device struct {
	Name   string
	Pairs  int64
	Counts []Count // by method or cause
}

// Count is a number of pairs.
type Count struct {
	Name  string
	Pairs int64
}
