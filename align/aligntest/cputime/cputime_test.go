package cputime_test

import (
	"testing"
	"time"

	"wfagpu/align/aligntest/cputime"
)

// The time grows while the process computes, and hardly while it sleeps.
func TestProcess(t *testing.T) {
	read := func() time.Duration {
		took, err := cputime.Process()
		if err != nil {
			t.Fatal(err)
		}
		return took
	}
	before := read()
	const computed = 50 * time.Millisecond
	for start := time.Now(); read()-before < computed; {
		if time.Since(start) > time.Minute {
			t.Fatalf("%v of CPU time after %v", read()-before, time.Since(start))
		}
	}
	before = read()
	const slept = 300 * time.Millisecond
	time.Sleep(slept)
	if took := read() - before; took > slept/2 {
		t.Errorf("%v of CPU time in a sleep of %v", took, slept)
	}
}
