package drivertest

import (
	"slices"
	"sync"
)

// freed is memory that drivers have freed.
var freed pool

type pool struct {
	mu   sync.Mutex
	free [][]byte
}

// Sizes of the pool. Larger blocks are mapped: those of which little is used need not be cleared.
const (
	mostPooled   = 12
	largestBytes = 32 << 20
)

func (p *pool) take(n int) []byte {
	if n > largestBytes {
		return mapped(n)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, b := range p.free {
		if cap(b) >= n && cap(b) <= 2*n+1<<20 {
			p.free = slices.Delete(p.free, i, i+1)
			return b[:n:n]
		}
	}
	return make([]byte, n)
}

func (p *pool) give(b []byte) {
	if cap(b) > largestBytes {
		unmap(b)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b)
	if len(p.free) > mostPooled {
		p.free = slices.Delete(p.free, 0, 1)
	}
}
