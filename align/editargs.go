package align

import "unsafe"

// editArgs is the argument of the edit kernel, which states the recurrence of bit-parallel edit
// distance (Myers 1999, Hyyrö 2003) for neighbouring strips, one to a lane. A strip is
// 64 rows of the matrix; costs are held as differences between neighbouring cells, which are
// -1, 0 or 1. In the column that a strip has come to, bit i of vp says that its row i has one
// more than the row above, bit i of vn one less. inP and inN, 0 or 1, are the difference on the
// row above the strip, between this column and the next one.
//
// A step computes one column of each strip, every strip one column behind the strip above it:
// the difference on the last row of a strip, of this step, is what the strip below takes in the
// next one. Lane i compares plane p of its rows with the byte i of text + p·stride.
//
//	eq  = rows whose letter is the text's
//	x   = eq | vn
//	e   = eq | inN
//	d   = (((e & vp) + vp) ^ vp) | e     d | vn: as much as the cell before on the diagonal
//	hp  = vn | ^(d | vp)                 one more than the cell before on the row
//	hn  = vp & d                         one less
//	p   = hp<<1 | inP
//	vp  = hn<<1 | inN | ^(x | p)
//	vn  = p & x
//	in  = the highest bits of hp and hn of the lane before
//
// Afterwards text is one byte less: it is read back to front.
//
// There are two forms of the routine. The one for tiles is for any number of lanes, in groups; it
// keeps the words from which the cells can be computed again. The one for cells is for a window
// of no more strips than lanes, on the first of which costs grow by one in each step; it stores
// the cells of each step.
type editArgs struct {
	vp, vn, inP, inN       *uint64 // by lane; inP and inN have one more element, for the strip below, which the form for cells sets
	plane0, plane1, plane2 *uint64 // of the pattern, by lane
	text                   *byte
	stride                 int // bytes from one plane of the text to the next
	steps                  int // 1..64

	// kept receives, by lane, vp, vn before the first step, and what the strip takes in step i, in
	// bit i of a word for inP and one for inN; bits of later steps are undefined. It may be nil.
	// In the form for cells it receives, for each step and by lane, d | vn, then vp.
	kept *uint64
	// fromP and fromN have what lane 0 takes after step i, in bit 63-i; takenP and takenN have
	// the same in bit i. For tiles alone.
	fromP, fromN, takenP, takenN uint64
	// outP and outN receive, by lane, hp and hn of a strip's last row in step i, in bit i. For
	// tiles alone.
	outP, outN *uint64
}

func (g *editArgs) ptr() *byte { return (*byte)(unsafe.Pointer(g)) }

// editLanes is the most strips that a vector kernel advances at a time.
const editLanes = 8

// editSteps is the number of steps in a stage, after which the strips in use may change: the bits
// of a word.
const editSteps = 64
