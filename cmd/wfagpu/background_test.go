package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid/hybridtest"
)

// A run does not wait for GPUs that it does not need.
func TestGPUNeverOpens(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	release, closed := make(chan struct{}), make(chan struct{})
	machine := hybridtest.NewMachine(&hybridtest.GPU{OnClose: func() { close(closed) }})
	stats := filepath.Join(t.TempDir(), "stats.json")
	got := runInBackground(t, machine.OpeningOn(release), pair, "align", "-j", "2", "--cpu-level", "go", "--stats", stats)
	if got.code != exitOK || got.stdout != pairLine {
		t.Errorf("%+v", got)
	}
	if want := "wfagpu: aligning on the CPU (2 threads, go); the run ended before a GPU was needed or ready\nwfagpu: 1 pair, "; !strings.HasPrefix(got.stderr, want) ||
		!strings.HasSuffix(got.stderr, "; cpu go x2: 1 wavefront, 0 checkpointed, 0 banded\n") {
		t.Errorf("stderr %q, want %q first", got.stderr, want)
	}
	r := readReport(t, stats)
	if r.Engines.GPU == nil || len(r.Engines.GPU) != 0 || r.Engines.CPU.Pairs != 1 || r.Engines.CPU.Early != 0 {
		t.Errorf("--stats: %+v", r.Engines)
	}
	close(release)
	<-closed // what opens later is given back

	// Nothing can be aligned here, and nothing is to be said about it.
	release = make(chan struct{})
	defer close(release)
	got = runInBackground(t, hybridtest.NewMachine(&hybridtest.GPU{}).OpeningOn(release), "", "align", filepath.Join(t.TempDir(), "missing"))
	if got.code != exitInput || strings.Contains(got.stderr, "aligning") {
		t.Errorf("no input: %+v", got)
	}
}

// An interrupt does not wait for pairs that wait for the GPUs.
func TestInterruptWhileWaitingForGPUs(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	ctx, interrupt := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	opts := defaultAlignOptions()
	machine := hybridtest.NewMachine(&hybridtest.GPU{}).OpeningOn(release)
	machine.BeforeCount = func() {
		interrupt()
		<-release
	}
	opts.engine.System, opts.engine.Background = machine, true
	var stdout, stderr bytes.Buffer
	code := runWith(ctx, opts, []string{"align", "--device", "gpu"}, streams{strings.NewReader(pair), &stdout, &stderr})
	if code != 130 || stdout.Len() > 0 {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, &stdout, &stderr)
	}
}

// A run that names GPUs needs them, also in the background and without any pair:
// otherwise it ends as one that cannot start, with nothing but the error.
func TestNamedGPUsInBackground(t *testing.T) {
	for _, tc := range []struct {
		name, input, device string
		gpu                 *hybridtest.GPU
		code                int
	}{
		{"usable", pair, "gpu", &hybridtest.GPU{}, exitOK},
		{"usable, no pair", "", "0", &hybridtest.GPU{}, exitOK},
		{"too old", pair, "gpu", &hybridtest.GPU{OpenErr: errOld}, exitDevice},
		{"too old, no pair", "", "gpu", &hybridtest.GPU{OpenErr: errOld}, exitDevice},
		{"too old, number", pair, "0", &hybridtest.GPU{OpenErr: errOld}, exitDevice},
		{"too old, number, no pair", "", "0", &hybridtest.GPU{OpenErr: errOld}, exitDevice},
		{"a missing number", pair, "7", &hybridtest.GPU{}, exitDevice},
	} {
		dir := t.TempDir()
		out, stats := filepath.Join(dir, "out.tsv"), filepath.Join(dir, "stats.json")
		got := runInBackground(t, hybridtest.NewMachine(tc.gpu), tc.input, "align", "--device", tc.device, "-o", out, "--stats", stats)
		if got.code != tc.code {
			t.Errorf("%s: exit code %d\n%s", tc.name, got.code, got.stderr)
		}
		_, outErr := os.Stat(out)
		_, statsErr := os.Stat(stats)
		if tc.code == exitOK {
			if outErr != nil || statsErr != nil || !strings.Contains(got.stderr, "aligning on GPU 0") {
				t.Errorf("%s: %v, %v, %s", tc.name, outErr, statsErr, got.stderr)
			}
			continue
		}
		if outErr == nil || statsErr == nil || !strings.HasPrefix(got.stderr, "wfagpu: error: GPU ") || strings.Count(got.stderr, "\n") != 2 || !strings.Contains(got.stderr, "hint: 'wfagpu devices'") {
			t.Errorf("%s: %v, %v, %s", tc.name, outErr, statsErr, got.stderr)
		}
	}
}

// The sizes of files are known before anything is opened.
func TestInputSize(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for path, n := range map[string]int{a: 1000, b: 70_000} {
		if err := os.WriteFile(path, make([]byte, n), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 3<<30); err != nil { // no more than a number
		t.Fatal(err)
	}
	for _, tc := range []struct {
		files  []namedPath
		size   int64
		queues int
	}{
		{[]namedPath{newPath("", a)}, 1000, smallQueues},
		{[]namedPath{newPath("", a), newPath("", a)}, 2000, smallQueues},
		{[]namedPath{newPath("", a), newPath("", b)}, 71_000, mediumQueues},
		{[]namedPath{newPath("", large)}, 3 << 30, gpu.PreferredQueues},
		{[]namedPath{newPath("", filepath.Join(dir, "none"))}, -1, gpu.PreferredQueues},
		{[]namedPath{newPath("", dir)}, -1, gpu.PreferredQueues},
		{[]namedPath{newPath("", a), stdPath("standard input", strings.NewReader(""))}, -1, gpu.PreferredQueues},
	} {
		size := inputSize(tc.files)
		if size != tc.size || queuesFor(size) != tc.queues || isSmall(size) != (tc.queues == smallQueues) {
			t.Errorf("%v: %d bytes, %d queues", tc.files, size, queuesFor(size))
		}
	}
}

// A small input is aligned before a GPU is opened, and asks for few queues.
func TestSmallInput(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	path := filepath.Join(t.TempDir(), "pairs.seq")
	if err := os.WriteFile(path, []byte(pair), 0o666); err != nil {
		t.Fatal(err)
	}
	var opened atomic.Bool
	machine := hybridtest.NewMachine(&hybridtest.GPU{})
	machine.Hint, machine.BeforeCount = 1, func() { opened.Store(true) }
	opts := defaultAlignOptions()
	opts.engine.System, opts.engine.Background = machine, true
	asked := 0
	opts.setQueues = func(n int) error { asked = n; return nil }
	var stdout, stderr bytes.Buffer
	code := runWith(t.Context(), opts, []string{"align", "-j", "1", path}, streams{nil, &stdout, &stderr})
	if code != exitOK || stdout.String() != pairLine || asked != smallQueues {
		t.Errorf("exit code %d, %d queues, %s", code, asked, &stderr)
	}
	if opened.Load() != strings.Contains(stderr.String(), "aligning on GPU") {
		t.Errorf("opened %v: %s", opened.Load(), &stderr)
	}
	opts.setQueues = func(int) error { return errOld }
	if code := runWith(t.Context(), opts, []string{"align", path}, streams{nil, &stdout, &stderr}); code != exitFailed {
		t.Errorf("queues that cannot be set: exit code %d", code)
	}
}
