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

func (d *dealer) cpuAlone() bool {
	return d.cpu != nil && len(d.members) == 1 && (!d.opening || d.rest != nil && d.needed.IsZero())
}

// hasRoom reports whether a member begins another batch now.
func (d *dealer) hasRoom(m *member) bool { return m.room(m) || d.cpuAlone() }

// assess decides whether GPUs pay and whether the CPU rests: it takes no waiting batch.
func (d *dealer) assess() {
	d.cpuRests = false
	switch {
	case d.cpu == nil:
	case d.opening:
		if d.needed.IsZero() && d.cpuTime() >= gpuPays {
			d.needed = time.Now()
		}
		if left := openTime - time.Since(d.needed); left > 0 {
			d.cpuRests = true
			d.dealIn(left)
		}
	case len(d.members) > 1:
		d.cpuRests = d.limited != nil && d.limited() || d.cpuIsSlow()
	}
}

// cpuTime returns the time in seconds in which the CPU, which has been alone so far,
// would finish the input, or as much of it as is known. The input to come is taken to be
// like the batches so far, and a half of those under way to be done, if they are few.
func (d *dealer) cpuTime() float64 {
	if len(d.cpu.jobs) > 0 && time.Since(d.cpu.ended) >= stallTime {
		return math.Inf(1)
	}
	all := 1.0
	if d.rest != nil {
		all += max(0, d.rest())
	}
	if busy := d.cpu.busy(); busy >= sureTime && d.finished.bases > 0 {
		done := d.finished.bases + min(float64(d.cpu.bases), d.finished.bases)/2
		return (d.entered.bases*all - done) / done * busy.Seconds()
	}
	return (d.entered.work*all - d.finished.work) / d.cpu.assumed
}

// cpuIsSlow reports whether the CPU is too slow beside the GPUs, or has not shown yet how
// fast it is.
func (d *dealer) cpuIsSlow() bool {
	cpu, ok := d.cpu.meter.rate()
	if !ok {
		return len(d.cpu.jobs) > 0
	}
	all := 0.0
	for _, m := range d.members {
		if m == d.cpu {
			continue
		}
		r := d.rate(m)
		if m.meter.busy < sureGPUTime {
			r = max(r, cpu*m.assumed/d.cpu.assumed)
		}
		all += r
	}
	return cpu < besideShare*all
}
