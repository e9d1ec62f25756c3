package memory

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync"

	"wfagpu/gpu/internal/driver"
)

// Pinned lends pinned memory of Device, which is set before its use. It allocates a buffer when no idle one is large
// enough, and keeps it: pinning takes a quarter to half a millisecond per megabyte, and giving
// pinned memory back waits for the device. Sizes are powers of two, so that buffers
// that have become too small take no more memory than those in use. Several small buffers of a size are
// one allocation: see slabBytes.
type Pinned struct {
	Device  *driver.Device
	mu      sync.Mutex
	slabs   [][]byte // what the system has given
	idle    [][]byte // buffers, by size
	lent    int
	growing bool // by an allocation for several buffers, which others wait for
	back    event
}

const (
	// LeastPinned is the size of the smallest buffer, in bytes.
	LeastPinned = 64 << 10
	// One allocation has inSlab buffers of leastInSlab bytes to less than twice mostInSlab.
	leastInSlab = 256 << 10
	mostInSlab  = 1 << 20
	inSlab      = 8
)

// slabBytes returns the size of an allocation for buffers of a size. That of several comes in huge pages.
func slabBytes(size int) int {
	if size < leastInSlab || size > mostInSlab {
		return size
	}
	return size * inSlab
}

// Prepare adds a small buffer ahead of any need, unless the system refuses it.
func (p *Pinned) Prepare() error {
	p.mu.Lock()
	b, err := p.grow(LeastPinned, false)
	p.mu.Unlock()
	if driver.IsOutOfMemory(err) {
		return nil // those who take one wait for it, or have the error
	}
	if err != nil {
		return err
	}
	p.Give(b)
	return nil
}

// Take returns a buffer of at least bytes. If the system refuses more pinned memory, it
// returns a smaller one of at least least() bytes, and waits for it if necessary. If no
// buffer is lent that could come back, it gives idle ones, which are too small, back.
func (p *Pinned) Take(ctx context.Context, bytes int, least func() int) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for want := bytes; ; {
		b, err := p.lendOrGrow(ctx, bytes, want)
		if !driver.IsOutOfMemory(err) {
			return b, err
		}
		enough := least()
		if last := len(p.idle) - 1; last >= 0 && len(p.idle[last]) >= enough {
			return p.lend(len(p.idle[last])), nil
		}
		if want > max(enough, LeastPinned) {
			want = max(want/2, enough)
			continue
		}
		if p.lent == 0 { // idle buffers are all that may give way
			if len(p.slabs) == 0 {
				return nil, err
			}
			slabs := p.drop()
			p.mu.Unlock()
			err := p.free(slabs)
			p.mu.Lock()
			if err != nil {
				return nil, err
			}
			continue
		}
		if err := p.await(ctx); err != nil {
			return nil, err
		}
	}
}

// Offer returns a buffer of at least bytes, nil if the system refuses more pinned memory and no idle buffer is large
// enough. It waits for no other buffer, so that those who hold some may ask for more.
func (p *Pinned) Offer(ctx context.Context, bytes int) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b, err := p.lendOrGrow(ctx, bytes, bytes)
	if driver.IsOutOfMemory(err) {
		return nil, nil
	}
	return b, err
}

// lendOrGrow returns an idle buffer of at least bytes, or a new one of at least want. It waits while somebody
// allocates several.
func (p *Pinned) lendOrGrow(ctx context.Context, bytes, want int) ([]byte, error) {
	size := max(1<<bits.Len(uint(want-1)), LeastPinned)
	shared := slabBytes(size) > size
	for {
		if b := p.lend(bytes); b != nil {
			return b, nil
		}
		if !shared || !p.growing {
			return p.grow(size, shared)
		}
		if err := p.await(ctx); err != nil {
			return nil, err
		}
	}
}

// await waits, without the lock, for a buffer that comes back or that somebody allocates.
func (p *Pinned) await(ctx context.Context) error {
	back := p.back.wait()
	p.mu.Unlock()
	defer p.mu.Lock()
	select {
	case <-back:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// grow returns a new buffer of a size, as lent. One that is shared is of an allocation for several, unless the system
// refuses that; the others are idle. It allocates without the lock.
func (p *Pinned) grow(size int, shared bool) ([]byte, error) {
	p.growing = p.growing || shared
	p.lent++ // so that others wait for it
	p.mu.Unlock()
	b, err := p.Device.AllocPinned(slabBytes(size))
	if shared && driver.IsOutOfMemory(err) {
		b, err = p.Device.AllocPinned(size)
	}
	p.mu.Lock()
	if shared {
		p.growing = false
		p.back.signal()
	}
	if err != nil {
		p.lent--
		p.back.signal()
		return nil, err
	}
	p.slabs = append(p.slabs, b)
	for rest := b[size:]; len(rest) >= size; rest = rest[size:] {
		p.keep(rest[:size:size])
	}
	return b[:size:size], nil
}

// keep makes a buffer an idle one.
func (p *Pinned) keep(b []byte) {
	at, _ := slices.BinarySearchFunc(p.idle, len(b), func(b []byte, n int) int { return len(b) - n })
	p.idle = slices.Insert(p.idle, at, b)
}

// lend removes the smallest idle buffer of at least bytes and returns it, nil if there is none.
func (p *Pinned) lend(bytes int) []byte {
	at := slices.IndexFunc(p.idle, func(b []byte) bool { return len(b) >= bytes })
	if at < 0 {
		return nil
	}
	b := p.idle[at]
	p.idle = slices.Delete(p.idle, at, at+1)
	p.lent++
	return b
}

// Give takes back a buffer of Take.
func (p *Pinned) Give(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keep(b)
	p.lent--
	p.back.signal()
}

// Close gives everything back to the system. No buffer may be lent.
func (p *Pinned) Close() error {
	p.mu.Lock()
	slabs := p.drop()
	p.mu.Unlock()
	return p.free(slabs)
}

// drop removes all allocations and returns them.
func (p *Pinned) drop() [][]byte {
	slabs := p.slabs
	p.slabs, p.idle = nil, nil
	return slabs
}

// free gives allocations back to the system.
func (p *Pinned) free(slabs [][]byte) error {
	var errs []error
	for _, b := range slabs {
		errs = append(errs, p.Device.FreePinned(b))
	}
	return errors.Join(errs...)
}

// Waited reports whether somebody waits for a buffer.
func (p *Pinned) Waited() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.back.ch != nil
}
