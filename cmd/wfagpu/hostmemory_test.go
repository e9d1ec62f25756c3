package main

import (
	"runtime"
	"strings"
	"testing"

	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

func TestParseMemorySize(t *testing.T) {
	for _, tc := range []struct {
		text string
		want memorySize
		bad  bool
	}{
		{text: "auto"}, {text: "2G", want: memorySize{bytes: 2 << 30}}, {text: "1048576", want: memorySize{bytes: 1 << 20}},
		{text: "0.5", want: memorySize{share: 0.5}}, {text: "50%", want: memorySize{share: 0.5}}, {text: "100%", want: memorySize{share: 1}},
		{text: "1.0", want: memorySize{share: 1}}, {text: "12.5%", want: memorySize{share: 0.125}},
		{text: "1048575", bad: true}, {text: "1", bad: true}, {text: "0.0", bad: true}, {text: "0%", bad: true}, {text: "1.1", bad: true},
		{text: "101%", bad: true}, {text: "-0.5", bad: true}, {text: "%", bad: true}, {text: "", bad: true}, {text: "NaN%", bad: true},
		{text: "Inf%", bad: true}, {text: "1.5G", bad: true}, {text: "all", bad: true},
	} {
		got, err := parseAutoMemory(tc.text)
		if (err != nil) != tc.bad || got != tc.want {
			t.Errorf("%q: %+v, %v", tc.text, got, err)
		}
	}
}

func TestHostMemory(t *testing.T) {
	for _, tc := range []struct {
		size    memorySize
		machine int64
		want    int64
	}{
		{memorySize{}, 16 << 30, 2 << 30}, {memorySize{}, 256 << 30, 8 << 30}, {memorySize{}, 0, 1 << 30}, {memorySize{}, 1 << 20, 1 << 20},
		{memorySize{bytes: 3 << 30}, 1 << 30, 3 << 30}, {memorySize{share: 0.5}, 64 << 30, 32 << 30}, {memorySize{share: 1e-9}, 1 << 30, 1 << 20},
	} {
		o := alignOptions{hostMemory: tc.size}
		if got := o.hostMemoryOf(tc.machine); got != tc.want {
			t.Errorf("%+v of %d: %d, want %d", tc.size, tc.machine, got, tc.want)
		}
	}
	if n := machineMemory(); runtime.GOOS == "linux" && n < 64<<20 || n < 0 {
		t.Errorf("this machine has %d bytes of memory", n)
	}
}

// A batch is what the user wants, unless reading, aligning and writing would not
// overlap.
func TestBasesPerBatch(t *testing.T) {
	const gib = 1 << 30
	for _, tc := range []struct {
		wanted int
		memory int64
		want   int
	}{
		{1, gib, 1}, {1e6, 4 * gib, 1e6}, {4e6, 4 * gib, 4e6}, {16e6, 4 * gib, 16e6}, {256e6, 4 * gib, 16e6}, {4e9, 1 << 60, 16e6},
		{4e6, 48 << 20, 1 << 20}, {4e6, 1 << 20, 1 << 20 / 48}, {1000, 1 << 20, 1000}, {4e6, 1, 1},
	} {
		got := basesPerBatch(tc.wanted, tc.memory)
		if got != tc.want {
			t.Errorf("-b %d with %d bytes: %d bases, want %d", tc.wanted, tc.memory, got, tc.want)
		}
		if p := pipelineMemory(tc.memory, got); p < tc.memory/2 || p > tc.memory {
			t.Errorf("%d bytes for the pipeline, of %d", p, tc.memory)
		}
	}
}

// Batches that the CPU aligns alone are smaller for SAM.
func TestBatchOnCPU(t *testing.T) {
	for _, tc := range []struct {
		format      string
		bases, want int
		given       bool
	}{
		{"sam", 4e6, 1e6, false}, {"sam", 4e6, 4e6, true}, {"sam", 300, 300, false}, {"tsv", 4e6, 4e6, false}, {"paf", 4e6, 4e6, false},
	} {
		o := alignOptions{formatOptions: formatOptions{format: tc.format}, batchBases: tc.bases, batchGiven: tc.given}
		if o.setBatchOnCPU(); o.batchBases != tc.want {
			t.Errorf("%+v: %d bases", tc, o.batchBases)
		}
	}
}

// Memory and batch size change no byte of the results, and reach the engine.
func TestMemoryFlags(t *testing.T) {
	input := wfagpu(t, "generate", "-n", "300", "-l", "500", "-e", "0.1", "--n-rate", "0.001")
	want := runOn(t, noGPUs, input, "align", "--device", "cpu").stdout
	for _, args := range []string{
		"-b 1 --host-memory 1M", "-b 20K --host-memory 1M", "-b 256M --host-memory 1M", "-b 256M --host-memory 1%", "-b 1M --host-memory 0.1", "--gpu-memory 25%", "--gpu-memory 2G",
	} {
		f := &hybridtest.GPU{}
		got := runOnAsIs(t, hybrid.Options{System: hybridtest.NewMachine(f, &hybridtest.GPU{})}, input, append([]string{"align"}, strings.Fields(args)...)...)
		if got.code != exitOK || got.stdout != want {
			t.Errorf("%s: exit code %d, or other results\n%s", args, got.code, got.stderr)
		}
		bytes, part := int64(0), 0.0
		switch {
		case strings.HasSuffix(args, "25%"):
			part = 0.25
		case strings.HasSuffix(args, "2G"):
			bytes = 2 << 30
		}
		if f.Options.Memory != bytes || f.Options.MemoryPart != part {
			t.Errorf("%s: opened with %+v", args, f.Options)
		}
	}
	for _, args := range []string{"--host-memory 0", "--host-memory 2", "--gpu-memory 110%", "--gpu-memory -1G", "--gpu-memory 4K"} {
		got := runOn(t, noGPUs, input, append([]string{"align"}, strings.Fields(args)...)...)
		if flag, _, _ := strings.Cut(args, " "); got.code != exitUsage || !strings.Contains(got.stderr, flag) {
			t.Errorf("%s: exit code %d, %s", args, got.code, got.stderr)
		}
	}
}
