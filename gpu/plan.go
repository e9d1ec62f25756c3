package gpu

import (
	"cmp"
	"math"
	"slices"
)

// task is a pair on its way through the kernels of one load.
type task struct {
	pair     int // in the load
	limit    int // largest score it is looked for now
	attempts int
	variant  int // into variants, or general
	class    int // of length
}

// general stands for the general kernel in task.variant.
const general = math.MaxInt

// choose picks the cheapest kernel that can vouch for the task's limit.
func (e *Engine) choose(pattern, text, limit int) int {
	if !e.hasVariants || text+limit > maxOffset || pattern+limit > maxOffset {
		return general
	}
	for i := range variants {
		v := &variants[i]
		if v.certifies(e.penalties, text-pattern) >= limit &&
			v.sharedBytes(text, pattern)+staticShared <= e.sharedPerBlock {
			return i
		}
	}
	return general
}

// staticShared bounds what kernels declare in shared memory themselves.
const staticShared = 2 << 10

// launchGroup is tasks for one launch: one kernel, lengths within a factor of
// two.
type launchGroup struct {
	tasks         []task
	variant       int
	maxScore      int
	text, pattern int // longest
}

// groups sorts tasks by kernel and length, the long ones first so that no
// straggler ends a launch, and cuts them where either changes.
func (e *Engine) groups(tasks []task, pairs []pairEntry) []launchGroup {
	slices.SortStableFunc(tasks, func(a, b task) int {
		return cmp.Or(cmp.Compare(b.variant, a.variant), cmp.Compare(b.class, a.class), cmp.Compare(b.limit, a.limit))
	})
	var out []launchGroup
	for from := 0; from < len(tasks); {
		g := launchGroup{variant: tasks[from].variant}
		to := from
		for ; to < len(tasks) && tasks[to].variant == g.variant && tasks[to].class == tasks[from].class; to++ {
			p := &pairs[tasks[to].pair]
			g.maxScore = max(g.maxScore, tasks[to].limit)
			g.text = max(g.text, int(p.textLength))
			g.pattern = max(g.pattern, int(p.patternLength))
		}
		g.tasks = tasks[from:to]
		out = append(out, g)
		from = to
	}
	return out
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
	lookback := max(p.Mismatch, p.GapOpen+p.GapExtend)
	rings := 2 * (p.GapExtend + 1)
	s := slab{width: min(g.text, gapReach) + min(g.pattern, gapReach) + 1}
	if e.scoreOnly {
		s.words = (rings + lookback + 1) * s.width
		return s, s.words <= budget
	}
	s.scratch = 2*(g.maxScore/min(p.Mismatch, p.GapOpen+p.GapExtend)) + 2
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

// planGeneral decides how many workers share the memory and what each gets:
// as many as the device can run at a time, fewer when their memory would not
// hold an alignment. workers is 0 when even one does not fit.
func (e *Engine) planGeneral(g *launchGroup, budget int) (s slab, workers, threads int) {
	s, ok := e.planSlab(g, budget)
	if !ok {
		return s, 0, 0
	}
	threads = generalThreads(s.width)
	workers = min(len(g.tasks), e.dev.info.SMs*min(e.dev.info.ThreadsPerSM/threads, 16))
	for ; workers > 1; workers = (workers + 1) / 2 {
		if t, ok := e.planSlab(g, budget/workers); ok {
			return t, workers, threads
		}
	}
	return s, 1, threads
}
