package gpu

import (
	"context"
	"errors"
	"fmt"
	"time"

	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/memory"
	"wfagpu/gpu/internal/passes"
)

// runner runs launches, one at a time. Its storage is reused by the next.
type runner struct {
	stream *driver.Stream
	// urgent is for the tracebacks of kernels that take long: they hold memory, and have
	// few threads, which should not wait for the blocks of other launches.
	urgent *driver.Stream
	word   *stopWord
	// pinned has memory for elements of alignments; borrowed is that of the launch's, nil if they are in other memory.
	pinned   *memory.Pinned
	borrowed []byte
	elements []uint32
	decoder
	slowest time.Duration // of the launches so far
}

// newRunner returns a runner with its streams and its stop word.
func newRunner(dev *driver.Device, pinned *memory.Pinned, p *passes.Policy, x *assembler, inside *insider) (*runner, error) {
	r := &runner{pinned: pinned}
	r.policy, r.assembler, r.inside = p, x, inside
	var err error
	if r.stream, err = dev.NewStream(); err != nil {
		return nil, err
	}
	if r.urgent, err = dev.NewUrgentStream(); err != nil {
		return nil, errors.Join(err, r.stream.Close())
	}
	if r.word, err = newStopWord(dev); err != nil {
		return nil, errors.Join(err, r.stream.Close(), r.urgent.Close())
	}
	return r, nil
}

// run runs a launch with pinned memory for its frame, and decodes the results. When it
// returns, the device uses nothing of the launch, also with an error.
func (r *runner) run(l *launch, pinned []byte) error {
	f := newFrame(l.group.Count, l.room)
	r.word.begin(pinned)
	if !l.bind(r.word) {
		return r.word.end()
	}
	r.writeTasks(l, f.taskList(pinned))
	defer r.giveElements()
	err := r.compute(l, &f, pinned)
	if err != nil {
		// Copies to and from the launch's memory may be in progress.
		r.stream.Synchronize()
		r.urgent.Synchronize()
	}
	if ended := r.word.end(); err == nil {
		err = ended
	}
	if err != nil {
		return err
	}
	r.note(l, f.resultList(pinned))
	return r.decode(l, f.resultList(pinned), r.elements)
}

// writeTasks writes the tasks of a launch in the order of its parts.
func (r *runner) writeTasks(l *launch, to []abi.Task) {
	at := 0
	for i := range l.parts {
		part := &l.parts[i]
		base, to := part.load.sequences.At, to[at:at+len(part.tasks)]
		for j := range to {
			// Field by field: the compiler builds a whole task on the stack first.
			t, e := &part.tasks[j], &to[j]
			pattern := base + driver.Ptr(4*uint64(t.At))
			e.Pattern = pattern
			e.Text = pattern + driver.Ptr((uint64(uint32(t.Pattern))+abi.LettersPerWord-1)/abi.LettersPerWord*4)
			e.PatternLength, e.TextLength, e.Bound = t.Pattern, t.Text, t.Bound
			e.Final = 0
			if int(t.Bound) >= r.policy.Limit {
				e.Final = 1
			}
		}
		at += len(to)
	}
}

// compute copies the stop word and the tasks to the device, runs the kernels, and copies results and
// alignments to the host.
func (r *runner) compute(l *launch, f *frame, pinned []byte) error {
	s, at := r.stream, l.memory.At
	place := func(offset int) driver.Ptr { return at + driver.Ptr(offset) }
	clear(pinned[f.counters:f.results])
	if err := r.word.copy(s, at, pinned[:f.results]); err != nil {
		return err
	}
	if err := s.Fill(place(f.results), abi.Unreached, f.n*resultBytes); err != nil {
		return err
	}
	a := f.params(at, r.policy.Penalties)
	s.SetApart(!l.brief())
	if err := l.kernel.Launch(s, a, l.group, l.plan); err != nil {
		return err
	}
	if err := r.after(l, s); err != nil {
		return err
	}
	if !l.brief() {
		s = r.urgent
	}
	if err := l.kernel.Trace(s, a, l.group, l.plan); err != nil {
		return err
	}
	if err := r.after(l, s); err != nil {
		return err
	}
	if err := s.ToHost(pinned[f.counters:f.results+f.n*resultBytes], place(f.counters)); err != nil {
		return err
	}
	if err := s.Wait(context.Background()); err != nil {
		return err
	}
	l.took = time.Since(l.began)
	if kernel.Overflows(l.kernel) {
		*f.used(pinned) = min(*f.used(pinned), uint32(f.elements))
	}
	used := int(*f.used(pinned))
	if used > f.elements {
		return fmt.Errorf("internal error: alignments take %d elements, %d were set aside", used, f.elements)
	}
	return r.fetchElements(s, place(f.cigars), used, f.spare(pinned))
}

// after waits for a kernel that takes long: behind it, the next operation would hold up
// other streams that share its hardware queue.
func (r *runner) after(l *launch, s *driver.Stream) error {
	if l.brief() {
		return nil
	}
	return s.Wait(context.Background())
}

// note describes a launch in the statistics if it was the slowest so far.
func (r *runner) note(l *launch, results []abi.Result) {
	if l.took <= r.slowest {
		return
	}
	r.slowest = l.took
	s := Slowest{
		Time: l.took, Family: r.policy.Counter(l.Key.Kernel), Pairs: len(results),
		Pattern: l.group.Pattern, Text: l.group.Text,
	}
	aligned, at := false, 0
	for i := range l.parts {
		for j := range l.parts[i].tasks {
			t, cost, flags := &l.parts[i].tasks[j], int(results[at].Score), results[at].Flags
			if at++; cost < 0 || flags == abi.FlagOpen {
				continue
			}
			score := r.policy.Model.Score(cost, int(t.Pattern)+int(t.Text))
			if !aligned || score > s.Score {
				aligned, s.Score = true, score
			}
		}
	}
	if !aligned {
		s.Score = l.group.Bound * r.policy.Scale
	}
	r.stats.Slowest = s
}

// close closes the streams and the stop word.
func (r *runner) close() error {
	return errors.Join(r.stream.Close(), r.urgent.Close(), r.word.close())
}
