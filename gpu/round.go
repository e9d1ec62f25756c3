package gpu

import (
	"context"
	"fmt"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
)

// round launches kernels for tasks, waits for them and decodes what they found.
// Tasks that are not done, by a higher limit or for lack of room, are left in
// todo.
func (l *lane) round(ctx context.Context, b *align.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tasks := l.withRoom()
	l.again = append(l.again[:0], l.todo[len(tasks):]...)
	groups := l.plan(tasks)
	if err := l.queue(b, groups); err != nil {
		return err
	}
	if err := l.stream.ToHost(bytesOf(l.results[:len(l.index)]), l.dev.results); err != nil {
		return err
	}
	if err := l.stream.ToHost(bytesOf(l.used), l.dev.counters); err != nil {
		return err
	}
	if err := l.stream.Wait(ctx); err != nil {
		return err
	}
	if used := int(l.used[0]); used > 0 {
		if used > len(l.cigars) {
			return fmt.Errorf("internal error: alignments take %d elements, %d were set aside", used, len(l.cigars))
		}
		if err := l.stream.ToHost(bytesOf(l.cigars[:used]), l.dev.cigars); err != nil {
			return err
		}
		if err := l.stream.Wait(ctx); err != nil {
			return err
		}
	}
	for i := range groups {
		if err := l.decode(b, groups[i].tasks); err != nil {
			return err
		}
	}
	l.todo, l.again = l.again, l.todo
	return nil
}

// withRoom returns the first tasks of todo, those whose alignments can be sure
// of room in the lane's memory. It is one at least.
func (l *lane) withRoom() []task {
	if l.e.scoreOnly || l.staged && l.room <= len(l.cigars) {
		return l.todo
	}
	room := 0
	for i := range l.todo {
		if room += l.e.cigarRoom(int(l.todo[i].limit)); room > len(l.cigars) && i > 0 {
			l.staged = false // what stage has tallied is more
			return l.todo[:i]
		}
	}
	return l.todo
}

// cigarRoom is the function of that name in cuda/cigar.cuh.
func (e *Engine) cigarRoom(score int) int {
	// Neither has more than 32 bits, and more take longer to divide.
	return 2*int(uint32(score)/uint32(e.cheapest)) + 1
}

// queue copies the planned tasks to the device and queues the kernels for them.
// What has no room for now is taken from its group and put into again.
func (l *lane) queue(b *align.Batch, groups []launchGroup) error {
	l.launches = 0
	if err := l.stream.Fill(l.dev.counters, 0, (maxLaunches+1)*4); err != nil {
		return err
	}
	if err := l.stream.ToDevice(l.dev.tasks, bytesOf(l.tasks[:l.planned])); err != nil {
		return err
	}
	for i := range groups {
		g := &groups[i]
		done, err := l.launchGroup(b, g)
		if err != nil {
			return err
		}
		l.again = append(l.again, g.tasks[done:]...)
		g.tasks = g.tasks[:done]
	}
	return nil
}

