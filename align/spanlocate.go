package align

import "sync/atomic"

// locator finds where a pair is aligned whose alignments may begin on several diagonals: wavefronts of
// all begins, at no cost, find the cell that is the furthest when it leads (locateScore).
type locator struct {
	model Model // with begins at no cost
	waves freeWaves
}

// locateScore is the score that wavefronts of several begins go up to before they tell where an
// alignment begins. Noisy reads are then far ahead of what chance finds: unrelated letters progress by
// 1.7/x letters for each score, with x the mismatch penalty, noisy reads by 4/x and more. Unless one is
// twice as far as others, they go on, up to mostLocate times that score.
const mostLocate = 8

func locateScore(m *Model) int {
	p := m.Affine()
	return 12 * p.LongestStep()
}

// prepare prepares for the pairs of a model.
func (l *locator) prepare(k *kernels, m *Model) {
	l.model = *m
	l.model.FreeLetter = 0
	l.waves.prepare(k, &l.model)
}

// around returns the diagonal to place a band around, of begins on some: that of the first end, or of
// the furthest cell. When stopped it returns any.
func (l *locator) around(pattern, text *sequence, begins, ends diagonals, band int, stop *atomic.Bool) int {
	if begins.first == begins.last {
		return begins.first
	}
	w, around, found := &l.waves, 0, false
	w.start(pattern, text, begins.first, begins.last, false)
	every := locateScore(&l.model)
	for !found && !stopped(stop) {
		w.eachEnd(ends, func(k int) {
			if !found {
				around, found = k, true
			}
		})
		if !found && w.s > 0 && w.s%every == 0 {
			var ahead, others int
			around, ahead, others = l.leader(band / 2)
			found = ahead >= 2*others || w.s == mostLocate*every
		}
		w.step()
	}
	return around
}

// leader returns the diagonal of the newest wavefront's cell that has come furthest from the first cell
// of its diagonal, by how many letters, and the most letters of those more than so many diagonals away.
func (l *locator) leader(away int) (around, ahead, others int) {
	w := &l.waves
	r := w.rowAt(waveM, w.s)
	if r.empty() {
		return 0, 0, 0
	}
	offsets := r.buf[w.left:][:r.hi-r.lo+1]
	for i, h := range offsets {
		if n := int(h) - max(0, r.lo+i); n > ahead {
			around, ahead = r.lo+i, n
		}
	}
	for i, h := range offsets {
		if k := r.lo + i; abs(k-around) > away {
			others = max(others, int(h)-max(0, k))
		}
	}
	return around, ahead, others
}
