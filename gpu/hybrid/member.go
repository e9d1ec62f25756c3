package hybrid

import (
	"context"
	"slices"
	"time"

	"wfagpu/align"
)

// member is an engine of a team: a GPU with its fallback, or the CPU. The team's
// lock guards its fields.
type member struct {
	engine teamEngine
	// assumed is its rate, in letters per second, before any is measured. When that
	// of another member is, the ratio of the assumed rates counts.
	assumed float64
	// room reports whether the member begins another batch now.
	room func(m *member) bool
	// full is the number of bases with which it is as fast as it can be.
	full int

	meter meter
	warm  bool      // it has finished a batch
	ended time.Time // of the last batch that it finished, or began without any other
	moved time.Time // when it was last seen to have finished more pairs than before
	moves int64     // the pairs that it had finished then
	jobs  []*job    // under way, oldest first
	races int       // of these, copies of batches that another member took first
	work  float64
	bases int
	pairs int

	active time.Duration // with any job
	begun  time.Time     // of the time now

	reserved float64 // work of waiting batches that are best left to it
	done     memberCounts
}

// teamEngine aligns a batch as an Aligner does, and counts the pairs that another
// engine has aligned in its place.
type teamEngine interface {
	align(ctx context.Context, b *align.Batch) (FallbackCounts, error)
	// finished returns the number of pairs finished so far, also of batches under way.
	// It is 0 where nobody counts them.
	finished() int64
}

// memberCounts counts the pairs of a member.
type memberCounts struct {
	// pairs are those of batches that it took and finished, its fallbacks
	// included; early of them it took before the GPUs had joined.
	pairs, early int64
	fallback     FallbackCounts
	// repeated are pairs of batches that another member finished first.
	repeated int64
}

const (
	// Assumed rates, in letters per second, of a thread of the CPU and of a GPU.
	// What they are is measured soon.
	rateThread = 1.25e8
	rateGPU    = 1.6e10
	// fullGPU is the number of bases that show what a GPU can do. A CPU shows it
	// with any batch.
	fullGPU = 8 * DefaultBatchBases
)

// isFull reports whether the member has as much as it needs to be fast.
func (m *member) isFull() bool { return len(m.jobs) > 0 && m.bases >= m.full }

// take adds a job.
func (m *member) take(j *job) {
	if len(m.jobs) == 0 {
		m.begun = time.Now()
		m.ended = m.begun
	}
	j.takers = append(j.takers, m)
	m.jobs = append(m.jobs, j)
	m.work += j.work
	m.bases += j.bases
	m.pairs += len(j.batch.Pairs)
}

// drop removes a job.
func (m *member) drop(j *job) {
	if i := slices.Index(m.jobs, j); i >= 0 {
		m.jobs = slices.Delete(m.jobs, i, i+1)
	}
	if len(m.jobs) == 0 {
		m.work = 0 // without the rounding errors
		m.active += time.Since(m.begun)
	} else {
		m.work -= j.work
	}
	m.bases -= j.bases
	m.pairs -= len(j.batch.Pairs)
}

// still returns the time in which the member has finished no pair, as far as is known: pairs
// of batches under way count when still is called.
func (m *member) still() time.Duration {
	if n := m.engine.finished(); n != m.moves {
		m.moves, m.moved = n, time.Now()
	}
	if m.moved.After(m.ended) {
		return time.Since(m.moved)
	}
	return time.Since(m.ended)
}

// busy returns the time in which the member has had any job.
func (m *member) busy() time.Duration {
	if len(m.jobs) == 0 {
		return m.active
	}
	return m.active + time.Since(m.begun)
}

// newest returns the job that was taken last and that nobody else works on, nil if
// there is none.
func (m *member) newest() *job {
	for _, j := range slices.Backward(m.jobs) {
		if len(j.takers) == 1 && !j.over {
			return j
		}
	}
	return nil
}

// measure records what the member has now, and work that it has done. The first batch
// of a GPU shows how long it takes to begin, which is not its rate.
func (m *member) measure(work float64) {
	if m.full > 0 && work > 0 && !m.warm {
		m.warm, m.meter, work = true, meter{}, 0
	}
	m.meter.mark(time.Now(), m.isFull(), work)
}

// cpuEngine is the CPU as a member.
type cpuEngine struct{ Aligner }

func (e cpuEngine) align(ctx context.Context, b *align.Batch) (FallbackCounts, error) {
	return FallbackCounts{}, e.AlignBatch(ctx, b)
}

func (cpuEngine) finished() int64 { return 0 }

// roomOnCPU returns the room of a CPU with this many threads beside GPUs: batches
// that keep the threads busy, and no more, since the CPU finishes what it has
// begun.
func roomOnCPU(threads int) func(*member) bool {
	bases, pairs := (2+threads/8)*DefaultBatchBases, 2*threads
	return func(m *member) bool { return m.bases < bases || m.pairs < pairs }
}

// alwaysRoom is the room of a GPU, which queues what it is given.
func alwaysRoom(*member) bool { return true }
