package hybrid

import (
	"context"
	"slices"
	"sync"
	"time"

	"wfagpu/align"
)

// team is an Aligner: its members, the GPUs and the CPU, take batches from one
// queue. Members may join while batches wait. It is safe for concurrent use.
type team struct {
	model workModel

	mu sync.Mutex // guards dealer with its members and jobs, and err
	dealer
	err error // the team cannot align

	copies sync.Pool // of *align.Batch, for races
}

// newTeam returns a team of the CPU, or of nobody if it is nil. join or fail is called later.
func newTeam(cpu *member) *team {
	t := &team{dealer: dealer{opening: true, cpu: cpu}}
	t.start, t.again = t.startRace, t.dealAgain
	t.entry = make(chan struct{}, 1)
	if cpu != nil {
		t.members = []*member{cpu}
	}
	return t
}

// join adds GPUs. limited may be nil. It is called once at most.
func (t *team) join(gpus []*member, limited func() bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.opening, t.limited = false, limited
	t.members = append(gpus, t.members...)
	t.deal()
}

// fail ends all batches with an error: those that wait and those to come.
func (t *team) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err = err
	for _, j := range t.waiting {
		close(j.given)
	}
	t.waiting = nil
}

// AlignBatch waits until a member takes the batch, and aligns it there.
func (t *team) AlignBatch(ctx context.Context, b *align.Batch) error {
	work, bases := t.model.of(b)
	j := newJob(ctx, b, work, bases)
	defer j.cancel(nil)
	if err := t.enter(j); err != nil {
		return err
	}
	select {
	case m, ok := <-j.given:
		if !ok {
			return t.err // set before given was closed
		}
		t.run(j, m, b)
	case <-ctx.Done():
		if t.withdraw(j) {
			return ctx.Err()
		}
		if m, ok := <-j.given; ok {
			t.run(j, m, b)
		} else {
			return t.err
		}
	}
	return t.outcome(ctx, j)
}

func (t *team) enter(j *job) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return t.err
	}
	t.waiting = append(t.waiting, j)
	t.entered.add(j, 1)
	t.deal()
	select {
	case t.entry <- struct{}{}:
	default:
	}
	return nil
}

// withdraw takes back a job that nobody has taken, and reports whether it could.
func (t *team) withdraw(j *job) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.waiting, j)
	if i < 0 {
		return false
	}
	t.waiting = slices.Delete(t.waiting, i, i+1)
	t.entered.add(j, -1)
	return true
}

// run aligns a job on a member. b is the batch or a copy of it.
func (t *team) run(j *job, m *member, b *align.Batch) {
	counts, err := m.engine.align(j.ctx, b)
	work := 0.0
	if err == nil {
		work = t.model.learn(b)
	}
	defer j.cancel(errOver) // without the lock
	t.mu.Lock()
	defer t.mu.Unlock()
	m.drop(j)
	if b != j.batch {
		m.races--
	}
	if !j.over {
		t.finished.add(j, 1)
	}
	switch {
	case j.over:
		m.done.repeated += int64(len(b.Pairs))
	case err != nil:
		j.over, j.err = true, err
	default:
		j.over, j.winner = true, b
		m.done.add(int64(len(b.Pairs)), j.early && b == j.batch, counts)
	}
	m.measure(work)
	if err == nil {
		m.ended = time.Now()
	}
	t.deal()
}

// dealAgain deals at a time that the dealer chose.
func (t *team) dealAgain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.deal()
}

func (c *memberCounts) add(pairs int64, early bool, fallback FallbackCounts) {
	c.pairs += pairs
	if early {
		c.early += pairs
	}
	c.fallback.Add(fallback)
}

// outcome waits until nobody uses the batch of a job that is over, and returns its error. Nobody copies
// such a batch any more, so that outcome takes no lock.
func (t *team) outcome(ctx context.Context, j *job) error {
	if b := j.copied; b != nil {
		<-j.raced
		if j.winner == b {
			j.batch.Results, b.Results = b.Results, j.batch.Results
		}
		b.Pairs = nil
		t.copies.Put(b)
	}
	if j.err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return j.err
}

// startRace lets a second member align a copy of the batch. The caller holds the
// lock.
func (t *team) startRace(j *job, m *member) {
	b, ok := t.copies.Get().(*align.Batch)
	if !ok {
		b = new(align.Batch)
	}
	b.Pairs, b.First = j.batch.Pairs, j.batch.First
	t.begin(j, m)
	m.races++
	j.copied, j.raced = b, make(chan struct{})
	go func() {
		t.run(j, m, b)
		close(j.raced)
	}()
}
