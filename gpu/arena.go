package gpu

import (
	"errors"
	"slices"
	"sort"

	"wfagpu/gpu/internal/driver"
)

// arena allocates from device memory that it takes in slabs, as work asks for it and up
// to a budget. Giving memory back to the driver waits for all work on the device, so
// slabs stay. It is not safe for concurrent use.
type arena struct {
	dev *driver.Device
	// most is the budget, limit what is left of it after another process has taken
	// memory.
	most, limit int
	// refusal is why the driver has refused a slab since the last retry, or nil.
	refusal error
	first   int // size of the first slab, unless more is asked for
	total   int // of all slabs
	taken   int // spans that are not given back
	slabs   []*slab
}

// slab is one allocation of the driver.
type slab struct {
	span
	free []span // by address; no two touch
}

// span is a piece of device memory.
type span struct {
	at    driver.Ptr
	bytes int
}

func (s span) end() driver.Ptr { return s.at + driver.Ptr(s.bytes) }

// grain is the unit of sizes and addresses, in bytes.
const grain = 256

func rounded(bytes int) int { return (bytes + grain - 1) &^ (grain - 1) }

func newArena(dev *driver.Device, budget, first int) arena {
	budget &^= grain - 1
	return arena{dev: dev, most: budget, limit: budget, first: first}
}

// retry forgets that the driver has refused memory. It reports whether it had.
func (a *arena) retry() bool {
	changed := a.refusal != nil || a.limit != a.most
	a.refusal, a.limit = nil, a.most
	return changed
}

// room returns the size of the largest span that take may find.
func (a *arena) room() int {
	most := 0
	if a.refusal == nil {
		most = a.limit - a.total
	}
	for _, s := range a.slabs {
		for _, f := range s.free {
			most = max(most, f.bytes)
		}
	}
	return most &^ (grain - 1)
}

// take returns a span of at least bytes, the one that fits best, or from a new slab. It
// reports false if there is none now.
func (a *arena) take(bytes int) (span, bool, error) {
	bytes = rounded(bytes)
	var best *slab
	at := 0
	for _, s := range a.slabs {
		for i, f := range s.free {
			if f.bytes >= bytes && (best == nil || f.bytes < best.free[at].bytes) {
				best, at = s, i
			}
		}
	}
	if best == nil {
		var err error
		if best, err = a.grow(bytes); best == nil || err != nil {
			return span{}, false, err
		}
		at = 0
	}
	f := &best.free[at]
	got := span{f.at, bytes}
	f.at += driver.Ptr(bytes)
	if f.bytes -= bytes; f.bytes == 0 {
		best.free = slices.Delete(best.free, at, at+1)
	}
	a.taken++
	return got, true, nil
}

// give returns a span of take.
func (a *arena) give(s span) {
	a.taken--
	i := slices.IndexFunc(a.slabs, func(b *slab) bool { return s.at >= b.at && s.end() <= b.end() })
	b := a.slabs[i]
	at := sort.Search(len(b.free), func(i int) bool { return b.free[i].at > s.at })
	b.free = slices.Insert(b.free, at, s)
	if at+1 < len(b.free) && s.end() == b.free[at+1].at {
		b.free[at].bytes += b.free[at+1].bytes
		b.free = slices.Delete(b.free, at+1, at+2)
	}
	if at > 0 && b.free[at-1].end() == s.at {
		b.free[at-1].bytes += b.free[at].bytes
		b.free = slices.Delete(b.free, at, at+1)
	}
}

// grow takes a slab of at least bytes from the driver. Slabs double the total, so that
// few calls follow. It returns nil if there is no room.
func (a *arena) grow(bytes int) (*slab, error) {
	room := a.limit - a.total
	if a.refusal != nil || bytes > room {
		return nil, nil
	}
	want := min(max(bytes, a.total, a.first), room)
	for {
		s, err := a.slab(want)
		if err == nil || !driver.IsOutOfMemory(err) {
			return s, err
		}
		if want == bytes {
			a.refusal = err
			return nil, nil
		}
		want = max(want/2, bytes)
	}
}

func (a *arena) slab(bytes int) (*slab, error) {
	p, err := a.dev.Alloc(bytes)
	if err != nil {
		return nil, err
	}
	all := span{p, bytes}
	s := &slab{span: all, free: []span{all}}
	a.slabs = append(a.slabs, s)
	a.total += bytes
	return s, nil
}

// renew gives all slabs back and takes one of the size that bytes ask for, or of as much
// of it as the device has; the limit is then that. No span may be in use.
func (a *arena) renew(bytes int) error {
	bytes = min(rounded(bytes), a.limit)
	before := 0
	for _, s := range a.slabs {
		before = max(before, s.bytes)
	}
	if err := a.close(); err != nil {
		return err
	}
	for want := bytes; want >= grain; {
		_, err := a.slab(want)
		if err == nil {
			if want < bytes {
				a.limit = want
			}
			return nil
		}
		if !driver.IsOutOfMemory(err) {
			return err
		}
		a.refusal = err
		// The size of an earlier slab is tried before any smaller one.
		if want > before {
			want = max(want/2, before)
		} else {
			want /= 2
		}
	}
	a.limit = 0
	return nil
}

// close gives all slabs back. No span may be in use.
func (a *arena) close() error {
	var errs []error
	for _, s := range a.slabs {
		errs = append(errs, a.dev.Free(s.at))
	}
	a.slabs, a.total = nil, 0
	return errors.Join(errs...)
}
