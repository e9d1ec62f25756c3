package main

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid/hybridtest"
)

// What the flags say reaches every GPU. With --recall each is opened twice,
// for both modes, with the memory shared.
func TestApproxGPUOptions(t *testing.T) {
	const free = 10 << 30
	penalties := align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}
	args := []string{"align", "-g", "4,6,2", "-e", "0.2", "--mode", "approx", "--band", "64", "--lambda", "9"}
	approx := gpu.Options{Penalties: penalties, MaxError: gpu.ErrorBound{Fraction: 0.2}, Approx: &align.Approx{Band: 64, Lambda: 9}}

	gpus := []*hybridtest.GPU{{Free: free}, {Free: free / 2}}
	if got := runOn(t, hybridtest.NewMachine(gpus...), pair, args...); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	for i, f := range gpus {
		if approx.Device = i; !reflect.DeepEqual(f.Options, approx) || f.Second != nil {
			t.Errorf("GPU %d: opened with %+v, want %+v, once", i, f.Options, approx)
		}
	}

	gpus = []*hybridtest.GPU{{Free: free}, {Free: free / 2}}
	if got := runOn(t, hybridtest.NewMachine(gpus...), pair, append(args, "--recall")...); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	exact := approx
	exact.Approx, exact.ScoreOnly = nil, true
	for i, f := range gpus {
		if f.Second == nil {
			t.Fatalf("GPU %d: opened once", i)
		}
		memory := f.Options.Memory
		if sum := memory + f.Second.Options.Memory; memory != f.Second.Options.Memory || sum > int64(f.Free) || sum < int64(f.Free)/2 {
			t.Errorf("GPU %d: memory of %d and %d bytes, %d are free", i, memory, f.Second.Options.Memory, f.Free)
		}
		for _, open := range []struct{ got, want gpu.Options }{{f.Options, approx}, {f.Second.Options, exact}} {
			open.want.Device, open.want.Memory = i, memory
			if !reflect.DeepEqual(open.got, open.want) {
				t.Errorf("GPU %d: opened with %+v, want %+v", i, open.got, open.want)
			}
		}
		if f.Closed != 1 || f.Second.Closed != 1 {
			t.Errorf("GPU %d: closed %d and %d times", i, f.Closed, f.Second.Closed)
		}
	}
}

// A GPU without room for the band leaves the pairs to the CPU, which aligns them
// in the same mode.
func TestNoRoomForTheBand(t *testing.T) {
	input := gappy(t, 50)
	f := &hybridtest.GPU{NoRoom: true}
	got, r := recallRun(t, hybridtest.NewMachine(f), input, narrow...)
	want := runOn(t, noGPUs, input, append([]string{"align", "--mode", "approx"}, narrow...)...)
	if got.code != exitOK || got.stdout != want.stdout {
		t.Errorf("exit code %d, or not the results of the CPU\n%s", got.code, got.stderr)
	}
	if !strings.Contains(got.stderr, ": 50 pairs (50 not enough GPU memory); recall ") {
		t.Errorf("summary %q", got.stderr)
	}
	cpu, fallback := r.Engines.CPU, r.Engines.GPU[0].Fallback
	if cpu.Methods.Approx == 0 || cpu.Methods.Approx+cpu.GaveUp != 50 || fallback.Memory != 50 {
		t.Errorf("on the CPU %+v, fallbacks %+v", cpu, fallback)
	}
}

// Pairs with an error, in the run or in the exact alignment beside it, are not
// compared; only the former are failures.
func TestRecallOfFailedPairs(t *testing.T) {
	input := gappy(t, 40)
	f := &hybridtest.GPU{Spoil: func(f *hybridtest.GPU, b *align.Batch) {
		at := 4 // of the approximate results
		if f.Options.Approx == nil {
			at = 7
		}
		b.Results[at].Err = errors.New("gave up")
	}}
	got, r := recallRun(t, hybridtest.NewMachine(f), input, narrow...)
	if got.code != exitFailed {
		t.Errorf("exit code %d, want %d", got.code, exitFailed)
	}
	rows := strings.SplitAfter(got.stdout, "\n")
	if rows[4] != "5\t5\t*\t*\n" || strings.Contains(rows[7], "*") {
		t.Errorf("rows %q and %q", rows[4], rows[7])
	}
	rows[7] = "8\t8\t*\t*\n" // not to be compared either
	want := expectedRecall(t, input, strings.Join(rows, ""))
	if want.Pairs != 38 || r.Failed != 1 {
		t.Errorf("%d pairs to compare, %d failed", want.Pairs, r.Failed)
	}
	expectRecall(t, *r.Approx.Recall, want)
}

// A score below the optimum ends the run, after the results before.
func TestApproxBelowExact(t *testing.T) {
	input := strings.Repeat(">ACGTACGT\n<ACGTACGT\n", 9)
	f := &hybridtest.GPU{Spoil: func(f *hybridtest.GPU, b *align.Batch) {
		if f.Options.Approx == nil && b.First == 5 {
			b.Results[0].Score++
		}
	}}
	got, r := recallRun(t, hybridtest.NewMachine(f), input, "-b", "1")
	const want = "internal error: pair 5: the approximate score 0 is below the exact one, 1"
	if got.code != exitFailed || r.ExitCode != exitFailed || r.Error != want || strings.Count(got.stdout, "\n") != 4 {
		t.Errorf("exit code %d, in the report %d, %q; output %q", got.code, r.ExitCode, r.Error, got.stdout)
	}
	expectMessage(t, got.stderr, want)
}

// Where a GPU has no room for both engines, it says so and what is done.
func TestRecallWithoutRoom(t *testing.T) {
	full := func(machine *hybridtest.Machine) *hybridtest.Machine {
		opened := 0
		machine.BeforeOpen = func() error {
			if opened++; opened > 1 {
				return errMemory
			}
			return nil
		}
		return machine
	}
	input := gappy(t, 20)
	f := &hybridtest.GPU{Name: "NVIDIA H200"}
	got, r := recallRun(t, full(hybridtest.NewMachine(f)), input, append([]string{"--device", "auto"}, narrow...)...)
	if got.code != exitOK || r.Approx.Recall.Pairs != 20 || f.Closed != 1 {
		t.Errorf("exit code %d, %d pairs compared, closed %d times", got.code, r.Approx.Recall.Pairs, f.Closed)
	}
	if !strings.Contains(got.stderr, "\nwfagpu: --recall: aligning exactly on the CPU (") || !strings.Contains(got.stderr, "no GPU is used: "+errMemory.Error()) {
		t.Errorf("notices %q", got.stderr)
	}
	f = &hybridtest.GPU{}
	demanded := runOn(t, full(hybridtest.NewMachine(f)), input, "align", "--mode", "approx", "--recall", "--device", "gpu")
	if demanded.code != exitDevice || demanded.stdout != "" || f.Closed != 1 {
		t.Errorf("%+v, closed %d times", demanded, f.Closed)
	}
	expectMessage(t, demanded.stderr, errMemory.Error())
}

// A GPU whose memory cannot be told is not opened for two engines.
func TestRecallMemoryUnknown(t *testing.T) {
	unknown := errors.New("cuMemGetInfo: CUDA error 999")
	f := &hybridtest.GPU{}
	machine := hybridtest.NewMachine(f)
	machine.NoDevices = unknown
	got := runOn(t, machine, pair, "align", "--mode", "approx", "--recall", "--device", "0")
	if got.code != exitDevice || f.Opened() {
		t.Errorf("exit code %d, opened %v", got.code, f.Opened())
	}
	expectMessage(t, got.stderr, unknown.Error())
}
