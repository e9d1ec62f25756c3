package gpu

import (
	"maps"
	"sync"
	"time"

	"wfagpu/align"
)

// Stats are counts of pairs and times of an engine.
type Stats struct {
	// Kernels counts the pairs aligned by kernels, by family: warp, block, edit, gotoh,
	// tiles, gated, general, span, and approx for the families of the approximate mode. gated are
	// pairs of a gated pass, whichever kernels aligned the parts that it left open, and pieces are
	// pairs that the approximate mode has cut, whichever kernels aligned the pieces.
	Kernels map[string]int64
	// Trivial counts pairs with an empty sequence, and those whose lengths alone take
	// the score above the cutoff; the host aligns them.
	Trivial int64
	// Beyond counts, of all pairs, those whose score is Options.Cutoff or more.
	Beyond int64
	// SecondPass counts the aligned pairs, not in pieces, that exceeded a score bound, or had more slack than a
	// band certified, and took another pass.
	SecondPass int64
	// Widened counts restarts of pairs in a wider adaptive band, or in exact mode,
	// after the band drifted or stalled.
	Widened int64
	// Fallback counts the pairs for another engine.
	Fallback FallbackCounts

	// Passes counts the passes of pairs, of pieces and of open parts by family, those of Kernels and bounding:
	// passes in an adaptive band that find the score bound of an exact pass.
	Passes map[string]Passes
	// Launches counts launches of kernels, each on pairs of one kernel and of
	// similar score bounds.
	Launches int64
	// Busy is the time in which the device had at least one launch. InputTime is
	// the time, since the first batch, in which it had none and no pair waited for
	// one: reading, staging and writing were to be waited for. MemoryTime is the
	// time in which pairs waited for device memory; the device may have been busy.
	Busy, InputTime, MemoryTime time.Duration
	// Slowest is the launch that took longest.
	Slowest Slowest
}

// Passes counts passes of pairs by their number: a pair's first one, its second one, and
// later ones.
type Passes struct{ First, Second, Later int64 }

// Slowest describes the launch that took longest by its pair with the highest score, or
// with the highest score bound if none was aligned.
type Slowest struct {
	Time          time.Duration // from the launch to the end of its kernels
	Family        string        // as in Stats.Passes
	Pairs         int           // of the launch
	Score         int           // of the pair, or its bound
	Pattern, Text int           // longest sequences of the launch, in letters
}

// Finished returns the number of pairs that the engine has aligned.
func (s Stats) Finished() int64 {
	n := s.Trivial
	for _, pairs := range s.Kernels {
		n += pairs
	}
	return n
}

// passBeyond makes a result that of a pair beyond the limit, and counts it.
func (s *Stats) passBeyond(r *align.Result) {
	*r = align.Result{Score: align.Beyond, CIGAR: r.CIGAR[:0]}
	s.Beyond++
}

func (s *Stats) add(t *Stats) {
	for family, pairs := range t.Kernels {
		s.addAligned(family, pairs)
	}
	for family, p := range t.Passes {
		s.addPasses(family, [3]int64{p.First, p.Second, p.Later})
	}
	s.Trivial += t.Trivial
	s.Beyond += t.Beyond
	s.SecondPass += t.SecondPass
	s.Widened += t.Widened
	s.Fallback.Add(t.Fallback)
	if t.Slowest.Time > s.Slowest.Time {
		s.Slowest = t.Slowest
	}
}

// join adds the statistics of an engine that works for this one on the same device.
func (s *Stats) join(t Stats) {
	s.add(&t)
	s.Launches += t.Launches
	// The device may run launches of both.
	s.Busy, s.InputTime = max(s.Busy, t.Busy), min(s.InputTime, t.InputTime)
	s.MemoryTime = max(s.MemoryTime, t.MemoryTime)
}

// addAligned counts pairs that a kernel of a family has aligned.
func (s *Stats) addAligned(family string, pairs int64) {
	if pairs == 0 {
		return
	}
	if s.Kernels == nil {
		s.Kernels = map[string]int64{}
	}
	s.Kernels[family] += pairs
}

// addPasses counts passes of a family by their number.
func (s *Stats) addPasses(family string, passes [3]int64) {
	if s.Passes == nil {
		s.Passes = map[string]Passes{}
	}
	p := s.Passes[family]
	p.First += passes[0]
	p.Second += passes[1]
	p.Later += passes[2]
	s.Passes[family] = p
}

// clone returns a copy that shares nothing with s.
func (s *Stats) clone() Stats {
	t := *s
	t.Kernels, t.Passes = maps.Clone(s.Kernels), maps.Clone(s.Passes)
	return t
}

// totals are the statistics of all calls, but for what an account has. Their lock is held for no longer than it takes
// to add to them, so that those who stage and decode do not wait while launches are formed.
type totals struct {
	mu  sync.Mutex
	sum Stats
}

func (t *totals) add(s *Stats) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sum.add(s)
}

func (t *totals) clone() Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sum.clone()
}

// account measures where time goes.
type account struct {
	last     time.Time // zero before the first call
	launches int64     // so far
	running  int       // launches on the device
	loads    int       // loads that wait for memory
	short    bool      // a launch waits for memory

	busy, input, memory time.Duration
}

// advance adds the time since the last change to what it was spent on. queued reports
// that pairs have waited for a launch.
func (a *account) advance(now time.Time, queued bool) {
	if a.last.IsZero() {
		return
	}
	since := now.Sub(a.last)
	a.last = now
	switch {
	case a.running > 0:
		a.busy += since
	case !queued:
		a.input += since
	}
	if a.short || a.loads > 0 {
		a.memory += since
	}
}
