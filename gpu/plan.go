package gpu

import (
	"cmp"
	"math"
	"slices"
)

// task is a pair on its way through the kernels of one load.
type task struct {
	pair     int32 // in the load
	limit    int32 // largest score it is looked for now
	variant  uint8 // into variants, or general
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
			v.sharedBytes(longer, longer)+staticShared <= l.e.dev.info.SharedPerBlockOptin {
			return uint8(i)
		}
	}
	return general
}

// staticShared bounds what kernels declare in shared memory themselves.
const staticShared = 2 << 10

// launchGroup is tasks for one kernel, of lengths within a factor of two.
type launchGroup struct {
	tasks         []task
	first         int // position of the first task among all of the round
	variant       uint8
	maxScore      int
	text, pattern int // longest
}

// groups deals tasks out to launch groups, into the lane's own storage. Costly
// kernels and long pairs come first.
func (l *lane) groups(tasks []task) []launchGroup {
	const kinds = math.MaxUint8 + 1
	var counts [kinds][lengthClasses]int32
	for i := range tasks {
		counts[tasks[i].variant][tasks[i].class]++
	}
	l.launchGroups = l.launchGroups[:0]
	l.order = slices.Grow(l.order[:0], len(tasks))[:len(tasks)]
	at := 0
	place := func(variant int) {
		for class := lengthClasses - 1; class >= 0; class-- {
			if n := int(counts[variant][class]); n > 0 {
				counts[variant][class] = int32(len(l.launchGroups))
				l.launchGroups = append(l.launchGroups, launchGroup{
					tasks: l.order[at : at : at+n], first: at, variant: uint8(variant),
				})
				at += n
			}
		}
	}
	place(general)
	for v := len(variants) - 1; v >= 0; v-- {
		place(v)
	}
	for i := range tasks {
		t := &tasks[i]
		g := &l.launchGroups[counts[t.variant][t.class]]
		p := &l.pairs[t.pair]
		g.tasks = append(g.tasks, *t)
		g.maxScore = max(g.maxScore, int(t.limit))
		g.text = max(g.text, int(p.textLength))
		g.pattern = max(g.pattern, int(p.patternLength))
	}
	for i := range l.launchGroups {
		g := &l.launchGroups[i]
		if g.variant == general || variants[g.variant].kind != kindWarp {
			// No straggler shall end a launch.
			slices.SortStableFunc(g.tasks, func(a, b task) int { return cmp.Compare(b.limit, a.limit) })
		}
	}
	return l.launchGroups
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
	perSM, err := e.kernels.general.blocks(threads, 0)
	if err != nil {
		return s, 0, 0, err
	}
	for workers = min(len(g.tasks), e.dev.info.SMs*perSM); workers > 1; workers = (workers + 1) / 2 {
		if t, ok := e.planSlab(g, budget/workers); ok {
			return t, workers, threads, nil
		}
	}
	return s, 1, threads, nil
}
