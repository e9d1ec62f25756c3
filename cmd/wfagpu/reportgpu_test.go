package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

// --stats and the summary count pairs by engine and fallbacks by cause, on one
// GPU and on two.
func TestGPUCounts(t *testing.T) {
	dir := datasets(t)
	for _, names := range [][]string{{"A"}, {"A", "B"}} {
		var gpus []*hybridtest.GPU
		// A GPU's first batch is done when each GPU has one.
		var busy sync.WaitGroup
		busy.Add(len(names))
		for _, name := range names {
			first := sync.OnceFunc(func() {
				busy.Done()
				busy.Wait()
			})
			gpus = append(gpus, &hybridtest.GPU{Name: name, Spoil: func(*hybridtest.GPU, *align.Batch) { first() }})
		}
		stats := filepath.Join(t.TempDir(), "stats.json")
		got := runOn(t, hybridtest.NewMachine(gpus...), "", "align", "--device", "gpu", "-b", "5K", "--check", "--stats", stats, filepath.Join(dir, "small.seq"))
		if got.code != exitOK || got.stdout != readFile(t, filepath.Join(dir, "small.expected.tsv")) {
			t.Fatalf("exit code %d\n%s", got.code, got.stderr)
		}
		var r report
		if err := json.Unmarshal([]byte(readFile(t, stats)), &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Engines.GPU) != len(names) {
			t.Fatalf("%d GPUs in the report, want %d", len(r.Engines.GPU), len(names))
		}
		var finished, fallback int64
		for i, g := range r.Engines.GPU {
			s := gpus[i].Counts
			// What both GPUs have aligned counts for one.
			if g.Device != i || g.Name != names[i] || g.Pairs == 0 || g.Kernels != (reportKernels{Warp: s.Kernels["warp"]}) ||
				g.Kernels.Warp < g.Pairs || g.Kernels.Warp > g.Pairs+g.Repeated || g.Fallback.Letters > s.Fallback.Letters || g.Fallback.Length+g.Fallback.Memory != 0 {
				t.Errorf("GPU %d: %+v of %+v", i, g, s)
			}
			finished += g.Pairs
			fallback += g.Fallback.Letters
		}
		if finished+fallback != 300 || fallback == 0 || r.Engines.CPU.Pairs != fallback {
			t.Errorf("%d pairs on GPUs, %d fallbacks, %d on the CPU", finished, fallback, r.Engines.CPU.Pairs)
		}
		if want := fallbackSummary(&reportCPU{Pairs: fallback}, r.Engines.GPU) + "; checked, 0 wrong\n"; !strings.HasSuffix(got.stderr, want) || !strings.Contains(want, "letters outside ACGTU)") {
			t.Errorf("summary %q, want %q at its end", got.stderr, want)
		}
	}
}

func TestReportOfGPU(t *testing.T) {
	gpus := newReportGPUs([]hybrid.GPUStats{{Device: gpu.DeviceInfo{Ordinal: 1, Name: "NVIDIA H200"}, Stats: gpu.Stats{
		Kernels: map[string]int64{"warp": 10, "block": 20, "edit": 7, "gotoh": 5, "tiles": 10, "gated": 3, "general": 12}, Trivial: 40, SecondPass: 5,
		Passes: map[string]gpu.Passes{"warp": {First: 10, Second: 3, Later: 2}}, Launches: 7,
		Slowest: gpu.Slowest{Time: 2 * time.Second, Family: "block", Pairs: 4, Score: 99, Pattern: 500, Text: 600},
	}, Repeated: 8, Pairs: 100, Fallback: hybrid.FallbackCounts{Letters: 1, Length: 2, Memory: 3}}})
	text, err := json.Marshal(gpus)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"device":1,"name":"NVIDIA H200","pairs":100,` +
		`"kernels":{"warp":10,"block":20,"edit":7,"gotoh":5,"tiles":10,"gated":3,"general":12,"trivial":40},` +
		`"passes":{"warp":{"first":10,"second":3,"later":2}},"launches":7,` +
		`"slowest":{"seconds":2,"family":"block","pairs":4,"score":99,"query_bases":500,"target_bases":600},` +
		`"second_pass":5,"repeated":8,"rescued":{"letters":1,"length":2,"memory":3}}]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	r := report{Pairs: 106, Bases: 1000, Seconds: 1, PairsPerS: 106, Engines: reportEngines{
		CPU: reportCPU{Threads: 4, Level: "avx2", Pairs: 6}, GPU: append(gpus, reportGPU{Device: 2, Pairs: 1}),
	}}
	const line = "106 pairs, 1000 bases in 1.000 s, 106.0 pairs/s; gpu 1: 100 pairs, gpu 2: 1 pair, " +
		"cpu avx2 x4: 6 pairs (1 letters outside ACGTU, 2 too long for the GPU, 3 not enough GPU memory)"
	if got := r.summary(); got != line {
		t.Errorf("got  %s\nwant %s", got, line)
	}
	for _, tc := range []struct {
		cpu  reportCPU
		want string
	}{
		{reportCPU{}, "0 pairs"},
		{reportCPU{Pairs: 7, Early: 7}, "7 pairs (7 before a GPU was ready)"},
		{reportCPU{Pairs: 8, Early: 7}, "8 pairs (7 before a GPU was ready, 1 letters outside ACGTU)"},
		{reportCPU{Pairs: 8, Early: 2, Beside: 5}, "8 pairs (2 before a GPU was ready, 5 beside the GPU, 1 letters outside ACGTU)"},
	} {
		gpu := reportGPU{Fallback: reportFallback{Letters: tc.cpu.Pairs - tc.cpu.Early - tc.cpu.Beside}}
		if got := fallbackSummary(&tc.cpu, []reportGPU{gpu}); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

func TestReportOfApproxGPU(t *testing.T) {
	gpus := newReportGPUs([]hybrid.GPUStats{{
		Device: gpu.DeviceInfo{Name: "NVIDIA H200"}, Stats: gpu.Stats{Kernels: map[string]int64{"warp": 7, "approx": 20, "pieces": 3}, Widened: 7},
		Pairs: 30, Fallback: hybrid.FallbackCounts{Letters: 1, Memory: 4},
	}})
	text, err := json.Marshal(gpus)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"device":0,"name":"NVIDIA H200","pairs":30,` +
		`"kernels":{"warp":7,"block":0,"edit":0,"gotoh":0,"tiles":0,"gated":0,"general":0,"trivial":0,"approx":20,"pieces":3},"second_pass":0,"widened":7,` +
		`"rescued":{"letters":1,"length":0,"memory":4}}]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	r := report{Pairs: 35, Bases: 1000, Seconds: 1, PairsPerS: 35, Approx: &reportApprox{}, Engines: reportEngines{
		CPU: reportCPU{Threads: 4, Level: "avx2", Pairs: 5}, GPU: append(gpus, reportGPU{Device: 1, Pairs: 1, Widened: 1}),
	}}
	const line = "35 pairs, 1000 bases in 1.000 s, 35.0 pairs/s; gpu 0: 30 pairs (20 approximate, 3 in pieces, widened 7 times), " +
		"gpu 1: 1 pair (0 approximate, widened 1 time), cpu avx2 x4: 5 pairs (1 letters outside ACGTU, 4 not enough GPU memory)"
	if got := r.summary(); got != line {
		t.Errorf("got  %s\nwant %s", got, line)
	}
}
