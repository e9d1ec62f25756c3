package gpu

import (
	"context"
	"errors"
	"unsafe"

	"wfagpu/gpu/internal/driver"
)

// Sizes of a lane. Loads must be large enough to fill the device for some time
// and small enough that several are on their way: one in the kernels while
// others are copied, filled and decoded.
const (
	laneWords   = 3 << 19 // of letterUnit letters in a load
	laneLetters = laneWords * letterUnit
	lanePairs   = 1 << 16   // pairs in a load
	laneCigars  = 4 << 20   // elements of all alignments of a round
	maxLaunches = 1<<12 - 1 // in one round

	// letterTail is what kernels may read behind the last sequence.
	letterTail = 256
)

// lane is a stream with its own memory, on the host and on the device. It
// takes one load, a range of a batch's pairs, at a time.
type lane struct {
	e      *Engine
	stream *driver.Stream

	// Pinned memory, the host's side of the copies.
	pinned  []byte
	letters []byte   // where the device packs
	bases   []uint32 // where the host does
	pairs   []pairEntry
	tasks   []taskEntry
	results []resultEntry
	cigars  []uint32
	used    []uint32

	dev       deviceMemory
	rows      driver.Ptr // M rows of one launch; grows with what launches need
	rowBytes  int
	rowBudget int // most that all rows may take
	rowsHeld  int // bytes of rows, with those of oldRows
	oldRows   []driver.Ptr
	// mostScore is, for each kind of task, what its rows have room for.
	mostScore [mostKinds]int

	// The load under way. Storage is kept from one to the next.
	index     []int32 // of the load's pairs in the batch
	left      []int32 // pairs of the batch that are left to another engine
	sequences int     // of the load, in bytes
	starts    starts
	todo      []task
	tally     tally  // of todo's tasks that the round is for
	staged    bool   // tally is that of the load as it was staged, and is of all todo
	room      int    // for alignments of the load as it was staged
	planned   int    // tasks in the round
	order     []task // those, sorted by group
	sorted    []task // storage to sort a group in
	again     []task
	launches  int // of the round
	rates     [lengthClasses]float64
	seen      observations
	stats     Stats
}

// parts cuts memory into aligned pieces.
type parts struct{ size int }

func (p *parts) next(bytes int) (at int) {
	at = p.size
	p.size += (bytes + 255) &^ 255
	return at
}

const (
	pairBytes   = int(unsafe.Sizeof(pairEntry{}))
	taskBytes   = int(unsafe.Sizeof(taskEntry{}))
	resultBytes = int(unsafe.Sizeof(resultEntry{}))
)

// deviceLayout places a lane's memory on the device, its rows apart.
func (e *Engine) deviceLayout() (d deviceMemory, bytes int) {
	var p parts
	if !e.packs {
		d.letters = driver.Ptr(p.next(laneLetters + letterTail))
	}
	d.bases = driver.Ptr(p.next(4*laneWords + letterTail))
	d.pairs = driver.Ptr(p.next(lanePairs * pairBytes))
	d.tasks = driver.Ptr(p.next(lanePairs * taskBytes))
	d.results = driver.Ptr(p.next(lanePairs * resultBytes))
	d.cigars = driver.Ptr(p.next(4 * laneCigars))
	d.counters = driver.Ptr(p.next(4 * (maxLaunches + 1)))
	return d, p.size
}

// deviceMemory is where things are on the device.
type deviceMemory struct {
	all                                                     driver.Ptr
	letters, bases, pairs, tasks, results, cigars, counters driver.Ptr
}

func view[T any](b []byte, n int) []T { return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n) }

