package memory

import (
	"errors"
	"slices"
	"sort"

	"wfagpu/gpu/internal/driver"
)

// Arena allocates from device memory that it takes in slabs, as work asks for it and up
// to a budget. Giving memory back to the driver waits for all work on the device, so
// slabs stay. It is not safe for concurrent use.
type Arena struct {
	dev *driver.Device
	// most is the budget, limit what is left of it after another process has taken
	// memory.
	most, limit int
	// refusal is why the driver has refused a slab since the last Retry, or nil.
	refusal error
	first   int // size of the first slab, unless more is asked for
	total   int // of all slabs
	taken   int // spans that are not given back
	slabs   []*slab
}

// slab is one allocation of the driver.
type slab struct {
	Span
	free []Span // by address; no two touch
}

// Span is a piece of device memory.
type Span struct {
	At    driver.Ptr
	Bytes int
}

func (s Span) end() driver.Ptr { return s.At + driver.Ptr(s.Bytes) }

// Grain is the unit of sizes and addresses, in bytes.
const Grain = 256

// Rounded rounds a size up to a multiple of Grain.
func Rounded(bytes int) int { return (bytes + Grain - 1) &^ (Grain - 1) }

// NewArena returns an arena that takes up to budget bytes of a device, and first ones at least with
// the first slab.
func NewArena(dev *driver.Device, budget, first int) Arena {
	budget &^= Grain - 1
	return Arena{dev: dev, most: budget, limit: budget, first: first}
}

// Limit returns the budget, in bytes, less what another process has taken.
func (a *Arena) Limit() int { return a.limit }

// Idle reports whether no span is in use.
func (a *Arena) Idle() bool { return a.taken == 0 }

// Refused reports whether the driver has refused memory since the last Retry.
func (a *Arena) Refused() bool { return a.refusal != nil || a.limit != a.most }

// Retry forgets that the driver has refused memory. It reports whether it had.
func (a *Arena) Retry() bool {
	changed := a.Refused()
	a.refusal, a.limit = nil, a.most
	return changed
}

// Room returns the size of the largest span that Take may find.
func (a *Arena) Room() int {
	most := 0
	if a.refusal == nil {
		most = a.limit - a.total
	}
	for _, s := range a.slabs {
		for _, f := range s.free {
			most = max(most, f.Bytes)
		}
	}
	return most &^ (Grain - 1)
}

// Take returns a span of at least bytes, the one that fits best, or from a new slab. It
// reports false if there is none now.
func (a *Arena) Take(bytes int) (Span, bool, error) {
	bytes = Rounded(bytes)
	var best *slab
	at := 0
	for _, s := range a.slabs {
		for i, f := range s.free {
			if f.Bytes >= bytes && (best == nil || f.Bytes < best.free[at].Bytes) {
				best, at = s, i
			}
		}
	}
	if best == nil {
		var err error
		if best, err = a.grow(bytes); best == nil || err != nil {
			return Span{}, false, err
		}
		at = 0
	}
	f := &best.free[at]
	got := Span{f.At, bytes}
	f.At += driver.Ptr(bytes)
	if f.Bytes -= bytes; f.Bytes == 0 {
		best.free = slices.Delete(best.free, at, at+1)
	}
	a.taken++
	return got, true, nil
}

// Give takes back a span of Take.
func (a *Arena) Give(s Span) {
	a.taken--
	i := slices.IndexFunc(a.slabs, func(b *slab) bool { return s.At >= b.At && s.end() <= b.end() })
	b := a.slabs[i]
	at := sort.Search(len(b.free), func(i int) bool { return b.free[i].At > s.At })
	b.free = slices.Insert(b.free, at, s)
	if at+1 < len(b.free) && s.end() == b.free[at+1].At {
		b.free[at].Bytes += b.free[at+1].Bytes
		b.free = slices.Delete(b.free, at+1, at+2)
	}
	if at > 0 && b.free[at-1].end() == s.At {
		b.free[at-1].Bytes += b.free[at].Bytes
		b.free = slices.Delete(b.free, at, at+1)
	}
}

// grow takes a slab of at least bytes from the driver. Slabs double the total, so that
// few calls follow. It returns nil if there is no room.
func (a *Arena) grow(bytes int) (*slab, error) {
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

func (a *Arena) slab(bytes int) (*slab, error) {
	p, err := a.dev.Alloc(bytes)
	if err != nil {
		return nil, err
	}
	all := Span{p, bytes}
	s := &slab{Span: all, free: []Span{all}}
	a.slabs = append(a.slabs, s)
	a.total += bytes
	return s, nil
}

// Renew gives all slabs back and takes one of the size that bytes ask for, or of as much
// of it as the device has; the limit is then that. No span may be in use.
func (a *Arena) Renew(bytes int) error {
	bytes = min(Rounded(bytes), a.limit)
	before := 0
	for _, s := range a.slabs {
		before = max(before, s.Bytes)
	}
	if err := a.Close(); err != nil {
		return err
	}
	for want := bytes; want >= Grain; {
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

// Close gives all slabs back. No span may be in use.
func (a *Arena) Close() error {
	var errs []error
	for _, s := range a.slabs {
		errs = append(errs, a.dev.Free(s.At))
	}
	a.slabs, a.total = nil, 0
	return errors.Join(errs...)
}
