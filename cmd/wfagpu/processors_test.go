package main

import (
	"runtime"
	"testing"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
)

// GPUs have threads of their own where the CPU aligns beside them.
func TestSetProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	two := hybrid.Status{GPUs: make([]gpu.DeviceInfo, 2)}
	for _, tc := range []struct {
		device string
		status hybrid.Status
		want   int
	}{
		{"auto", hybrid.Status{}, 3}, {"auto", hybrid.Status{Opening: true}, 3}, {"auto", two, 3 + 2*gpuThreads},
		{"gpu", two, 3}, {"0,1", two, 3}, {"cpu", hybrid.Status{}, 3},
	} {
		device, err := parseDevice(tc.device)
		if err != nil {
			t.Fatal(err)
		}
		setProcessors(3, device, tc.status)
		if got := runtime.GOMAXPROCS(0); got != tc.want {
			t.Errorf("%s, %+v: %d, want %d", tc.device, tc.status, got, tc.want)
		}
	}
}
