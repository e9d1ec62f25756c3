package align

import "unsafe"

// seedArgs is the argument of the routine that looks for the seeds of a pattern in a text, by their codes
// (codes). A seed has a place where its first code is, and its last one so many codes behind. The routine
// writes a block for each seed, of all, and each run of seedPlaces codes of the text that has places of it,
// in this order, and returns their number. It may write one block more. There are seedPlaces codes to be
// read behind n.
type seedArgs struct {
	text, pattern *byte // codes
	n             int   // of the text
	behind        int
	seeds, stride int // codes from a seed to the next one
	out           *seedBlock
}

// seedBlock has the places of a seed among seedPlaces of the text, a bit for each.
type seedBlock struct {
	places   uint64
	at, seed int32
}

// seedPlaces is the number of places of a block.
const seedPlaces = 64

func (a *seedArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }
