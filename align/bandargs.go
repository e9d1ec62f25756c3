package align

// bandArgs is the argument of the band routines and states the recurrence of the
// band. A band is a run of neighbouring diagonals, two to a lane: on even
// antidiagonals (a = h + v even) lane m is diagonal k = 2m, on odd ones k = 2m+1.
// even and odd hold the costs H of the last antidiagonal of each parity, ins and
// del the gap states of the last antidiagonal, which is even.
//
// A routine advances by pairs of antidiagonals, first a = 2c+1, then a = 2c+2:
//
//	Ins(a,k) = min(Ins(a-1,k+1) + e, H(a-1,k+1) + o + e)
//	Del(a,k) = min(Del(a-1,k-1) + e, H(a-1,k-1) + o + e)
//	H(a,k)   = min(H(a-2,k) + x·[letters differ], Ins(a,k), Del(a,k))
//
// with bandInf outside the band. Costs are relative to the antidiagonal,
// C - e·(a - first), where first is the even antidiagonal before the call: then
// lengthening a gap costs nothing, and no addition needs to saturate. So odd, one
// antidiagonal earlier, holds C + e. The H rows in history are relative too. At the
// end the states are made relative to the last even antidiagonal and limited to
// bandInf. Cells outside the matrix get costs too; no cell inside depends on them.
//
// Lane m compares text[c+m] with pattern[c-m-1] on the odd antidiagonal and with
// pattern[c-m] on the even one. The pattern is stored back to front, so that both
// sequences are read upwards: text points at text[c + first lane], reverse at
// reversed[len(pattern) - c + first lane] for the odd antidiagonal, one before it
// for the even one.
type bandArgs struct {
	even, odd, ins, del *int16
	text, reverse       *byte
	vectors             int    // width of the band in vectors
	steps               int    // pairs of antidiagonals to advance
	history             *int16 // where the H rows go, if they are stored
	stride              int    // bytes from one row to the next
	mismatch, open      int16
	match               int16 // of one column: -2·GapExtend
	add                 int16 // 2·steps·GapExtend: makes costs relative to the next call
}

// bandInf is the cost of a cell that no alignment within the band reaches. Gap
// states never exceed it: they start no higher, one that grows longer keeps its
// relative cost, and bandInf comes in at the edges. Nor does H, which is at most
// the gap states. The room above is for one penalty in passing.
const bandInf = 0x7000

// infVector is one vector of bandInf, of the largest size.
var infVector = func() (u [32]int16) {
	for i := range u {
		u[i] = bandInf
	}
	return u
}()
