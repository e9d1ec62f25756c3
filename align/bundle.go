package align

import (
	"math"
	"slices"
	"sync/atomic"

	"wfagpu/cigar"
)

// bundle has pairs that wait to be aligned by their whole matrices, several at a time.
type bundle struct {
	kern      *bundleKernels
	routine   *bundleRoutine
	scoreOnly bool
	memory    int // bytes of states and marks for the traceback
	model     Model
	waiting   []bundleMember
	used      int
	sum       int  // their cells
	joined    bool // the last pair that was looked at waits
	order     []*bundleMember
	cells     bundleCells
	matrix    bundleMatrix
	worth     float64 // bundleAlone; tests have more
	stop      *atomic.Bool
}

// bundleMember is a pair that waits.
type bundleMember struct {
	pattern, text sequence
	index         int // of the pair in its batch
	lane          int
	end           spanCell
	trace         bundleTrace
}

const (
	bundleFill    = 4       // times as many pairs wait as there are lanes
	bundleSum     = 1 << 27 // cells for which no more pairs wait than there are lanes
	bundleLetters = 1 << 14 // most letters of a sequence
	bundlePair    = 150.0   // cost in nanoseconds of a pair, and
	bundleLetter  = 1.0     // of a letter, besides its cells: see choose.go
)

// newBundle returns nil for models that it does not take.
func newBundle(k *kernels, m *Model, scoreOnly bool, memory int) *bundle {
	b := &bundle{kern: k.bundle, scoreOnly: scoreOnly, memory: memory, model: *m, worth: bundleAlone}
	if m.Span.EndsAnywhere() {
		b.kern = k.bundleWide
	}
	if b.kern == nil {
		return nil
	}
	b.routine = b.kern.pick(m)
	if m.Span.EndsAnywhere() {
		b.cells = newBundleWorths(b)
	} else if d := newBundleDifferences(b); d != nil {
		b.cells = d
	} else {
		return nil
	}
	b.waiting = make([]bundleMember, bundleFill*b.kern.lanes)
	b.matrix = bundleMatrix{bundle: b}
	return b
}

// takes reports whether a pair may wait.
func (b *bundle) takes(pattern, text int) bool {
	return min(pattern, text) > 0 && max(pattern, text) <= bundleLetters && b.cells.take(pattern, text) && (b.scoreOnly || b.matrix.bytes(pattern, text) <= b.memory)
}

// cost estimates what a pair costs where all lanes have pairs.
func (b *bundle) cost(pattern, text int) float64 {
	cell := b.routine.cell
	if !b.scoreOnly {
		cell = b.routine.mark
		if !b.matrix.holds(pattern, text) {
			// Columns behind the alignments are left out, but those of local ones are anywhere.
			share := 0.6
			if b.model.Span == Local {
				share = 1
			}
			cell = b.routine.cell + share*cell
		}
	}
	return bundlePair + bundleLetter*float64(pattern+text) + cell*float64(pattern)*float64(text)/float64(b.kern.lanes)
}

// costOf is cost, and infinite for a pair that may not wait.
func (b *bundle) costOf(pattern, text int) float64 {
	if b == nil || !b.takes(pattern, text) {
		return math.Inf(1)
	}
	return b.cost(pattern, text)
}

// full reports whether the pairs that wait are to be aligned.
func (b *bundle) full() bool {
	return b.used == len(b.waiting) || b.used >= b.kern.lanes && b.sum >= bundleSum
}

// add lets a pair wait.
func (b *bundle) add(pattern, text *sequence) {
	m := &b.waiting[b.used]
	b.used++
	b.joined = true
	b.sum += pattern.n * text.n
	copy(m.pattern.guarded(pattern.n, patternPad), pattern.letters())
	copy(m.text.guarded(text.n, textPad), text.letters())
}

// note sets the index of the pair if it is the one that has begun to wait last.
func (b *bundle) note(index int) bool {
	joined := b != nil && b.joined
	if joined {
		b.waiting[b.used-1].index, b.joined = index, false
	}
	return joined
}

// each aligns all pairs that wait and calls do for each with its result; ok is false for one that
// is to be aligned alone.
func (b *bundle) each(dst func(m *bundleMember) cigar.CIGAR, do func(m *bundleMember, r spanResult, ok bool, err error)) {
	members := b.order[:0]
	for i := range b.used {
		members = append(members, &b.waiting[i])
	}
	b.order, b.used, b.sum = members, 0, 0
	slices.SortFunc(members, func(a, b *bundleMember) int { return a.text.n - b.text.n })
	for half := range slices.Chunk(members, bundleFill/2*b.kern.lanes) {
		slices.SortFunc(half, func(a, b *bundleMember) int { return a.pattern.n - b.pattern.n })
		for some := range slices.Chunk(half, b.kern.lanes) {
			if !b.pays(some) {
				for _, m := range some {
					do(m, spanResult{}, false, nil)
				}
				continue
			}
			err := b.matrix.run(some, dst)
			for _, m := range some {
				do(m, m.result(b), err == nil && !m.trace.lost, err)
			}
		}
	}
}

// bundleAlone is the cost in nanoseconds of a cell of a pair that is aligned alone.
const bundleAlone = 0.2

// pays reports whether pairs, in the order of their patterns' lengths, cost less together than each
// alone, and fit the memory.
func (b *bundle) pays(members []*bundleMember) bool {
	columns, alone := 0, 0.0
	for _, m := range members {
		columns = max(columns, m.text.n)
		alone += b.worth * float64(m.pattern.n) * float64(m.text.n)
	}
	rows := members[len(members)-1].pattern.n
	if !b.scoreOnly && b.matrix.bytes(rows, columns) > b.memory {
		return false
	}
	return b.cost(rows, columns)-bundlePair-bundleLetter*float64(rows+columns) < alone/float64(b.kern.lanes)
}

// result makes the result of a pair that has been aligned.
func (m *bundleMember) result(b *bundle) spanResult {
	r := spanResult{cost: m.end.cost, cigar: m.trace.cigar}
	if !b.scoreOnly {
		r.place = Place{m.trace.at.v, m.end.v, m.trace.at.h, m.end.h}
	}
	return r
}
