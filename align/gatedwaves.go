package align

import "sync/atomic"

// gateWaves find where an alignment ends that begins at a gate: by wavefronts from that one cell, without
// their rows, which take the square of its cost. What is between is then aligned globally.
type gateWaves struct {
	model         Model
	waves         freeWaves
	pattern, text sequence
	stop          *atomic.Bool
}

func newGateWaves(k *kernels, m *Model) *gateWaves {
	w := &gateWaves{model: *m}
	w.model.Free = Free{}
	w.waves.prepare(k, &w.model)
	return w
}

// worth reports whether wavefronts up to a cost take less time than a matrix.
func (w *gateWaves) worth(pattern, text, most int) bool {
	return gateWavesTime(&w.model, most) < gateMatrixTime(float64(pattern)*float64(text))
}

const (
	gateSweep = 3000.0 // nanoseconds of a matrix beside a gate,
	gateCell  = 0.3    // and of a cell
)

// gateMatrixTime estimates how long a matrix of some cells beside a gate takes, in nanoseconds.
func gateMatrixTime(cells float64) float64 { return gateSweep + gateCell*cells }

// gateWavesTime estimates how long wavefronts from a gate take up to a cost, in nanoseconds.
func gateWavesTime(m *Model, most int) float64 {
	s := float64(most)
	return s * (freeStep + 2*offsetCost(m)*s)
}

// find finds the least cost, up to most, of alignments of the whole pattern with the first letters of the
// text, of which so many may be left out, and the least number of letters of the text in these and the
// largest one. The cost is -1 if there is none.
func (w *gateWaves) find(pattern, text []byte, free, most int, backwards bool) (cost, few, many int, err error) {
	n, m := len(pattern), len(text)
	p, t := w.pattern.guarded(n, patternPad), w.text.guarded(m, textPad)
	if backwards {
		reverseInto(p, pattern)
		reverseInto(t, text)
	} else {
		copy(p, pattern)
		copy(t, text)
	}
	ends := diagonals{max(0, m-free) - n, m - n}
	x := &w.waves
	x.start(&w.pattern, &w.text, 0, 0, false)
	few = m + 1
	for ; ; x.step() {
		x.eachEnd(ends, func(k int) { few, many = min(few, k+n), max(many, k+n) })
		switch {
		case few <= m:
			return x.s, few, many, nil
		case x.s >= most:
			return -1, 0, 0, nil
		case stopped(w.stop):
			return -1, 0, 0, errStopped
		}
	}
}
