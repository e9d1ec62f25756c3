package align

// laneChain has the places of short seeds, which many parts of a text have by chance. What alignments cost
// that are on one side of a band is known of chains of them: an error for each seed that is not in the
// chain, and a gap where the diagonals of two that follow each other are not near.
type laneChain struct {
	stride int
	seeds  int // 0 for no chain
	places []chainPlace
	blocks []int32   // least chain that ends on diagonals
	costs  [2][]byte // what each seed costs on the left, and on the right
	finder seedFinder
}

// chainPlace is a place of a seed.
type chainPlace struct {
	seed, k int32
	chain   int32 // cost of the least one that ends here, less what all seeds up to here cost
}

const (
	chainLetters = 5
	chainPlaces  = 2048 // most places
	chainBlock   = 8    // diagonals: those of neighbouring blocks are near each other
	chainScale   = 16
)

// find finds the places of the seeds of a pattern in the text of c, and reports whether they are few.
func (x *laneChain) find(k *lanesKernel, c *codes, pattern *sequence) bool {
	n := laneCount(pattern.n, c.text.n, chainLetters)
	if n == 0 {
		return false
	}
	x.seeds, x.stride, x.places = 0, pattern.n/n, x.places[:0]
	for _, b := range x.finder.find(k, c, pattern, chainLetters, n) {
		for k := range b.diagonals(pattern, c.text, chainLetters, x.stride) {
			x.places = append(x.places, chainPlace{seed: b.seed, k: k})
		}
		if len(x.places) > chainPlaces {
			return false
		}
	}
	x.seeds = n
	return true
}

// beside sets the costs of the seeds on both sides of a band, of a text of so many letters.
func (x *laneChain) beside(u *laneUnit, pattern, text int, band diagonals) {
	x.side(0, u, pattern, text, func(k int32) bool { return int(k) < band.first })
	x.side(1, u, pattern, text, func(k int32) bool { return int(k) > band.last })
}

// side sets the costs of the seeds on one side of a band, of a text of so many letters. An alignment from
// one seed to another costs what these seeds do, less what a jump costs: any place may be followed by any
// other one for that.
func (x *laneChain) side(side int, u *laneUnit, pattern, text int, outside func(k int32) bool) {
	costs := roomFor(x.costs[side], x.seeds)
	x.costs[side] = costs
	x.blocks = roomFor(x.blocks, (pattern+text)/chainBlock+3)
	clear(x.blocks)
	unit, jump := int32(u.unit), int32(u.jump)
	least := int32(0) // of chains, less what all seeds up to here cost
	for at, i := 0, 0; i < x.seeds; i++ {
		from, last := at, least
		for ; at < len(x.places) && int(x.places[at].seed) == i; at++ {
			p := &x.places[at]
			p.chain = 0
			if outside(p.k) {
				b := x.blocks[(int(p.k)+pattern)/chainBlock:][:3]
				p.chain = min(b[0], b[1], b[2], last+jump) - unit
				least = min(least, p.chain)
			}
		}
		for _, p := range x.places[from:at] {
			b := &x.blocks[(int(p.k)+pattern)/chainBlock+1]
			*b = min(*b, p.chain)
		}
		costs[i] = byte(unit + least - last)
	}
}
