package align

// laneCosts are costs less FreeLetter for each diagonal upwards, so that all begins and all ends cost
// nothing (isInside), in the numbers of lanes.
type laneCosts struct {
	mismatch           int
	insOpen, insExtend int // the first letter of a gap, and the others
	delOpen, delExtend int
	short, long        laneUnit
	chain              laneUnit
}

// laneUnit is what seeds of one length show.
type laneUnit struct {
	unit int // what an error costs at least for each seed that it spoils
	// How much more than the first letter beside the band of a gap that leads out of it, or than all of
	// a gap that leads in, the seeds may be counted to cost that the gap spoils beside the band.
	out, in int
	jump    int // what a gap costs besides whose ends are not near each other
	leave   leaveCosts
}

// laneMost is the most that a step may cost.
const laneMost = 64

// laneBegin is what lanes have for a cost of 0, of begins: less than that is left for alignments that were
// beside the band.
const laneBegin = 1

// laneIn is taken off what leads into the band, so that costs of alignments that were beside it are less than
// those of others that cost as much.
const laneIn = 1

// newLaneCosts reports false for models whose costs do not fit.
func newLaneCosts(m *Model) (c laneCosts, ok bool) {
	c = stepCosts(m)
	c.short, c.long = c.unitOf(m, laneShort), c.unitOf(m, laneLong)
	c.chain = c.unitOf(m, chainLetters)
	c.chain.jump = chainJump(m, chainLetters, c.chain.unit)
	return c, m.Long == (Gap{}) && c.delExtend > 0 && c.short.unit > 0 && max(c.mismatch, c.insOpen, c.delOpen) <= laneMost
}

// stepCosts returns the costs of steps alone.
func stepCosts(m *Model) laneCosts {
	e, f := m.Gap.Extend, m.FreeLetter
	return laneCosts{
		mismatch: m.Mismatch,
		insOpen:  m.Gap.Open + e + f, insExtend: e + f,
		delOpen: m.Gap.Open + e - f, delExtend: e - f,
	}
}

// chainJump returns what a gap between places that are not near each other costs besides a unit for each seed that it
// spoils, at most a unit.
func chainJump(m *Model, letters, unit int) int {
	return min(unit, max(0, m.seedDrift(letters, chainScale*unit, chainScale)*(chainBlock+1)/chainScale))
}

func (c *laneCosts) unitOf(m *Model, letters int) laneUnit {
	u := laneUnit{unit: m.seedUnit(letters) / 6}
	// Of the pattern's letters in a gap the first ones spoil most: behind a gap that has led out, each
	// seed that begins with one of them.
	for l := 1; l <= 4*letters; l++ {
		u.out = max(u.out, u.unit*(1+(l-1)/letters)-l*c.insExtend)
		u.in = max(u.in, u.unit*(1+(l+letters-2)/letters)-l*c.insExtend)
	}
	u.leave.set(c, u.unit, letters)
	return u
}

// of returns what seeds of so many letters show.
func (c *laneCosts) of(letters int) *laneUnit {
	if letters == laneLong {
		return &c.long
	}
	return &c.short
}

// loadBeside sets what is known of a pair beside its band.
func (b *laneBands[C]) loadBeside(m *laneMember) {
	lanes, lane := b.kern.lanes, m.lane
	band := diagonals{m.first, m.first + b.width - 1}
	u := b.steps.of(m.seeds.letters)
	if x := &m.chain; x.seeds > 0 {
		u = &b.steps.chain
		x.beside(u, m.pattern.n, m.text.n, band)
		for i := range x.seeds {
			b.loadSeed(lane, i*x.stride, chainLetters, C(x.costs[0][i]), C(x.costs[1][i]))
		}
	} else {
		s := &m.seeds
		for i := range s.first {
			var left, right C
			absentLeft, absentRight := s.absent(i, band)
			if absentLeft {
				left = C(u.unit)
			}
			if absentRight {
				right = C(u.unit)
			}
			b.loadSeed(lane, i*s.stride, s.letters, left, right)
		}
	}
	// What the seeds cost that a chain passes before an alignment leads to it may be a jump less.
	b.constants[lanesLeftOut*lanes+lane] = C(u.out + u.jump)
	b.constants[lanesRightOut*lanes+lane] = C(u.jump)
	b.constants[lanesBeforeIn*lanes+lane] = C(u.in + laneIn)
	left := laneMax[C]()
	if m.first > 0 {
		left = laneBegin // all begins on the left cost no less than that in cell (0,0)
	}
	for i := range lanesStates {
		b.state[i*lanes+lane] = ^C(0)
	}
	b.state[lanesBeforeLeft*lanes+lane] = C(left)
	b.state[lanesBeforeRight*lanes+lane] = C(b.begins(m, m.first+b.width))
}

// loadSeed sets what the seed of so many letters from letter v of the pattern on costs on either side.
func (b *laneBands[C]) loadSeed(lane, v, letters int, left, right C) {
	lanes := b.kern.lanes
	if v > 0 {
		b.beside[((v-1)*lanesBeside+lanesBegin)*lanes+lane] = ^C(0)
	}
	row := (v + letters - 1) * lanesBeside
	b.beside[(row+lanesSeedLeft)*lanes+lane] = left
	b.beside[(row+lanesSeedRight)*lanes+lane] = right
}

// begins returns what lanes have for cell (0,k), their largest number if there is none.
func (b *laneBands[C]) begins(m *laneMember, k int) int {
	if k < 0 || k > m.text.n {
		return laneMax[C]()
	}
	return min(laneMax[C](), laneBegin+b.model.top(k)-b.model.FreeLetter*k)
}
