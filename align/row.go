package align

// row holds the offsets of one component at one score for the diagonals lo..hi,
// with nulls on both sides. An empty row has lo > hi.
type row struct {
	lo, hi int
	buf    []int32
}

var emptyRow = row{lo: 1, hi: 0}

func (r *row) empty() bool { return r.lo > r.hi }

// clear makes the row empty and leaves its storage.
func (r *row) clear() { r.lo, r.hi = emptyRow.lo, emptyRow.hi }

// at returns element k of a row without nulls beside it, null outside the row.
func (r *row) at(k int) int {
	if k < r.lo || k > r.hi {
		return null
	}
	return int(r.buf[k-r.lo])
}

// nulls returns n null offsets.
func nulls(n int) []int32 {
	b := make([]int32, n)
	fillNull(b)
	return b
}

// fillNull copies, because that takes vectors.
func fillNull(b []int32) {
	for len(b) > 0 {
		b = b[copy(b, nullRow[:]):]
	}
}

var nullRow = func() (r [256]int32) {
	for i := range r {
		r[i] = null
	}
	return r
}()

// arenaBlock is the number of offsets in a block of an arena, unless one request
// is larger.
const arenaBlock = 1 << 16

// arena allocates the offsets of rows. A slice never moves; all of them are freed
// at once, and the blocks are reused for the next pair.
type arena struct {
	blocks [][]int32
	block  int // index of the block in use
	used   int // offsets in use in that block
	taken  int // offsets allocated since reset, with what is left of blocks that have been full
	most   int // largest value of taken so far
}

func (a *arena) reset() { a.block, a.used, a.taken = 0, 0, 0 }

// take returns n offsets with undefined contents.
func (a *arena) take(n int) []int32 {
	if a.block < len(a.blocks) && a.used > 0 && a.used+n > len(a.blocks[a.block]) {
		a.taken += len(a.blocks[a.block]) - a.used
		a.block, a.used = a.block+1, 0
	}
	switch {
	case a.block == len(a.blocks):
		a.blocks = append(a.blocks, make([]int32, max(n, arenaBlock)))
	case n > len(a.blocks[a.block]): // of earlier pairs with shorter rows
		a.blocks[a.block] = make([]int32, n)
	}
	s := a.blocks[a.block][a.used : a.used+n : a.used+n]
	a.used += n
	a.taken += n
	a.most = max(a.most, a.taken)
	return s
}

// release gives blocks back that hold more than so many offsets altogether, and reports whether they do. No
// slice is in use.
func (a *arena) release(most int) bool {
	held := 0
	for _, b := range a.blocks {
		held += len(b)
	}
	a.reset()
	if held <= most {
		return false
	}
	a.blocks = nil
	return true
}

// around returns the address of diagonal k in a row that begins after left elements and is not
// empty. n diagonals from k on and one on either side are read there. If the row has too few nulls
// beside it, it is copied to spare.
func (r *row) around(left, k, n int, spare *[]int32) *int32 {
	if at := left + k - r.lo; at >= 1 && at+n+1 <= len(r.buf) {
		return &r.buf[at]
	}
	if len(*spare) < n+2 {
		*spare = make([]int32, 2*n+2)
	}
	c := (*spare)[:n+2]
	fillNull(c)
	if a, b := max(k-1, r.lo), min(k+n, r.hi); a <= b {
		copy(c[a-k+1:], r.buf[left+a-r.lo:][:b-a+1])
	}
	return &c[1]
}

// giveBack frees the end of what take returned last.
func (a *arena) giveBack(b []int32) {
	a.used -= len(b)
	a.taken -= len(b)
}
