package align

import "math"

// editKeep is what is kept for the traceback.
type editKeep uint8

const (
	keepNothing editKeep = iota
	keepTiles            // the words from which each strip of a stage can be computed again
	keepCells            // all cells of stages whose window is not wide
	keepStates           // states from which some stages can be computed again
)

// editStage locates what is kept of a stage: words for each strip of its window, those of strips
// that advance together side by side. These are, of a tile, vp and vn before the stage, and what
// the strip takes in each step, and of cells the two words of each step that editCells stores.
type editStage struct {
	lo, hi, at int
	cells      bool
}

func (g *editStage) strips() int { return g.hi - g.lo + 1 }

// editSaved is a state before a stage, whose words begin at element at of what is kept.
type editSaved struct {
	lo, hi, top, t, at int
}

// editHistory is what is kept of a pair.
type editHistory struct {
	keep    editKeep
	first   int // of the stages kept
	stages  []editStage
	kept    []uint64
	saved   []editSaved
	spacing int // stages from one saved state to the next
}

// forget begins a history.
func (y *editHistory) forget(keep editKeep) {
	y.keep, y.first, y.stages, y.kept, y.saved = keep, 0, y.stages[:0], y.kept[:0], y.saved[:0]
}

// tiles reports whether tiles are kept where cells are not.
func (y *editHistory) tiles() bool { return y.keep == keepTiles || y.keep == keepCells }

// grow appends n undefined words to those kept.
func (y *editHistory) grow(n int) {
	if n += len(y.kept); cap(y.kept) < n {
		y.kept = append(make([]uint64, 0, n+n/2), y.kept...)
	}
	y.kept = y.kept[:n]
}

// maxCells bounds the cells kept, in bytes: more of them leave the cache.
const maxCells = 3 << 19

// keeps decides what to keep for a pair whose distance is at most bound, in about memory bytes.
// It reports false where these are too few.
func (e *editState) keeps(bound, memory int) (editKeep, bool) {
	// A window that follows the pair from 0 to its end diagonal.
	widest := (bound+abs(e.end))/64 + 3 + editLanes
	average := (bound+abs(e.end))*3/4/64 + 1
	average += e.kern.least() - 1
	average -= average % e.kern.least()
	stages := e.steps.stages()
	steps := int(e.steps)
	const tile = 4 * 8 // bytes
	e.spacing = int(math.Sqrt(float64(stages))) + 1
	switch {
	case 16*steps*average <= maxCells && 16*steps*widest <= memory:
		return keepCells, true
	case tile*stages*widest <= memory:
		return keepTiles, true
	}
	return keepStates, 2*tile*e.spacing*widest <= memory
}

// keepStage keeps the state before a stage, as is due, and makes room for the rest.
func (e *editState) keepStage(steps int) editStage {
	g := editStage{lo: e.lo, hi: e.hi, at: len(e.kept)}
	strips := g.strips()
	switch e.keep {
	case keepNothing:
	case keepStates:
		if stage, _ := e.steps.stageOf(e.t); stage%e.spacing == 0 {
			e.save()
		}
	default:
		n := 4 * strips
		lanes := e.kern.lanes(strips)
		if g.cells = e.keep == keepCells && (lanes == 1 || lanes == strips); g.cells {
			n = 2 * steps * strips
		}
		e.stages = append(e.stages, g)
		e.grow(n)
	}
	return g
}

// save keeps the state.
func (e *editState) save() {
	e.saved = append(e.saved, editSaved{e.lo, e.hi, e.top, e.t, len(e.kept)})
	for _, words := range e.state() {
		e.kept = append(e.kept, words[e.lo:e.hi+1]...)
	}
}

func (e *editState) state() [4][]uint64 { return [4][]uint64{e.vp, e.vn, e.inP, e.inN} }
