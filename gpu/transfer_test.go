package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/memory"
)

// A load is copied apart from its stager, unless as much as pays is. Its tasks are queued either way, as they
// were when it was given, and nothing stays counted.
func TestTransfersApart(t *testing.T) {
	const size = 1 << 20
	dev := drivertest.New(1).Open(t)
	staging := memory.Pinned{Device: dev}
	arena := memory.NewArena(dev, 8*size, size)
	queued, wait := make(chan group, 1), make(chan struct{})
	transfers := newTransfers(dev, &staging, func(_ *load, groups []group, _ *estimate.Rates) {
		<-wait
		queued <- groups[0]
	})
	defer func() {
		if err := transfers.close(); err != nil {
			t.Error(err)
		}
		if err := staging.Close(); err != nil {
			t.Error(err)
		}
		if err := arena.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, before := range []int64{0, mostApart - size, mostApart - size + 1} {
		at, _, err := arena.Take(size)
		if err != nil {
			t.Fatal(err)
		}
		pinned, err := staging.Take(t.Context(), size, nil)
		if err != nil {
			t.Fatal(err)
		}
		transfers.apart.Store(before)
		groups := make([]group, 1)
		groups[0].Bound = 7
		apart := before+size <= mostApart
		if !apart {
			close(wait)
		}
		transfers.begin(&transfer{load: &load{call: testCall(&align.Batch{}), sequences: at}, groups: groups, pinned: pinned, bytes: size / 2})
		groups[0].Bound = 0 // the stager goes on
		if apart {
			wait <- struct{}{}
		}
		if !apart && len(queued) != 1 {
			t.Errorf("%d bytes before: the stager has not waited", before)
		}
		if g := <-queued; g.Bound != 7 {
			t.Errorf("%d bytes before: a bound of %d", before, g.Bound)
		}
		if now := transfers.apart.Load(); now != before {
			t.Errorf("%d bytes before, %d after", before, now)
		}
	}
}