// launchGroup queues a group, in parts if its rows do not fit all together,
// and returns how many of its tasks, from the first on, are on their way.
func (l *lane) launchGroup(b *align.Batch, g *launchGroup) (int, error) {
	if g.variant == general {
		return l.startGeneral(b, g)
	}
	n := len(g.tasks)
	stride, spare, start, err := l.planGroup(g)
	if err != nil {
		return 0, err
	}
	part := n
	if stride+spare > 0 {
		have, err := l.needRows(n*stride + spare)
		if err != nil {
			return 0, err
		}
		if have < n*stride+spare { // the budget may be lower now
			if stride, spare, start, err = l.planGroup(g); err != nil {
				return 0, err
			}
		}
		if stride > 0 {
			part = min(part, (have-spare)/stride)
		}
		if have < spare || part < 1 { // memory has become scarce since choose looked
			l.withoutRows(b, g)
			return 0, nil
		}
	}
	done := 0
	for done < n && l.launches < maxLaunches {
		n := min(part, n-done)
		if err := start(done, n); err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

// planGroup returns how many bytes each task of a group takes for its rows and
// what is needed besides, and what starts the kernels for n tasks.
func (l *lane) planGroup(g *launchGroup) (stride, spare int, start func(from, n int) error, err error) {
	if int(g.variant) >= len(variants) {
		p, err := l.planWindow(g.variant, len(g.tasks), g.maxScore)
		return 4 * p.stride, p.held, func(from, n int) error { return l.launchWindow(g, p, from, n) }, err
	}
	if !l.e.scoreOnly {
		// A warp writes rows for all its groups of lanes, those without a
		// pair, too.
		v := &variants[g.variant]
		stride = 4 * v.rowStride(l.e.penalties, g.maxScore, l.e.windows[g.variant].Lambda)
		spare = stride * (32/v.lanes - 1)
	}
	return stride, spare, func(from, n int) error { return l.launchVariant(g, from, n) }, nil
}

// withoutRows decides about a group of which the rows of not one task fit.
func (l *lane) withoutRows(b *align.Batch, g *launchGroup) {
	if approximate(g.variant) { // the general kernel is not for it
		for _, t := range g.tasks {
			l.leave(b, int(l.index[t.pair]), errMemory)
		}
		g.tasks = g.tasks[:0]
	}
	for i := range g.tasks {
		g.tasks[i].variant = general
	}
}

func (l *lane) startGeneral(b *align.Batch, g *launchGroup) (int, error) {
	if l.launches == maxLaunches {
		return 0, nil
	}
	s, workers, threads, err := l.e.planGeneral(g, l.rowBudget/4)
	if err != nil {
		return 0, err
	}
	if workers > 0 {
		have, err := l.needRows(4 * s.words * workers)
		if err != nil {
			return 0, err
		}
		if have < 4*s.words*workers {
			// Less than the budget was to be had, which is lower now.
			if s, workers, threads, err = l.e.planGeneral(g, have/4); err != nil {
				return 0, err
			}
		}
	}
	if workers == 0 || !l.e.scoreOnly && l.e.cigarRoom(g.maxScore) > len(l.cigars) {
		l.leaveLargest(b, g)
		return 0, nil
	}
	return len(g.tasks), l.launchGeneral(g, s, workers, threads)
}

// leaveLargest takes from a group, for which there is no memory, the pairs with
// the highest limit. One whose limit is a first guess gets a lower one, others
// are handed to another engine.
func (l *lane) leaveLargest(b *align.Batch, g *launchGroup) {
	kept := g.tasks[:0]
	for _, t := range g.tasks {
		p := &l.pairs[t.pair]
		n, m := int(p.patternLength), int(p.textLength)
		lower := max(int(t.limit)/2, l.e.penalties.LengthGap(n, m)+l.e.penalties.LongestStep())
		switch {
		case int(t.limit) < g.maxScore:
		case t.attempts == 0 && lower < int(t.limit):
			t.limit, t.variant = int32(lower), l.choose(n, m, lower)
		default:
			l.leave(b, int(l.index[t.pair]), errMemory)
			continue
		}
		kept = append(kept, t)
	}
	g.tasks = kept
}

// decode takes the results of tasks of one kernel that have run. Those that need
// another pass go to again.
func (l *lane) decode(b *align.Batch, tasks []task) error {
	if len(tasks) == 0 {
		return nil
	}
	// A pair that strayed may have been aligned exactly in this pass.
	const earlier = unreachedFlags | flagLost | flagStrayed
	variant, finished := tasks[0].variant, 0
	for i := range tasks {
		if ahead := i + aheadResults; ahead < len(tasks) && !l.e.scoreOnly {
			l.fetch(b, &tasks[ahead], &tasks[min(ahead+2*aheadResults, len(tasks)-1)])
		}
		t := &tasks[i]
		r := &l.results[t.pair]
		var err error
		if r.score >= 0 && r.flags&^earlier == 0 {
			finished++
			err = l.finish(b, t, r)
		} else {
			err = l.goOn(b, t, r)
		}
		if err != nil {
			return err
		}
	}
	l.stats.finished(variant, finished)
	return nil
}

// aheadResults is how many tasks before its own an alignment is fetched.
const aheadResults = 8

// fetch asks for the memory between which t's alignment will be copied: it comes
// in no order. For later it asks where that will be.
func (l *lane) fetch(b *align.Batch, t, later *task) {
	if r := &l.results[t.pair]; int(r.cigar) < len(l.cigars) {
		out := b.Results[l.index[t.pair]].CIGAR
		prefetch(unsafe.Pointer(&l.cigars[r.cigar]), unsafe.Pointer(unsafe.SliceData(out)), unsafe.Pointer(&b.Results[l.index[later.pair]]))
	}
}

// finish takes the result of a task that is done.
func (l *lane) finish(b *align.Batch, t *task, r *resultEntry) error {
	p, out := &l.pairs[t.pair], &b.Results[l.index[t.pair]]
	out.Score = int(r.score) * l.e.scale
	if !l.e.scoreOnly {
		elems := l.alignment(r)
		if elems == nil {
			return fmt.Errorf("internal error: no alignment of %d and %d letters from the GPU", p.patternLength, p.textLength)
		}
		out.CIGAR = append(out.CIGAR[:0], unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elems)), len(elems))...)
	}
	if t.attempts > 0 {
		l.stats.SecondPass++
	}
	l.seen.add(int(r.score), int(max(p.patternLength, p.textLength)), int(t.class))
	return nil
}

// goOn decides what is next for a task that is not done: another pass or another
// engine.
func (l *lane) goOn(b *align.Batch, t *task, r *resultEntry) error {
	p, i := &l.pairs[t.pair], int(l.index[t.pair])
	n, m := int(p.patternLength), int(p.textLength)
	flags := r.flags &^ unreachedFlags
	switch {
	case flags&flagLetters != 0:
		l.leave(b, i, errLetters)
		return nil
	case flags&^(flagLost|flagStrayed) != 0:
		return fmt.Errorf("internal error: flags %#x from the GPU for a pair of %d and %d letters", flags, n, m)
	case approximate(t.variant):
		if err := l.outOfWindow(t, flags, n, m); err != nil {
			l.leave(b, i, err)
			return nil
		}
	case t.limit == maxLimit: // there is none above it
		l.leave(b, i, errMemory)
		return nil
	default:
		next := l.e.nextLimit(t, l.rates[t.class], n, m)
		if next <= int(t.limit) {
			return fmt.Errorf("internal error: no alignment of %d and %d letters costs %d or less on the GPU", n, m, t.limit)
		}
		t.limit = int32(next)
		t.attempts++
		t.variant = l.choose(n, m, next)
	}
	l.again = append(l.again, *t)
	return nil
}

// alignment returns a result's elements, nil if there are none where they should
// be.
func (l *lane) alignment(r *resultEntry) []uint32 {
	end := uint64(r.cigar) + uint64(r.cigarLength)
	if r.cigarLength == 0 || end > uint64(l.used[0]) {
		return nil
	}
	return l.cigars[r.cigar:end]
}
