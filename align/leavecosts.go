package align

// leaveCosts has what alignments cost at least that have gaps over so many diagonals, and errors in so many
// seeds, of which the gaps may spoil some.
type leaveCosts [narrowLanes + 1][leaveSeeds + 1]int32

// leaveSeeds is the most seeds; more cost no less.
const leaveSeeds = 24

// set sets the costs for seeds of so many letters, for each of which an error costs a unit.
func (x *leaveCosts) set(c *laneCosts, unit, letters int) {
	ins, del := *x, *x
	for n := range x {
		for seeds := range x[n] {
			if n == 0 {
				ins[n][seeds], del[n][seeds] = int32(unit*seeds), int32(unit*seeds)
			} else {
				ins[n][seeds], del[n][seeds] = 1<<30, 1<<30
			}
			// Gaps of the pattern's letters alone, or of the text's, of which the first has l letters.
			for l := 1; n > 0 && l <= n+letters; l++ {
				rest, spoilt := max(0, n-l), 1+(l+letters-2)/letters
				ins[n][seeds] = min(ins[n][seeds], ins[rest][max(0, seeds-spoilt)]+int32(c.insOpen+(l-1)*c.insExtend))
				del[n][seeds] = min(del[n][seeds], del[rest][max(0, seeds-1)]+int32(c.delOpen+(l-1)*c.delExtend))
			}
			x[n][seeds] = min(ins[n][seeds], del[n][seeds])
		}
	}
}

// of returns the cost.
func (x *leaveCosts) of(diagonals, seeds int) int { return int(x[diagonals][min(seeds, leaveSeeds)]) }
