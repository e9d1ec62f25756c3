package main

import (
	"testing"

	"wfagpu/gpu"
)

// The command does not give its GPUs back: its process ends.
func TestGPUsLeftOpen(t *testing.T) {
	f := &fakeGPU{}
	got := runOn(t, systemOf(f).leftOpen(), pair, "align")
	if got.code != exitOK || got.stdout != pairLine || f.stats.Warp != 1 || f.closed != 0 {
		t.Errorf("%+v, closed %d times", got, f.closed)
	}
	failing := systemOf(&fakeGPU{openErr: errOld}).leftOpen()
	if e, err := failing.open(gpu.Options{}, &fakeEngine{}); e != nil || err != errOld {
		t.Errorf("got %v, %v", e, err)
	}
}
