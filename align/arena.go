package align

// arenaBlock is how many int32 a block of an arena holds, unless one request
// is larger.
const arenaBlock = 1 << 16

// arena hands out int32 slices that never move and are all given back at
// once. Blocks are kept for the next pair.
type arena struct {
	blocks [][]int32
	block  int // the block in use
	used   int // of that block
	taken  int // elements handed out since reset
	most   int // the largest that taken has been
}

func (a *arena) reset() { a.block, a.used, a.taken = 0, 0, 0 }

// take returns n elements with undefined contents.
func (a *arena) take(n int) []int32 {
	a.taken += n
	a.most = max(a.most, a.taken)
	for ; a.block < len(a.blocks); a.block, a.used = a.block+1, 0 {
		if b := a.blocks[a.block]; a.used+n <= len(b) {
			s := b[a.used : a.used+n : a.used+n]
			a.used += n
			return s
		}
	}
	a.blocks = append(a.blocks, make([]int32, max(n, arenaBlock)))
	a.used = n
	b := a.blocks[a.block]
	return b[:n:n]
}
