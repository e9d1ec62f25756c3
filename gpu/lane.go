package gpu

import (
	"context"
	"errors"
	"unsafe"
)

// Sizes of a lane. Loads must be large enough to fill the device for some time
// and small enough that several are on their way: one in the kernels while
// others are copied, filled and decoded.
const (
	laneLetters = 24 << 20  // bytes of sequences in a load, padding included
	lanePairs   = 1 << 16   // pairs in a load
	laneCigars  = 2 << 20   // elements of all alignments of a round
	maxLaunches = 1<<12 - 1 // in one round

	// letterTail is what kernels may read behind the last sequence.
	letterTail = 256
)

// lane is a stream with its own memory, on the host and on the device. It
// takes one load, a range of a batch's pairs, at a time.
type lane struct {
	e      *Engine
	stream *stream

	// Pinned memory, the host's side of the copies.
	pinned  []byte
	letters []byte
	pairs   []pairEntry
	tasks   []taskEntry
	results []resultEntry
	cigars  []uint32
	used    []uint32

	dev struct {
		all                                                     devicePtr
		letters, bases, pairs, tasks, results, cigars, counters devicePtr
	}
	rows      devicePtr // M rows of one launch; grows with what launches need
	rowBytes  int
	rowBudget int // most it may grow to

	// The load under way. Storage is kept from one to the next.
	index        []int32 // of the load's pairs in the batch
	todo         []task
	order        []task // todo's, sorted by group
	launchGroups []launchGroup
	again        []task
	launches     int // of the round
	rates        [lengthClasses]float64
	seen         observations
	stats        Stats
}

// parts cuts memory into aligned pieces.
type parts struct{ size int }

func (p *parts) next(bytes int) (at int) {
	at = p.size
	p.size += (bytes + 255) &^ 255
	return at
}

// laneBytes is the device memory of a lane without its rows.
func laneBytes() int {
	var p parts
	for _, n := range []int{
		laneLetters + letterTail, laneLetters/4 + letterTail,
		lanePairs * int(unsafe.Sizeof(pairEntry{})), lanePairs * int(unsafe.Sizeof(taskEntry{})),
		lanePairs * int(unsafe.Sizeof(resultEntry{})), laneCigars * 4, (maxLaunches + 1) * 4,
	} {
		p.next(n)
	}
	return p.size
}

func view[T any](b []byte, n int) []T { return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n) }

// newLane allocates a lane whose rows may grow to rowBudget bytes.
func newLane(e *Engine, rowBudget int) (*lane, error) {
	l := &lane{e: e, rowBudget: rowBudget}
	var h parts
	letters, pairs := h.next(laneLetters), h.next(lanePairs*int(unsafe.Sizeof(pairEntry{})))
	tasks, results := h.next(lanePairs*int(unsafe.Sizeof(taskEntry{}))), h.next(lanePairs*int(unsafe.Sizeof(resultEntry{})))
	cigars, used := h.next(laneCigars*4), h.next(4)
	var err error
	if l.pinned, err = e.dev.allocPinned(h.size); err != nil {
		return nil, err
	}
	l.letters = l.pinned[letters : letters+laneLetters]
	l.pairs = view[pairEntry](l.pinned[pairs:], lanePairs)
	l.tasks = view[taskEntry](l.pinned[tasks:], lanePairs)
	l.results = view[resultEntry](l.pinned[results:], lanePairs)
	l.cigars = view[uint32](l.pinned[cigars:], laneCigars)
	l.used = view[uint32](l.pinned[used:], 1)

	d := &l.dev
	if d.all, err = e.dev.alloc(laneBytes()); err != nil {
		return nil, errors.Join(err, l.close())
	}
	var p parts
	at := func(bytes int) devicePtr { return d.all + devicePtr(p.next(bytes)) }
	d.letters, d.bases = at(laneLetters+letterTail), at(laneLetters/4+letterTail)
	d.pairs, d.tasks = at(lanePairs*int(unsafe.Sizeof(pairEntry{}))), at(lanePairs*int(unsafe.Sizeof(taskEntry{})))
	d.results = at(lanePairs * int(unsafe.Sizeof(resultEntry{})))
	d.cigars, d.counters = at(laneCigars*4), at((maxLaunches+1)*4)

	if l.stream, err = e.dev.newStream(); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// close frees everything. The stream must be idle.
func (l *lane) close() error {
	var errs []error
	if l.stream != nil {
		errs = append(errs, l.stream.close())
	}
	errs = append(errs, l.e.dev.free(l.rows), l.e.dev.free(l.dev.all), l.e.dev.freePinned(l.pinned))
	l.stream, l.rows, l.dev.all, l.pinned = nil, 0, 0, nil
	return errors.Join(errs...)
}

// needRows makes the rows at least as large as the smaller of bytes and what
// can be had, and returns that size. Growing waits for the device.
func (l *lane) needRows(bytes int) (int, error) {
	if bytes <= l.rowBytes || l.rowBytes >= l.rowBudget {
		return l.rowBytes, nil
	}
	// Twice as much as before, so that growing ends soon.
	want := min(max(bytes, 2*l.rowBytes), l.rowBudget)
	if err := l.stream.wait(context.Background()); err != nil {
		return 0, err
	}
	old := l.rowBytes
	if err := l.e.dev.free(l.rows); err != nil {
		return 0, err
	}
	l.rows, l.rowBytes = 0, 0
	for want > 0 {
		p, err := l.e.dev.alloc(want)
		if err == nil {
			l.rows, l.rowBytes = p, want
			return want, nil
		}
		if !isOutOfMemory(err) {
			return 0, err
		}
		// Somebody else has taken what was free. What was held a moment ago
		// is worth a try before less is.
		if want > old {
			want = max(want/2, old)
		} else {
			want /= 2
		}
		l.rowBudget = want
	}
	return 0, nil
}
