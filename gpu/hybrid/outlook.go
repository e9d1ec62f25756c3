package hybrid

import (
	"math"
	"time"
)

// When a team has GPUs, and whether its CPU aligns beside them. A GPU costs half a second
// of a run, opening and releasing it, and its host threads do all but the computing. So
// the CPU alone takes what it finishes in about a second. Otherwise it leaves the host
// to the GPUs, even while they are opened, unless it is a quarter as fast or more.

const (
	// gpuPays is the time of the CPU for a whole input from which GPUs pay.
	gpuPays = 1.0 // seconds
	// sureTime is the time that shows how fast the CPU is. Before that, its assumed
	// rate counts.
	sureTime = 50 * time.Millisecond
	// stallTime is the time without a batch finished from which the CPU seems to
	// have hard pairs, and to need long.
	stallTime = 100 * time.Millisecond
	// openTime is the longest time for which the CPU rests while GPUs are opened.
	openTime = 500 * time.Millisecond
	// besideShare is the least rate of the CPU, as a share of that of all GPUs, with
	// which it aligns beside them.
	besideShare = 0.25
	// sureGPUTime is the busy time of a GPU before which it is not taken to be
	// slower than assumed: its first launches wait for memory of the host.
	sureGPUTime = 200 * time.Millisecond
)

// tally is what batches add up to.
type tally struct{ work, bases float64 }

func (c *tally) add(j *job, sign float64) {
	c.work += sign * j.work
	c.bases += sign * float64(j.bases)
}

// outlook is what a team makes of the input.
type outlook struct {
	// rest is that of Options, nil if unknown.
	rest              func() float64
	entered, finished tally         // batches so far
	entry             chan struct{} // receives when a batch has entered
	needed            time.Time     // when GPUs began to pay, zero before
}

// awaitNeed waits until GPUs pay. It reports false if closing is closed before.
func (t *team) awaitNeed(closing <-chan struct{}) bool {
	for !t.needsGPUs() {
		select {
		case <-t.entry:
		case <-time.After(stallTime / 2):
		case <-closing:
			return false
		}
	}
	return true
}

func (t *team) needsGPUs() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.assess()
	return !t.needed.IsZero()
}

// isCPUAlone reports whether the CPU aligns with nobody, and nobody is likely to join.
func (t *team) isCPUAlone() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cpuAlone()
}

// The functions below are called with the lock held.

func (t *team) cpuAlone() bool {
	return t.cpu != nil && len(t.members) == 1 && (!t.opening || t.rest != nil && t.needed.IsZero())
}

// hasRoom reports whether a member begins another batch now.
func (t *team) hasRoom(m *member) bool { return m.room(m) || t.cpuAlone() }

// assess decides whether GPUs pay and whether the CPU rests: it takes no waiting batch.
func (t *team) assess() {
	t.cpuRests = false
	switch {
	case t.cpu == nil:
	case t.opening:
		if t.needed.IsZero() && t.cpuTime() >= gpuPays {
			t.needed = time.Now()
		}
		if left := openTime - time.Since(t.needed); left > 0 {
			t.cpuRests = true
			t.dealIn(left)
		}
	case len(t.members) > 1:
		t.cpuRests = t.limited != nil && t.limited() || t.cpuIsSlow()
	}
}

// cpuTime returns the time in seconds in which the CPU, which has been alone so far,
// would finish the input, or as much of it as is known. The input to come is taken to be
// like the batches so far, and a half of those under way to be done, if they are few.
func (t *team) cpuTime() float64 {
	if len(t.cpu.jobs) > 0 && time.Since(t.cpu.ended) >= stallTime {
		return math.Inf(1)
	}
	all := 1.0
	if t.rest != nil {
		all += max(0, t.rest())
	}
	if busy := t.cpu.busy(); busy >= sureTime && t.finished.bases > 0 {
		done := t.finished.bases + min(float64(t.cpu.bases), t.finished.bases)/2
		return (t.entered.bases*all - done) / done * busy.Seconds()
	}
	return (t.entered.work*all - t.finished.work) / t.cpu.assumed
}

// cpuIsSlow reports whether the CPU is too slow beside the GPUs, or has not shown yet how
// fast it is.
func (t *team) cpuIsSlow() bool {
	cpu, ok := t.cpu.meter.rate()
	if !ok {
		return len(t.cpu.jobs) > 0
	}
	all := 0.0
	for _, m := range t.members {
		if m == t.cpu {
			continue
		}
		r := t.rate(m)
		if m.meter.busy < sureGPUTime {
			r = max(r, cpu*m.assumed/t.cpu.assumed)
		}
		all += r
	}
	return cpu < besideShare*all
}
