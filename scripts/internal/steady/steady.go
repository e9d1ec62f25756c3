// Package steady measures the rate of an engine that always has the same number
// of batches in its hands.
//
// A number of callers take the batches of a set in turn, from the first again after
// the last, so that slow batches are met as often as fast ones. Windows follow a
// first pass over the set, and the end of as many batches as are in flight: those that begin
// together at the start wait for each other, and those that end early would count more than
// they are worth. A window lasts until the batches in flight at its begin have ended, too,
// unless that takes too long: less tells what an engine does with a part of its work. A batch
// that is in flight at an edge of a window counts by the share of its time inside; new batches
// go on arriving until the last batch of the last window is finished. So neither the start nor
// the tail of a run is counted, and a few slow pairs cost what they cost in the middle of a
// long run.
package steady

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"wfagpu/align"
)

// Engine aligns batches; calls are concurrent.
type Engine interface {
	AlignBatch(ctx context.Context, b *align.Batch) error
}

// Load is the work and how it is measured.
type Load struct {
	Parts    [][]align.Pair // the set, a part a batch
	InFlight int            // batches in the engine's hands
	Windows  int
	Seconds  float64 // the least length of a window, which takes one pass at least, and as long as batches stay
	Most     float64 // the largest length of a window, even if these take longer; 0 is no limit
	Scale    int     // divides scores: the common divisor of the penalties
}

// Rate is the rate within one window.
type Rate struct {
	Pairs   float64 // a second
	Squares float64 // the sum of the squares of reduced scores, a second
	Seconds float64 // of the window
	Passes  float64 // over the set, in the window
}

// Set describes the pairs of a load.
type Set struct {
	Pairs     int
	MeanScore float64
	Squares   float64 // the sum of the squares of the scores
}

// Measure returns the rate of every window, and what the set is. It returns the
// first error of the engine or of a pair.
func Measure(ctx context.Context, e Engine, l Load) ([]Rate, Set, error) {
	if len(l.Parts) == 0 {
		return nil, Set{}, errors.New("no pairs")
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m := &meter{engine: e, load: l, start: time.Now(), parts: make([]part, len(l.Parts)), stop: stop}
	var callers sync.WaitGroup
	for range max(1, l.InFlight) {
		callers.Go(func() { m.call(ctx) })
	}
	edges := m.watch(ctx)
	stop(errDone)
	callers.Wait()
	if err := context.Cause(ctx); err != errDone {
		return nil, Set{}, err
	}
	var rates []Rate
	for i := 1; i < len(edges); i++ {
		rates = append(rates, m.rate(edges[i-1], edges[i]))
	}
	return rates, m.set(), nil
}

var errDone = errors.New("the measurement is complete")

// part is what is known of a part of the set after its first alignment.
type part struct {
	known           bool
	pairs           int
	scores, squares float64
}

// flight is one batch in the engine's hands, in time since the start.
type flight struct {
	part       int
	begin, end time.Duration // end is 0 before it
}

type meter struct {
	engine Engine
	load   Load
	start  time.Time
	stop   context.CancelCauseFunc

	mu      sync.Mutex
	flights []flight
	parts   []part
	known   int
	ended   int // flights
}

// call aligns one batch after the other.
func (m *meter) call(ctx context.Context) {
	b := &align.Batch{First: 1}
	for ctx.Err() == nil {
		m.mu.Lock()
		i := len(m.flights)
		at := i % len(m.load.Parts)
		m.flights = append(m.flights, flight{part: at, begin: time.Since(m.start)})
		m.mu.Unlock()
		b.Pairs = m.load.Parts[at]
		if err := m.engine.AlignBatch(ctx, b); err != nil {
			m.stop(err)
			return
		}
		m.mu.Lock()
		m.flights[i].end = time.Since(m.start)
		m.ended++
		known := m.parts[at].known
		m.mu.Unlock()
		if !known {
			m.learn(at, b)
		}
	}
}

// learn keeps the sums of a part.
func (m *meter) learn(at int, b *align.Batch) {
	p := part{known: true, pairs: len(b.Pairs)}
	for i, r := range b.Results {
		if r.Err != nil {
			m.stop(fmt.Errorf("pair %d of batch %d: %w", i+1, at+1, r.Err))
			return
		}
		s := float64(r.Score / max(1, m.load.Scale))
		p.scores += s
		p.squares += s * s
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.parts[at].known {
		m.parts[at] = p
		m.known++
	}
}

// watch waits for the first pass, the windows, and the end of all flights that began
// in them, and returns the edges of the windows.
func (m *meter) watch(ctx context.Context) []time.Duration {
	m.until(ctx, func(time.Duration) bool { return m.known == len(m.parts) && m.ended >= m.load.InFlight })
	edges := []time.Duration{time.Since(m.start)}
	for range max(1, m.load.Windows) {
		m.mu.Lock()
		before := len(m.flights)
		m.mu.Unlock()
		from := edges[len(edges)-1]
		stayed := 0 // flights before this one began before the window, and are finished
		m.until(ctx, func(now time.Duration) bool {
			for stayed < before && m.flights[stayed].end > 0 {
				stayed++
			}
			took := (now - from).Seconds()
			whole := stayed == before && len(m.flights)-before >= len(m.parts)
			return took >= m.load.Seconds && (whole || m.load.Most > 0 && took >= m.load.Most)
		})
		edges = append(edges, time.Since(m.start))
	}
	last := edges[len(edges)-1]
	open := 0 // flights before this one are finished or began later
	m.until(ctx, func(time.Duration) bool {
		for open < len(m.flights) && (m.flights[open].end > 0 || m.flights[open].begin >= last) {
			open++
		}
		return open == len(m.flights) || m.flights[open].begin >= last
	})
	return edges
}

// until polls a condition under the lock.
func (m *meter) until(ctx context.Context, done func(now time.Duration) bool) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		m.mu.Lock()
		ok := done(time.Since(m.start))
		m.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// rate adds up the shares of flights between two times.
func (m *meter) rate(from, to time.Duration) Rate {
	r := Rate{Seconds: (to - from).Seconds()}
	for _, f := range m.flights {
		if f.end <= from || f.begin >= to {
			continue // those that were cancelled have no end
		}
		inside := min(f.end, to) - max(f.begin, from)
		share := float64(inside) / float64(max(f.end-f.begin, 1))
		p := m.parts[f.part]
		r.Pairs += share * float64(p.pairs)
		r.Squares += share * p.squares
		r.Passes += share / float64(len(m.parts))
	}
	r.Pairs /= r.Seconds
	r.Squares /= r.Seconds
	return r
}

func (m *meter) set() Set {
	var s Set
	scores := 0.0
	for _, p := range m.parts {
		s.Pairs += p.pairs
		s.Squares += p.squares
		scores += p.scores
	}
	s.MeanScore = scores / float64(max(1, s.Pairs))
	return s
}
