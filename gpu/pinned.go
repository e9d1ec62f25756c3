package gpu

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync"

	"wfagpu/gpu/internal/driver"
)

// pinnedPool lends pinned memory. It allocates a buffer when no idle one is large
// enough, and keeps it: pinning takes a quarter to half a millisecond per megabyte, and giving
// pinned memory back waits for the device. Sizes are powers of two, so that buffers
// that have become too small take no more memory than those in use.
type pinnedPool struct {
	dev  *driver.Device
	mu   sync.Mutex
	idle [][]byte // by size
	lent int
	back event
}

// leastPinned is the size of the smallest buffer, in bytes.
const leastPinned = 64 << 10

// prepare adds a small buffer ahead of any need, unless the system refuses it.
func (p *pinnedPool) prepare() error {
	b, err := p.dev.AllocPinned(leastPinned)
	if driver.IsOutOfMemory(err) {
		return nil // those who take one wait for it, or have the error
	}
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.lent++
	p.mu.Unlock()
	p.give(b)
	return nil
}

// take returns a buffer of at least bytes. If the system refuses more pinned memory, it
// returns a smaller one of at least least() bytes, and waits for it if necessary. If no
// buffer is lent that could come back, it gives idle ones, which are too small, back.
func (p *pinnedPool) take(ctx context.Context, bytes int, least func() int) ([]byte, error) {
	for want := bytes; ; {
		p.mu.Lock()
		at := slices.IndexFunc(p.idle, func(b []byte) bool { return len(b) >= bytes })
		if at >= 0 {
			return p.lend(at), nil
		}
		p.lent++ // before the allocation, so that others wait for it
		p.mu.Unlock()
		b, err := p.dev.AllocPinned(max(1<<bits.Len(uint(want-1)), leastPinned))
		if err == nil {
			return b, nil
		}
		p.mu.Lock()
		p.lent--
		p.back.signal()
		if !driver.IsOutOfMemory(err) {
			p.mu.Unlock()
			return nil, err
		}
		enough := least()
		if last := len(p.idle) - 1; last >= 0 && len(p.idle[last]) >= enough {
			return p.lend(last), nil
		}
		if want > max(enough, leastPinned) {
			p.mu.Unlock()
			want = max(want/2, enough)
			continue
		}
		if p.lent == 0 { // idle buffers are all that may give way
			idle := p.idle
			p.idle = nil
			p.mu.Unlock()
			if len(idle) == 0 {
				return nil, err
			}
			if err := p.free(idle); err != nil {
				return nil, err
			}
			continue
		}
		back := p.back.wait()
		p.mu.Unlock()
		select {
		case <-back:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// lend removes an idle buffer. It unlocks p.mu.
func (p *pinnedPool) lend(at int) []byte {
	b := p.idle[at]
	p.idle = slices.Delete(p.idle, at, at+1)
	p.lent++
	p.mu.Unlock()
	return b
}

// give returns a buffer of take.
func (p *pinnedPool) give(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, _ := slices.BinarySearchFunc(p.idle, len(b), func(b []byte, n int) int { return len(b) - n })
	p.idle = slices.Insert(p.idle, at, b)
	p.lent--
	p.back.signal()
}

func (p *pinnedPool) close() error {
	idle := p.idle
	p.idle = nil
	return p.free(idle)
}

// free gives buffers back to the system.
func (p *pinnedPool) free(buffers [][]byte) error {
	var errs []error
	for _, b := range buffers {
		errs = append(errs, p.dev.FreePinned(b))
	}
	return errors.Join(errs...)
}

// event wakes all goroutines that wait for it. The lock of its owner protects it.
type event struct{ ch chan struct{} }

// wait returns a channel that the next signal closes.
func (e *event) wait() <-chan struct{} {
	if e.ch == nil {
		e.ch = make(chan struct{})
	}
	return e.ch
}

func (e *event) signal() {
	if e.ch != nil {
		close(e.ch)
		e.ch = nil
	}
}
