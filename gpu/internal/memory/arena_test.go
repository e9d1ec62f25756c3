package memory

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// testArena returns an arena on a fake device with some MiB of memory.
func testArena(t *testing.T, memory, budget, first int) (*Arena, *drivertest.Driver) {
	t.Helper()
	g := drivertest.New(1)
	g.Devices[0].Memory = uint64(memory) << 20
	a := NewArena(g.Open(t), budget<<20, first<<20)
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return &a, g
}

func mustTake(t *testing.T, a *Arena, bytes int) Span {
	t.Helper()
	s, ok, err := a.Take(bytes)
	if !ok || err != nil {
		t.Fatalf("%d bytes: %v, %v", bytes, ok, err)
	}
	return s
}

// Spans do not overlap, lie at multiples of the grain, and when all are back the slabs
// are whole again.
func TestArenaSpans(t *testing.T) {
	a, g := testArena(t, 200, 100, 1)
	r := rand.New(rand.NewPCG(1, 2))
	var live []Span
	refused := 0
	for range 10_000 {
		if r.IntN(100) >= 55 && len(live) > 0 {
			i := r.IntN(len(live))
			a.Give(live[i])
			live = slices.Delete(live, i, i+1)
			continue
		}
		bytes := 1 + r.IntN(1<<r.IntN(23))
		room := a.Room()
		s, ok, err := a.Take(bytes)
		if err != nil || ok != (bytes <= room) {
			t.Fatalf("%d bytes with room for %d: %v, %v", bytes, room, ok, err)
		}
		if !ok {
			refused++
			continue
		}
		if s.Bytes < bytes || s.At%Grain != 0 || g.MemoryAt(s.At, s.Bytes) == nil {
			t.Fatalf("%+v for %d bytes", s, bytes)
		}
		at, _ := slices.BinarySearchFunc(live, s, func(a, b Span) int { return int(int64(a.At) - int64(b.At)) })
		live = slices.Insert(live, at, s)
		if at > 0 && live[at-1].end() > s.At || at+1 < len(live) && s.end() > live[at+1].At {
			t.Fatalf("%+v overlaps", s)
		}
	}
	if refused == 0 || len(a.slabs) < 3 || a.total > 100<<20 || uint64(a.total) != g.Used(0) {
		t.Errorf("%d refused, %d slabs of %d bytes, %d in use", refused, len(a.slabs), a.total, g.Used(0))
	}
	for _, s := range live {
		a.Give(s)
	}
	for _, s := range a.slabs {
		if len(s.free) != 1 || s.free[0] != s.Span {
			t.Errorf("slab %+v has %+v free", s.Span, s.free)
		}
	}
	if a.taken != 0 {
		t.Errorf("%d spans are taken", a.taken)
	}
}

// The arena takes what work asks for, twice that at most, and nothing beyond its budget.
func TestArenaGrows(t *testing.T) {
	a, _ := testArena(t, 1000, 500, 10)
	if a.total != 0 {
		t.Errorf("%d bytes before any work", a.total)
	}
	asked := 0
	for range 200 {
		mustTake(t, a, 1<<20)
		if asked++; a.total > max(2*asked, 10)<<20 {
			t.Fatalf("%d bytes are taken for %d MiB", a.total, asked)
		}
	}
	if _, ok, _ := a.Take(301 << 20); ok {
		t.Error("more than the budget")
	}
}

// When another process has taken memory, the arena works with what there is, and with
// the rest when it is back.
func TestArenaRefused(t *testing.T) {
	a, g := testArena(t, 100, 90, 10)
	mustTake(t, a, 1<<20)
	g.Resize(0, 30<<20)
	mustTake(t, a, 12<<20) // a slab of 20 MiB at most
	mustTake(t, a, 3<<20)
	if _, ok, err := a.Take(40 << 20); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	if a.refusal == nil || !driver.IsOutOfMemory(a.refusal) {
		t.Errorf("refusal %v", a.refusal)
	}
	g.Resize(0, 100<<20)
	if _, ok, _ := a.Take(40 << 20); ok {
		t.Error("the driver is asked again at once")
	}
	if !a.Retry() || a.Retry() {
		t.Error("retry does not tell whether anything has changed")
	}
	mustTake(t, a, 40<<20)
}

// renew makes one slab of all idle ones, of as much as the device has.
func TestArenaRenew(t *testing.T) {
	a, g := testArena(t, 100, 90, 10)
	a.Give(mustTake(t, a, 5<<20))
	if err := a.Renew(80 << 20); err != nil || a.Room() != 80<<20 || a.limit != 90<<20 {
		t.Errorf("room %d, limit %d, %v", a.Room(), a.limit, err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	g.Resize(0, 50<<20)
	if err := a.Renew(80 << 20); err != nil || a.Room() != 40<<20 || a.limit != 40<<20 {
		t.Errorf("room %d, limit %d, %v", a.Room(), a.limit, err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	g.FailEvery("cuMemAlloc", driver.ResultOutOfMemory)
	if err := a.Renew(80 << 20); err != nil || a.Room() != 0 || a.limit != 0 {
		t.Errorf("room %d, limit %d, %v", a.Room(), a.limit, err)
	}
}
