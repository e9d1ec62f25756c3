package gpu

import (
	"context"
	"fmt"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
)

// padded is the room that a sequence takes in a load, in letters.
func padded(n int) int { return (n + letterUnit - 1) &^ (letterUnit - 1) }

// cut returns the end of the load that begins at pair from.
func cut(pairs []align.Pair, from int) int {
	letters, to := 0, from
	for ; to < len(pairs) && to-from < lanePairs; to++ {
		letters += padded(len(pairs[to].Pattern)) + padded(len(pairs[to].Text))
		if letters > laneLetters && to > from {
			break
		}
	}
	return to
}

// run aligns the pairs [from, to) of a batch whose results are prepared. When
// it returns, the device has let go of them, whatever happened.
func (l *lane) run(ctx context.Context, b *align.Batch, from, to int) error {
	l.stats = Stats{}
	clear(l.seen)
	err := l.load(ctx, b, from, to)
	if err != nil {
		// Copies to and from the lane's memory may be under way.
		l.stream.synchronize()
		return err
	}
	l.e.finished(l)
	return nil
}

func (l *lane) load(ctx context.Context, b *align.Batch, from, to int) error {
	if n := l.stage(b, from, to); n > 0 {
		if err := l.upload(n); err != nil {
			return err
		}
		if err := l.start(); err != nil {
			return err
		}
	}
	for len(l.todo) > 0 {
		if err := l.round(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// stage copies the letters to pinned memory and returns how many pairs the
// device gets. Pairs with an empty sequence are answered here.
func (l *lane) stage(b *align.Batch, from, to int) int {
	l.index = l.index[:0]
	l.todo = l.todo[:0]
	l.letters = l.letters[:laneLetters]
	at := 0
	for i := from; i < to; i++ {
		p := &b.Pairs[i]
		n, m := len(p.Pattern), len(p.Text)
		if n == 0 || m == 0 {
			l.trivial(&b.Results[i], n, m)
			continue
		}
		if padded(n)+padded(m) > laneLetters {
			l.leave(&b.Results[i], errLength)
			continue
		}
		text := at + padded(n)
		copy(l.letters[at:], p.Pattern)
		copy(l.letters[text:], p.Text)
		l.pairs[len(l.index)] = pairEntry{
			pattern: uint32(at / letterUnit), text: uint32(text / letterUnit),
			patternLength: int32(n), textLength: int32(m),
		}
		at = text + padded(m)
		l.index = append(l.index, int32(i))
	}
	l.letters = l.letters[:at]
	return len(l.index)
}

// trivial answers a pair with an empty sequence: one gap, or nothing at all.
func (l *lane) trivial(r *align.Result, pattern, text int) {
	r.Score = l.e.scale * l.e.penalties.Gap(pattern+text)
	if !l.e.scoreOnly {
		r.CIGAR = r.CIGAR[:0].Append(cigar.Ins, pattern).Append(cigar.Del, text)
	}
	l.stats.Trivial++
}

// leave hands a pair to another engine.
func (l *lane) leave(r *align.Result, cause error) {
	r.Score, r.CIGAR, r.Err = 0, r.CIGAR[:0], cause
	l.stats.unfinished(cause)
}

func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// upload copies n staged pairs to the device and packs them.
func (l *lane) upload(n int) error {
	if err := l.stream.toDevice(l.dev.letters, l.letters); err != nil {
		return err
	}
	if err := l.stream.toDevice(l.dev.pairs, bytesOf(l.pairs[:n])); err != nil {
		return err
	}
	return l.launchPack(n)
}

// start makes a task of every staged pair.
func (l *lane) start() error {
	rates := l.e.estimate.rates()
	for i := range l.index {
		p := &l.pairs[i]
		n, m := int(p.patternLength), int(p.textLength)
		class := lengthClass(max(n, m))
		limit := l.e.firstLimit(rates[class], n, m)
		l.todo = append(l.todo, task{pair: i, limit: limit, variant: l.e.choose(n, m, limit), class: class})
	}
	return nil
}

// round launches kernels for tasks, waits for them and decodes what they found.
// Tasks that are not done, by a higher limit or for lack of room, are left in
// todo.
func (l *lane) round(ctx context.Context, b *align.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.launches = 0
	if err := l.stream.fill(l.dev.counters, 0, (maxLaunches+1)*4); err != nil {
		return err
	}
	tasks, later := l.withRoom()
	launched, err := l.launchAll(b, tasks, &later)
	if err != nil {
		return err
	}
	if err := l.stream.toHost(bytesOf(l.results[:len(l.index)]), l.dev.results); err != nil {
		return err
	}
	if err := l.stream.toHost(bytesOf(l.used), l.dev.counters); err != nil {
		return err
	}
	if err := l.stream.wait(ctx); err != nil {
		return err
	}
	if used := int(l.used[0]); used > 0 {
		if used > len(l.cigars) {
			return fmt.Errorf("internal error: alignments take %d elements, %d were set aside", used, len(l.cigars))
		}
		if err := l.stream.toHost(bytesOf(l.cigars[:used]), l.dev.cigars); err != nil {
			return err
		}
		if err := l.stream.wait(ctx); err != nil {
			return err
		}
	}
	again, err := l.decode(b, launched)
	if err != nil {
		return err
	}
	l.todo = append(l.todo[:0], later...)
	l.todo = append(l.todo, again...)
	return nil
}

// withRoom splits off the tasks whose alignments can be sure of room in the
// lane's memory.
func (l *lane) withRoom() (tasks, later []task) {
	if l.e.scoreOnly {
		return l.todo, nil
	}
	room := 0
	for i := range l.todo {
		if room += l.e.cigarRoom(l.todo[i].limit); room > len(l.cigars) && i > 0 {
			return l.todo[:i:i], append([]task(nil), l.todo[i:]...)
		}
	}
	return l.todo, nil
}

// cigarRoom is the function of that name in cuda/cigar.cuh.
func (e *Engine) cigarRoom(score int) int {
	return 2*(score/min(e.penalties.Mismatch, e.penalties.GapOpen+e.penalties.GapExtend)) + 1
}

// launchAll queues kernels for the tasks and returns those that are on their
// way. What had no room is added to later.
func (l *lane) launchAll(b *align.Batch, tasks []task, later *[]task) (launched []task, err error) {
	// Tasks go up once, in the order of the groups; a group that does not fit
	// with a variant's rows moves to the general kernel, which needs less.
	for i := range tasks {
		if t := &tasks[i]; t.variant != general && !l.e.scoreOnly &&
			4*variants[t.variant].rowStride(l.e.penalties, t.limit)*variants[t.variant].pairsPerBlock() > l.rowBudget {
			t.variant = general
		}
	}
	groups := l.e.groups(tasks, l.pairs)
	n := 0
	for i := range groups {
		for _, t := range groups[i].tasks {
			l.tasks[n] = taskEntry{pair: uint32(t.pair), limit: int32(t.limit)}
			n++
		}
	}
	if err := l.stream.toDevice(l.dev.tasks, bytesOf(l.tasks[:n])); err != nil {
		return nil, err
	}
	first := 0
	for i := range groups {
		g := &groups[i]
		n := len(g.tasks)
		done, err := l.launchGroup(b, g, first)
		if err != nil {
			return nil, err
		}
		launched = append(launched, g.tasks[:done]...)
		*later = append(*later, g.tasks[done:]...)
		first += n
	}
	return launched, nil
}

// launchGroup queues a group, in parts if its rows do not fit all together,
// and returns how many of its tasks, from the first on, are on their way. A
// group that cannot be run at all is left to another engine.
func (l *lane) launchGroup(b *align.Batch, g *launchGroup, first int) (int, error) {
	if g.variant == general {
		return l.startGeneral(b, g, first)
	}
	v := &variants[g.variant]
	part := len(g.tasks)
	if !l.e.scoreOnly {
		// A warp writes rows for all its groups of lanes, those without a
		// pair, too.
		stride, spare := 4*v.rowStride(l.e.penalties, g.maxScore), 32/v.lanes-1
		have, err := l.needRows(stride * (len(g.tasks) + spare))
		if err != nil {
			return 0, err
		}
		part = min(part, have/stride-spare)
		if part < 1 { // memory has become scarce since choose looked
			for i := range g.tasks {
				g.tasks[i].variant = general
			}
			return 0, nil
		}
	}
	done := 0
	for done < len(g.tasks) && l.launches < maxLaunches {
		n := min(part, len(g.tasks)-done)
		if err := l.launchVariant(g, first+done, n); err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

func (l *lane) startGeneral(b *align.Batch, g *launchGroup, first int) (int, error) {
	if l.launches == maxLaunches {
		return 0, nil
	}
	s, workers, threads := l.e.planGeneral(g, l.rowBudget/4)
	if workers > 0 {
		have, err := l.needRows(4 * s.words * workers)
		if err != nil {
			return 0, err
		}
		if have < 4*s.words*workers {
			// Less than the budget was to be had, which is lower now.
			s, workers, threads = l.e.planGeneral(g, have/4)
		}
	}
	if workers == 0 || !l.e.scoreOnly && l.e.cigarRoom(g.maxScore) > len(l.cigars) {
		return l.leaveLargest(b, g)
	}
	return len(g.tasks), l.launchGeneral(g, s, workers, threads, first)
}

// leaveLargest hands the pairs of a group with the highest limit to another
// engine and keeps the rest for the next round.
func (l *lane) leaveLargest(b *align.Batch, g *launchGroup) (int, error) {
	kept := g.tasks[:0]
	for _, t := range g.tasks {
		if t.limit == g.maxScore {
			l.leave(&b.Results[l.index[t.pair]], errMemory)
		} else {
			kept = append(kept, t)
		}
	}
	g.tasks = kept
	return 0, nil
}

// decode takes the results of finished tasks and returns those that need
// another pass.
func (l *lane) decode(b *align.Batch, tasks []task) (again []task, err error) {
	for _, t := range tasks {
		r, p := &l.results[t.pair], &l.pairs[t.pair]
		out := &b.Results[l.index[t.pair]]
		n, m := int(p.patternLength), int(p.textLength)
		switch {
		case r.flags&flagLetters != 0:
			l.leave(out, errLetters)
		case r.flags != 0:
			return nil, fmt.Errorf("internal error: flags %#x from the GPU for a pair of %d and %d letters", r.flags, n, m)
		case r.score >= 0:
			out.Score = int(r.score) * l.e.scale
			if !l.e.scoreOnly {
				elems := l.cigars[r.cigar:][:r.cigarLength]
				out.CIGAR = append(out.CIGAR[:0], unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elems)), len(elems))...)
			}
			l.stats.finished(t.variant)
			if t.attempts > 0 {
				l.stats.SecondPass++
			}
			l.seen.add(int(r.score), max(n, m))
		default:
			next := l.e.nextLimit(t.limit, n, m)
			if next <= t.limit {
				return nil, fmt.Errorf("internal error: no alignment of %d and %d letters costs %d or less on the GPU", n, m, t.limit)
			}
			t.limit = next
			t.attempts++
			t.variant = l.e.choose(n, m, next)
			again = append(again, t)
		}
	}
	return again, nil
}
