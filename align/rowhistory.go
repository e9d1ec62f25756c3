package align

import (
	"sort"
	"sync/atomic"
)

// rowHistory decides which M rows of a computation are stored for the traceback: all of them as long
// as they fit, else those of two segments of scores. A segment is computed again from a checkpoint
// when one of its rows is read. Two, since most steps lead only a few scores back.
type rowHistory struct {
	rows    historyRows
	memory  int // the bound, in bytes
	on      bool
	whole   bool // all rows so far are stored, in segment 0
	covered [2]struct{ first, end int }
	recent  int // the segment read last
	score   int // of the last row of all
	stop    *atomic.Bool

	checks    []checkpoint // those beyond used are storage for later ones
	used      int
	every     int // scores from one to the next
	checkRows int // rows of one
}

// historyRows computes the rows of a history, and again, and has the storage of its segments.
type historyRows interface {
	// begin computes row 0, and advance further ones, up to score to.
	begin()
	advance(to int)
	// save stores what later rows are computed from, and restore goes back there.
	save(c *checkpoint)
	restore(c *checkpoint)
	// empty empties a segment, whose first row will be that of score first. storeIn makes rows go
	// to a segment, or nowhere if it is noSegment.
	empty(segment, first int)
	storeIn(segment int)
}

const noSegment = -1

// checkpoint is what the rows after that of score s are computed from.
type checkpoint struct {
	s       int
	place   wavePlace
	rows    []diagonals // of each row that is no whole band
	offsets []int32
}

// Of 16 parts of the memory, all rows together may take 11. If they do not fit, those 11
// are room for one of the two segments, of one part each, and checkpoints may take three.
// Where that is too little for the score, both grow as its square root. A part is left for the
// copies of rows between blocks.
const historyParts, rowsParts, checksParts = 16, 11, 3

// prepare prepares for a pair. on is whether to store anything. every is how many scores apart
// checkpoints of so many rows are at first. stop, when not nil, ends the computing of rows.
func (k *rowHistory) prepare(rows historyRows, on bool, every, checkRows int, stop *atomic.Bool) {
	k.rows, k.on, k.whole, k.stop = rows, on, on, stop
	k.recent, k.used = 0, 0
	k.every, k.checkRows = every, checkRows
	for i := range k.covered {
		k.covered[i].end = 0
		rows.empty(i, 0)
	}
	if on {
		rows.storeIn(0)
	} else {
		rows.storeIn(noSegment)
	}
}

// note keeps the storage to its bound where the rows of the first pass have taken so many offsets,
// and saves a checkpoint if it is time for one after the row of score s.
func (k *rowHistory) note(s, offsets int) {
	if k.whole && offsets > k.memory/4/historyParts*rowsParts {
		k.whole = false
		k.rows.storeIn(noSegment)
		k.rows.empty(0, 0)
	}
	if s == k.nextCheck() {
		k.save()
	}
}

// nextCheck is the score of the next checkpoint.
func (k *rowHistory) nextCheck() int { return (k.used + 1) * k.every }

// save saves a checkpoint. If that is too much, every other checkpoint is dropped, unless
// checkpoints are smaller than the segments between them, which would grow.
func (k *rowHistory) save() {
	if k.used == len(k.checks) {
		k.checks = append(k.checks, checkpoint{})
	}
	c := &k.checks[k.used]
	k.used++
	c.rows, c.offsets = c.rows[:0], c.offsets[:0]
	k.rows.save(c)
	if size := len(c.offsets); k.used*size > max(k.memory/4/historyParts*checksParts, 2*k.every*size/k.checkRows) {
		k.used /= 2
		for i := range k.used {
			k.checks[i], k.checks[2*i+1] = k.checks[2*i+1], k.checks[i]
		}
		k.every *= 2
	}
}

// bytes returns what checkpoints and the two segments of rows between them take.
func (k *rowHistory) bytes() int {
	if k.used == 0 {
		return 0
	}
	size := len(k.checks[k.used-1].offsets)
	return 4 * (k.used*size + 2*k.every*size/k.checkRows)
}

// release gives back checkpoints that have more than so many offsets.
func (k *rowHistory) release(most int) {
	held := 0
	for i := range k.checks {
		held += cap(k.checks[i].offsets)
	}
	if k.used = 0; held > most {
		k.checks = nil
	}
}

// segment returns the segment with the row of score s, which is not negative, or noSegment when
// stopped.
func (k *rowHistory) segment(s int) int {
	if k.whole {
		return 0
	}
	for i := range k.covered {
		if c := &k.covered[i]; s >= c.first && s < c.end {
			k.recent = i
			return i
		}
	}
	if k.stopped() {
		return noSegment
	}
	k.recent = 1 - k.recent
	k.recompute(k.recent, s)
	return k.recent
}

func (k *rowHistory) stopped() bool { return stopped(k.stop) }

// recompute computes the rows from the last checkpoint before score s to the next one.
func (k *rowHistory) recompute(segment, s int) {
	i := sort.Search(k.used, func(i int) bool { return k.checks[i].s >= s })
	first, end := 0, k.score
	if i < k.used {
		end = k.checks[i].s
	}
	if i > 0 {
		first = k.checks[i-1].s + 1
	}
	k.rows.empty(segment, first)
	k.rows.storeIn(segment)
	if i == 0 {
		k.rows.begin()
	} else {
		k.rows.restore(&k.checks[i-1])
	}
	k.rows.advance(end)
	k.rows.storeIn(noSegment)
	k.covered[segment].first, k.covered[segment].end = first, end+1
}
