package gpu

import (
	"testing"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// Idle buffers that are too small give way to one that the system has no memory for beside them.
func TestIdlePinnedMemoryGivesWay(t *testing.T) {
	g := drivertest.New(1)
	g.HostLimit = 16 * leastPinned
	p := &pinnedPool{dev: g.Open(t)}
	defer func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	}()
	take := func(bytes int) ([]byte, error) {
		return p.take(t.Context(), bytes, func() int { return bytes })
	}
	var small [][]byte
	for range 16 {
		b, err := take(leastPinned)
		if err != nil {
			t.Fatal(err)
		}
		small = append(small, b)
	}
	for _, b := range small {
		p.give(b)
	}
	b, err := take(8 * leastPinned)
	if err != nil || len(b) != 8*leastPinned {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	p.give(b)
	if _, err := take(17 * leastPinned); !driver.IsOutOfMemory(err) {
		t.Errorf("more than there is: %v", err)
	}
}
