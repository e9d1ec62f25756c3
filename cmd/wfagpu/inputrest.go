package main

import (
	"sync/atomic"

	seqio "wfagpu/io"
)

// inputRest tells how much of an input of a known size is to come.
type inputRest struct {
	size   int64
	reader atomic.Pointer[seqio.Reader] // nil until the input is open
}

// estimate returns the input to come as a multiple of what has been read; see
// hybrid.Options. It is a little low, as the reader is ahead of the batches.
func (r *inputRest) estimate() float64 {
	src := r.reader.Load()
	if src == nil {
		return 0
	}
	read := src.BytesRead()
	if read == 0 {
		return 0
	}
	return max(0, float64(r.size-read)/float64(read))
}