// newLane allocates a lane whose rows may grow to rowBudget bytes.
func newLane(e *Engine, rowBudget int) (*lane, error) {
	l := &lane{e: e}
	l.setRowBudget(rowBudget)
	sequences := laneLetters
	if e.packs {
		sequences = 4 * (laneWords + packTail)
	}
	var h parts
	letters, pairs := h.next(sequences), h.next(lanePairs*pairBytes)
	tasks, results := h.next(lanePairs*taskBytes), h.next(lanePairs*resultBytes)
	cigars, used := h.next(4*laneCigars), h.next(4)
	var err error
	if l.pinned, err = e.dev.AllocPinned(h.size); err != nil {
		return nil, err
	}
	if e.packs {
		l.bases = view[uint32](l.pinned[letters:], laneWords+packTail)
	} else {
		l.letters = l.pinned[letters : letters+laneLetters]
	}
	l.pairs = view[pairEntry](l.pinned[pairs:], lanePairs)
	l.tasks = view[taskEntry](l.pinned[tasks:], lanePairs)
	l.results = view[resultEntry](l.pinned[results:], lanePairs)
	l.cigars = view[uint32](l.pinned[cigars:], laneCigars)
	l.used = view[uint32](l.pinned[used:], 1)

	d, bytes := e.deviceLayout()
	all, err := e.dev.Alloc(bytes)
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	for _, p := range []*driver.Ptr{&d.all, &d.letters, &d.bases, &d.pairs, &d.tasks, &d.results, &d.cigars, &d.counters} {
		*p += all
	}
	l.dev = d
	if l.stream, err = e.dev.NewStream(); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// setRowBudget bounds the rows, and with them the scores for which a variant is
// of use: the rows of one block must fit.
func (l *lane) setRowBudget(bytes int) {
	l.rowBudget = bytes
	for i := range variants {
		v := &variants[i]
		l.mostScore[i] = maxOffset
		if !l.e.scoreOnly {
			l.mostScore[i] = v.mostScore(l.e.penalties, bytes/4)
		}
	}
	for kind := len(variants); kind < l.e.kinds; kind++ {
		l.mostScore[kind] = l.e.mostInWindow(kind, bytes/4)
	}
}

// close frees everything. The stream must be idle.
func (l *lane) close() error {
	var errs []error
	if l.stream != nil {
		errs = append(errs, l.stream.Close())
	}
	errs = append(errs, l.freeRows(), l.e.dev.Free(l.dev.all), l.e.dev.FreePinned(l.pinned))
	l.stream, l.dev.all, l.pinned = nil, 0, nil
	return errors.Join(errs...)
}

// needRows makes the rows at least as large as the smaller of bytes and what
// can be had, and returns that size.
//
// Freeing memory waits for everything on the device, other lanes' kernels too.
// So while the budget allows, smaller rows are kept beside larger new ones
// rather than freed.
func (l *lane) needRows(bytes int) (int, error) {
	if bytes <= l.rowBytes || l.rowBytes >= l.rowBudget {
		return l.rowBytes, nil
	}
	// Twice as much as before, so that growing ends soon.
	want := min(max(bytes, 2*l.rowBytes), l.rowBudget)
	if l.rows != 0 && l.rowsHeld+want <= l.rowBudget {
		p, err := l.e.dev.Alloc(want)
		if err == nil {
			l.oldRows = append(l.oldRows, l.rows)
			l.rows, l.rowBytes = p, want
			l.rowsHeld += want
			return want, nil
		}
		if !driver.IsOutOfMemory(err) {
			return 0, err
		}
	}
	if err := l.stream.Wait(context.Background()); err != nil {
		return 0, err
	}
	old := l.rowBytes
	if err := l.freeRows(); err != nil {
		return 0, err
	}
	for want > 0 {
		p, err := l.e.dev.Alloc(want)
		if err == nil {
			l.rows, l.rowBytes, l.rowsHeld = p, want, want
			return want, nil
		}
		if !driver.IsOutOfMemory(err) {
			return 0, err
		}
		// Somebody else has taken what was free. What was held a moment ago
		// is worth a try before less is.
		if want > old {
			want = max(want/2, old)
		} else {
			want /= 2
		}
		l.setRowBudget(want)
	}
	return 0, nil
}

// freeRows frees all rows. The stream must be idle.
func (l *lane) freeRows() error {
	var errs []error
	for _, p := range append(l.oldRows, l.rows) {
		errs = append(errs, l.e.dev.Free(p))
	}
	l.oldRows, l.rows, l.rowBytes, l.rowsHeld = l.oldRows[:0], 0, 0, 0
	return errors.Join(errs...)
}
