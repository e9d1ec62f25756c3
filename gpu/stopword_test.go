package gpu

import (
	"testing"

	"wfagpu/gpu/internal/driver/drivertest"
)

// The word is set by a stop during a launch alone, also one before the device has it.
func TestStopWord(t *testing.T) {
	g := drivertest.New(1)
	dev := g.Open(t)
	s, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	pinned, err := dev.AllocPinned(stopBytes)
	if err != nil {
		t.Fatal(err)
	}
	at, err := dev.Alloc(stopBytes)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newStopWord(dev)
	if err != nil {
		t.Fatal(err)
	}
	want := func(when string, value byte) {
		t.Helper()
		if b := g.MemoryAt(at, wordBytes); b[0] != value || b[1]|b[2]|b[3] != 0 {
			t.Errorf("%s the word is %d", when, b)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	begin := func() {
		for i := range pinned {
			pinned[i] = 0xee // of a launch before
		}
		w.begin(pinned)
	}
	w.stop() // without a launch
	for range 2 {
		begin()
		must(w.copy(s, at, pinned))
		want("when a launch begins", 0)
		w.stop()
		w.stop()
		want("after a stop", 1)
		must(w.end())
		w.stop()

		begin()
		w.stop()
		must(w.copy(s, at, pinned))
		want("after a stop ahead of the copy", 1)
		must(w.end())

		begin()
		must(w.copy(s, at, pinned))
		must(w.end())
		w.stop()
		want("after a launch that has not been stopped", 0)
	}
	must(w.close())
	must(s.Close())
	must(dev.Free(at))
	must(dev.FreePinned(pinned))
}
