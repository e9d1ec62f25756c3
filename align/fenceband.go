package align

// fenceBand advances a band of a few vectors and what is known beside it.
type fenceBand struct {
	kern   *fenceKernels
	band   *banded
	args   fenceArgs
	fence  fence
	before fence // a block of antidiagonals back
	events [blockRows / 2]fenceEvent
	none   [blockRows / 2]fenceEvent // where there are no seeds
	least  []uint16                  // of runs of fenceLanes lanes, as routines store them
	given  int                       // vectors of the band where nothing asks for more
	runs   int                       // in a vector
}

// fenceIn is taken off what leads into the band, so that it costs less than an alignment inside.
const fenceIn = 1

// runDiagonals is the number of diagonals of a run of lanes.
const runDiagonals = 2 * fenceLanes

func (f *fenceBand) prepare(k *fenceKernels, m *Model, band *banded) {
	f.kern, f.band = k, band
	f.runs = band.lanes / fenceLanes
	none := fenceSide{pairOf(int16(-2 * m.Gap.Extend)), pairOf(noSeed), pairOf(noSeed)}
	for i := range f.none {
		f.none[i] = fenceEvent{none, none}
	}
	f.args.fence, f.args.events = &f.fence, &f.events[0]
}

// begin sets the states of antidiagonal 0 for a band of so many diagonals, of which there is nothing beside it.
func (f *fenceBand) begin(diagonals int) {
	b := f.band
	f.given = diagonals / b.width
	n := min(f.given, b.vectors)
	lo := min(max(0, (b.lane(0)-(n-1)*b.lanes/2)/b.lanes), b.vectors-n)
	b.begin(lo, lo+n-1)
	f.fence.none()
}

// noEvents prepares steps without seeds.
func (f *fenceBand) noEvents() { f.events = f.none }

// edges returns the diagonals of the vectors in use.
func (f *fenceBand) edges() diagonals {
	b := f.band
	return diagonals{b.base + b.lo*b.width, b.base + (b.hi+1)*b.width - 1}
}

// advance computes rows antidiagonals from a on by routines of a kind.
func (f *fenceBand) advance(a, rows int, by fenceRoutines) {
	b := f.band
	f.before = f.fence
	at := b.lo * b.lanes
	b.arguments(a, rows, b.lo, b.hi, b.even[at:], b.odd[at:], b.ins[at:], b.del[at:], nil)
	f.args.bandArgs = b.args
	f.least = roomFor(f.least, b.args.vectors*f.runs)
	f.args.least = &f.least[0]
	by.pick(b.args.vectors)(&f.args)
}

// lowest returns the run of the cells of least cost.
func (f *fenceBand) lowest() (at int) {
	for i, c := range f.least {
		if c < f.least[at] {
			at = i
		}
	}
	return at
}

// cost returns the least cost of a run.
func (f *fenceBand) cost(run int) int { return f.raw(run) + f.band.shift }

// raw is cost as the states have it.
func (f *fenceBand) raw(run int) int { return int(f.least[run]) - leastBias }

const (
	shiftFrom = 1 << 13 // least state from which on states are made lower,
	shiftTo   = 1 << 8  // and what it becomes
)

// lower makes states lower that have become large. Those of cells that no alignment has come to stay as they are
// unless all is set: then costs are lower than they may be.
func (f *fenceBand) lower(least int, all bool) {
	if least < shiftFrom {
		return
	}
	b := f.band
	by := int16(least - shiftTo)
	from, to := b.lo*b.lanes, (b.hi+1)*b.lanes
	for _, s := range [4][]int16{b.even, b.odd, b.ins, b.del} {
		for i, c := range s[from:to] {
			if all || c < bandInf {
				s[from+i] = c - by
			}
		}
	}
	for _, s := range []*fence{&f.fence, &f.before} {
		for _, c := range []*int16{&s.beforeLeft, &s.inSeedLeft, &s.beforeRight, &s.inSeedRight, &s.insRight} {
			*c -= by
		}
	}
	b.shift += int(by)
}

// diagonal returns the middle diagonal of a run.
func (f *fenceBand) diagonal(run int) int {
	return f.edges().first + run*runDiagonals + runDiagonals/2
}

// shifted returns vectors lo..hi, or one more on the side of whose last run the cells of least cost are and one less
// on the other side.
func (f *fenceBand) shifted(lo, hi, at int) (int, int) {
	switch last := (hi-lo+1)*f.runs - 1; {
	case at <= 0 && lo > 0:
		return lo - 1, hi - 1
	case at >= last && hi < f.band.vectors-1:
		return lo + 1, hi + 1
	}
	return lo, hi
}
