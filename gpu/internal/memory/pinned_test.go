package memory

import (
	"sync"
	"testing"
	"unsafe"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// Idle buffers that are too small give way to one that the system has no memory for beside them.
func TestIdlePinnedMemoryGivesWay(t *testing.T) {
	g := drivertest.New(1)
	g.HostLimit = 16 * LeastPinned
	p := &Pinned{Device: g.Open(t)}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	take := func(bytes int) ([]byte, error) {
		return p.Take(t.Context(), bytes, func() int { return bytes })
	}
	var small [][]byte
	for range 16 {
		b, err := take(LeastPinned)
		if err != nil {
			t.Fatal(err)
		}
		small = append(small, b)
	}
	for _, b := range small {
		p.Give(b)
	}
	b, err := take(8 * LeastPinned)
	if err != nil || len(b) != 8*LeastPinned {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	p.Give(b)
	if _, err := take(17 * LeastPinned); !driver.IsOutOfMemory(err) {
		t.Errorf("more than there is: %v", err)
	}
}

// Several buffers of a size come with one allocation, also for those who ask at the same time, and do not overlap.
func TestPinnedBuffersShareAllocations(t *testing.T) {
	const size, takers = 1 << 20, 2 * inSlab
	g := drivertest.New(1)
	p := &Pinned{Device: g.Open(t)}
	taken := make(chan []byte, takers)
	var wg sync.WaitGroup
	for range takers {
		wg.Go(func() {
			b, err := p.Take(t.Context(), size-100, func() int { return LeastPinned })
			if err != nil || len(b) != size || cap(b) != size {
				t.Errorf("a buffer of %d bytes and room for %d, %v", len(b), cap(b), err)
			}
			taken <- b
		})
	}
	wg.Wait()
	if n := len(p.slabs); n != takers/inSlab {
		t.Errorf("%d allocations for %d buffers", n, takers)
	}
	places := map[uintptr]bool{}
	for range takers {
		b := <-taken
		at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
		inside := 0
		for _, s := range p.slabs {
			if from := uintptr(unsafe.Pointer(unsafe.SliceData(s))); at >= from && at+size <= from+uintptr(len(s)) && (at-from)%size == 0 {
				inside++
			}
		}
		if places[at] || inside != 1 {
			t.Errorf("a buffer twice, or not in one allocation: %d", inside)
		}
		places[at] = true
		p.Give(b)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if live := g.Live(); len(live) != 1 || live["context"] != 1 {
		t.Errorf("not released: %v", live)
	}
}

// Where the system refuses an allocation for several buffers, there is one for each.
func TestPinnedBuffersAlone(t *testing.T) {
	const size = 1 << 20
	g := drivertest.New(1)
	g.HostLimit = 3 * size
	p := &Pinned{Device: g.Open(t)}
	for i := range 3 {
		if b, err := p.Take(t.Context(), size, func() int { return size }); err != nil || len(b) != size {
			t.Fatalf("buffer %d: %d bytes, %v", i, len(b), err)
		}
	}
	if n := len(p.slabs); n != 3 {
		t.Errorf("%d allocations for three buffers", n)
	}
	p.lent = 0
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// Those who hold a buffer have none offered, and do not wait, where the system refuses more.
func TestPinnedOffers(t *testing.T) {
	g := drivertest.New(1)
	g.HostLimit = 3 * LeastPinned
	p := &Pinned{Device: g.Open(t)}
	offer := func(bytes, want int) []byte {
		t.Helper()
		b, err := p.Offer(t.Context(), bytes)
		if err != nil || len(b) != want {
			t.Fatalf("%d bytes, %v for %d", len(b), err, bytes)
		}
		return b
	}
	a := offer(100, LeastPinned)
	b := offer(2*LeastPinned, 2*LeastPinned)
	offer(1, 0)
	p.Give(b)
	b = offer(1, 2*LeastPinned) // the idle one
	p.Give(a)
	offer(LeastPinned+1, 0)
	p.Give(b)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	g.FailEvery("cuMemHostAlloc", driver.Result(999))
	if b, err := p.Offer(t.Context(), 1); b != nil || err == nil {
		t.Errorf("%d bytes, %v after a fault", len(b), err)
	}
}
