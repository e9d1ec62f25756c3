package align

// laneCosts are costs less FreeLetter for each diagonal upwards, so that all begins and all ends cost
// nothing (isInside), in the bytes of lanes.
type laneCosts struct {
	mismatch           int
	insOpen, insExtend int // the first letter of a gap, and the others
	delOpen, delExtend int
	short, long        laneUnit
}

// laneUnit is what seeds of one length show.
type laneUnit struct {
	unit int // what an error costs at least for each seed that it spoils
	// How much more than the first letter beside the band of a gap that leads out of it, or than all of
	// a gap that leads in, the seeds may be counted to cost that the gap spoils beside the band.
	out, in int
}

// laneMost is the most that a step may cost.
const laneMost = 64

// newLaneCosts reports false for models whose costs do not fit.
func newLaneCosts(m *Model) (c laneCosts, ok bool) {
	e, f := m.Gap.Extend, m.FreeLetter
	c = laneCosts{
		mismatch: m.Mismatch,
		insOpen:  m.Gap.Open + e + f, insExtend: e + f,
		delOpen: m.Gap.Open + e - f, delExtend: e - f,
	}
	c.short, c.long = c.unitOf(m, laneShort), c.unitOf(m, laneLong)
	return c, m.Long == (Gap{}) && c.delExtend > 0 && c.short.unit > 0 && max(c.mismatch, c.insOpen, c.delOpen) <= laneMost
}

func (c *laneCosts) unitOf(m *Model, letters int) laneUnit {
	u := laneUnit{unit: m.seedUnit(letters) / 6}
	// Of the pattern's letters in a gap the first ones spoil most: behind a gap that has led out, each
	// seed that begins with one of them.
	for l := 1; l <= 4*letters; l++ {
		u.out = max(u.out, u.unit*(1+(l-1)/letters)-l*c.insExtend)
		u.in = max(u.in, u.unit*(1+(l+letters-2)/letters)-l*c.insExtend)
	}
	return u
}

// of returns what seeds of so many letters show.
func (c *laneCosts) of(letters int) *laneUnit {
	if letters == laneLong {
		return &c.long
	}
	return &c.short
}

// loadBeside sets what is known of a lane beside its band.
func (q *laneQueue) loadBeside(m *laneMember, lane int) {
	lanes := q.kern.lanes
	s, u := &m.seeds, q.steps.of(m.seeds.letters)
	before, behind := int32(m.first), int32(m.first+q.width-1)
	for i := range s.first {
		v := i * s.stride
		if v > 0 {
			q.beside[((v-1)*lanesBeside+lanesBegin)*lanes+lane] = 255
		}
		row := (v + s.letters - 1) * lanesBeside
		if s.first[i] >= before {
			q.beside[(row+lanesSeedLeft)*lanes+lane] = byte(u.unit)
		}
		if s.last[i] <= behind {
			q.beside[(row+lanesSeedRight)*lanes+lane] = byte(u.unit)
		}
	}
	left := lanesMost
	if m.first > 0 {
		left = 0 // all begins on the left cost no less than that in cell (0,0)
	}
	for i, c := range [lanesStates]int{
		lanesBeforeLeft: left, lanesInSeedLeft: lanesMost,
		lanesBeforeRight: q.begins(m, m.first+q.width), lanesInSeedRight: lanesMost,
	} {
		q.state[i*lanes+lane] = byte(c)
	}
	// One is taken off what leads in, so that costs of alignments that were beside the band are less
	// than those of others that cost as much.
	q.constants[lanesLeftOut*lanes+lane] = byte(u.out)
	q.constants[lanesLeftIn*lanes+lane] = byte(q.steps.delOpen - 1)
	q.constants[lanesRightIn*lanes+lane] = byte(u.in + 1)
}

// begins returns what cell (0,k) costs, lanesMost if there is none.
func (q *laneQueue) begins(m *laneMember, k int) int {
	if k < 0 || k > m.text.n {
		return lanesMost
	}
	return min(lanesMost, q.model.top(k)-q.model.FreeLetter*k)
}
