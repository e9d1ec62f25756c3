package gpu

import (
	"math"
	"slices"
)

// task is a pair on its way through the kernels of one load.
type task struct {
	pair     int32 // in the load
	limit    int32 // largest score it is looked for now
	variant  uint8 // into variants, a kind of window.go, or general
	class    uint8 // of length
	attempts uint8 // made before
}

// general stands for the general kernel in task.variant.
const general = math.MaxUint8

// choose picks the cheapest kernel that can vouch for a limit and has memory
// for it.
func (l *lane) choose(pattern, text, limit int) uint8 {
	if len(l.e.kernels.variants) == 0 || max(text, pattern)+limit > maxOffset {
		return general
	}
	// A launch has tables for its longest text and its longest pattern, which
	// may be of different pairs.
	longer := max(text, pattern)
	for i := range variants {
		v := &variants[i]
		if v.kind != kindApprox && limit <= l.mostScore[i] && v.certifies(&l.e.penalties, text-pattern) >= limit &&
			v.sharedBytes(longer, longer) <= dynamicShared(&l.e.dev.Info) {
			return uint8(i)
		}
	}
	return general
}

// staticShared bounds what kernels declare in shared memory themselves.
const staticShared = 2 << 10

// dynamicShared is the shared memory that a launch may ask for beside that.
func dynamicShared(i *DeviceInfo) int { return i.SharedPerBlockOptin - staticShared }

// launchGroup is tasks for one kernel, of lengths within a factor of two.
type launchGroup struct {
	tasks          []task
	count          int // of the tasks that were dealt out to it
	first          int // position of the first task among all of the round
	variant, class uint8
	maxScore       int
	text, pattern  int // longest
}

// plan deals tasks out to launch groups, into the lane's own storage, and writes
// them to pinned memory in that order. Costly kernels and long pairs come first.
func (l *lane) plan(tasks []task) []launchGroup {
	if !l.staged {
		l.count(tasks)
	}
	l.staged = false
	l.tally.sort()
	groups := l.tally.groups
	l.planned = len(tasks)
	if len(groups) == 1 { // as with most short reads
		groups[0].tasks = tasks
	} else {
		l.order = slices.Grow(l.order[:0], len(tasks))[:len(tasks)]
		at := 0
		for i := range groups {
			g := &groups[i]
			g.first, g.tasks = at, l.order[at:at:at+g.count]
			at += g.count
		}
		for i := range tasks {
			g := l.tally.group(tasks[i].variant, tasks[i].class)
			n := len(g.tasks)
			g.tasks = g.tasks[:n+1]
			g.tasks[n] = tasks[i]
		}
	}
	for i := range groups {
		g := &groups[i]
		if int(g.variant) >= len(variants) || variants[g.variant].kind != kindWarp {
			l.longestFirst(g)
		}
		entries := l.tasks[g.first:][:len(g.tasks)]
		for j := range entries {
			entries[j] = taskEntry{pair: uint32(g.tasks[j].pair), limit: g.tasks[j].limit}
		}
	}
	return groups
}

// longestFirst puts the tasks of a group with high limits first, so that no
// straggler ends a launch. About is good enough, and by far quicker.
func (l *lane) longestFirst(g *launchGroup) {
	const bins = 128
	bin := func(t *task) int { return (g.maxScore - int(t.limit)) * (bins - 1) / max(g.maxScore, 1) }
	var next [bins + 1]int32
	for i := range g.tasks {
		next[bin(&g.tasks[i])+1]++
	}
	for i := range bins {
		next[i+1] += next[i]
	}
	l.sorted = slices.Grow(l.sorted[:0], len(g.tasks))[:len(g.tasks)]
	for i := range g.tasks {
		at := &next[bin(&g.tasks[i])]
		l.sorted[*at] = g.tasks[i]
		*at++
	}
	copy(g.tasks, l.sorted)
}

// count tallies tasks one by one.
func (l *lane) count(tasks []task) {
	l.tally.clear()
	for i := range tasks {
		t := &tasks[i]
		p := &l.pairs[t.pair]
		l.tally.add(t.variant, t.class, 1, int(t.limit), int(p.textLength), int(p.patternLength))
	}
}

// slab is the memory plan of one worker of the general kernel, in words of 4
// bytes; cuda/general.cu says what lies in it.
type slab struct {
	width, segmentRows, checkpoints, scratch int
	words                                    int
}

// planSlab lays out a worker's memory for scores up to maxScore within a
// budget in words. Fewer checkpoints mean less work done twice, so it takes
// the fewest that fit. It reports false when nothing fits.
func (e *Engine) planSlab(g *launchGroup, budget int) (slab, bool) {
	p := e.penalties
	gapReach := 0
	if g.maxScore >= p.GapOpen+p.GapExtend {
		gapReach = (g.maxScore - p.GapOpen) / p.GapExtend
	}
	lookback := p.LongestStep()
	rings := 2 * (p.GapExtend + 1)
	// A diagonal must be reached and left for the end within the limit, so
	// there are about as many as gaps reach on one side; rows are padded to
	// groups of four cells.
	s := slab{width: (min(g.text+g.pattern+1, gapReach+4) + 3 + 3) &^ 3}
	if e.scoreOnly {
		s.words = (rings + lookback + 1) * s.width
		return s, s.words <= budget
	}
	s.scratch = (e.cigarRoom(g.maxScore) + 1 + 3) &^ 3
	for segments := 1; segments <= g.maxScore+1; segments *= 2 {
		s.checkpoints = segments - 1
		s.segmentRows = (g.maxScore+1+s.checkpoints)/segments + 1
		s.words = s.scratch + s.width*(rings+lookback+s.segmentRows+s.checkpoints*(lookback+rings))
		if s.words <= budget {
			return s, true
		}
	}
	return s, false
}

// planGeneral decides how many workers share the memory, in words, and what
// each gets: as many as the device can run at a time, fewer when their memory
// would not hold an alignment. workers is 0 when even one does not fit.
func (e *Engine) planGeneral(g *launchGroup, budget int) (s slab, workers, threads int, err error) {
	s, ok := e.planSlab(g, budget)
	if !ok {
		return s, 0, 0, nil
	}
	threads = generalThreads(s.width)
	perSM, err := e.kernels.general.BlocksPerSM(threads, 0)
	if err != nil {
		return s, 0, 0, err
	}
	for workers = min(len(g.tasks), e.dev.Info.SMs*perSM); workers > 1; workers = (workers + 1) / 2 {
		if t, ok := e.planSlab(g, budget/workers); ok {
			return t, workers, threads, nil
		}
	}
	return s, 1, threads, nil
}
