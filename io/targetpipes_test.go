//go:build linux || darwin

package seqio

import "testing"

// TestTargetPipes: named pipes are refused, without a wait for their writers.
func TestTargetPipes(t *testing.T) {
	fifo, other := fifos(t)
	for _, in := range []Inputs{{Pairs: []string{fifo}}, {Query: []string{other}, Target: []string{fifo}}} {
		if err := TargetsOf(in, nil); err != ErrTargetPipe {
			t.Errorf("%+v: %v", in, err)
		}
	}
	if err := ListedTargets(fifo, nil); err == nil {
		t.Error("a named pipe is listed")
	}
}
