package gpu

import "unsafe"

// Kinds of tasks beside the variants, in task.variant: the window kernel has one
// for each window that pairs may go through.
const (
	mostWindows = 8
	mostKinds   = len(variants) + mostWindows
)

// approximate reports whether tasks of a kind are of the approximate mode.
func approximate(kind uint8) bool {
	return kind != general && (int(kind) >= len(variants) || variants[kind].kind == kindApprox)
}

// windowThreads is the size of a block for a window: one diagonal a thread where
// that is possible, else the same number for nearly all of them.
func windowThreads(band int) int {
	const most = 512
	each := (band + most - 1) / most
	return ((band+each-1)/each + 31) &^ 31
}

// heldBytes is what a block of the window kernel reads again: max(x, o) rows of M
// and e + 1 rows of each kind of gap, with a place more than the window has
// diagonals.
func (e *Engine) heldBytes(band int) int {
	p := e.penalties
	return 4 * (max(p.Mismatch, p.GapOpen) + 2*(p.GapExtend+1)) * (band + 1)
}

// holdsInShared reports whether that is in shared memory.
func (e *Engine) holdsInShared(band int) bool { return e.heldBytes(band) <= e.dev.info.dynamicShared() }

// windowPlan is how the window kernel runs.
type windowPlan struct {
	threads, blocks int
	shared          int // bytes a block
	held            int // or bytes of all blocks in global memory, ahead of the rows
	stride          int // words of a pair's rows
}

// planWindow makes the plan for some pairs in the window of a kind. Blocks that
// hold their rows in global memory may have a quarter of the rows' memory.
func (l *lane) planWindow(kind uint8, pairs, maxScore int) (windowPlan, error) {
	e, w := l.e, l.e.windows[kind]
	p := windowPlan{threads: windowThreads(w.Band)}
	held := e.heldBytes(w.Band)
	inShared := e.holdsInShared(w.Band)
	if inShared {
		p.shared = held
	}
	perSM, err := e.kernels.window.blocks(p.threads, p.shared)
	if err != nil {
		return p, err
	}
	if !e.scoreOnly {
		p.stride = windowWords(w.Lambda, maxScore) + (maxScore+1)*w.Band
	}
	p.blocks = min(pairs, perSM*e.dev.info.SMs)
	if !inShared { // rounded up, and yet with room for one task's rows
		p.blocks = min(p.blocks, max(min(l.rowBudget/4, l.rowBudget-4*p.stride-255)/held, 1))
		p.held = (p.blocks*held + 255) &^ 255
	}
	return p, nil
}

// mostInWindow is the largest score for which the rows of one pair fit into some
// words.
func (e *Engine) mostInWindow(kind, words int) int {
	w := e.windows[kind]
	if e.scoreOnly {
		return maxLimit
	}
	if !e.holdsInShared(w.Band) {
		words -= e.heldBytes(w.Band)/4 + 64
	}
	// As if the window moved at every score. Alignments must have room, too.
	return min((words-windowWords(1, 1))/(w.Band+1)-1, maxLimit, (laneCigars-1)/2*e.cheapest)
}

// launchWindow runs the window kernel on n tasks of a group and, unless scores
// are all that is wanted, the traceback of its rows.
func (l *lane) launchWindow(g *launchGroup, p windowPlan, from, n int) error {
	a := l.params()
	l.setTasks(&a, g.first+from, n)
	l.setWindow(&a, g)
	a.rowStride = uint64(p.stride)
	if p.held > 0 {
		a.held = l.rows
		a.rows += devicePtr(p.held)
	}
	k := l.e.kernels
	err := l.stream.launch(k.window.function, min(n, p.blocks), p.threads, p.shared, unsafe.Pointer(&a))
	if err != nil || l.e.scoreOnly {
		return err
	}
	return l.walkBack(&a, k.windowTrace, 8, n)
}

// setWindow says what window the pairs of a group have.
func (l *lane) setWindow(a *params, g *launchGroup) {
	w := l.e.windows[g.variant]
	a.maxScore = int32(g.maxScore)
	a.band, a.lambda = int32(w.Band), int32(w.Lambda)
	a.stray, a.pace = int32(w.MaxDrift), int32(w.StallInterval)
	a.windowWords = int32(windowWords(w.Lambda, g.maxScore))
}
