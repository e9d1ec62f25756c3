package hybrid

import (
	"testing"
	"testing/fstest"
)

func TestGPUFiles(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files []string
		want  int
	}{
		{"none", []string{"proc/version", "dev/null"}, 0},
		{"nothing", nil, 0},
		{"both", []string{"proc/driver/nvidia/gpus/0000:1b:00.0/information", "proc/driver/nvidia/gpus/0000:43:00.0/information", "dev/nvidia0", "dev/nvidia1", "dev/nvidiactl", "dev/nvidia-uvm"}, 2},
		{"devices alone", []string{"dev/nvidia0", "dev/nvidia7", "dev/nvidia10", "dev/nvidiactl", "dev/nvidia-caps/nvidia-cap1", "dev/nvidia-modeset"}, 3},
		{"no devices yet", []string{"proc/driver/nvidia/gpus/0000:1b:00.0/information", "dev/null"}, 1},
		{"no GPU", []string{"proc/driver/nvidia/version", "dev/nvidiactl"}, 0},
	} {
		root := fstest.MapFS{}
		for _, name := range tc.files {
			root[name] = &fstest.MapFile{}
		}
		if got := gpuFiles(root); got != tc.want {
			t.Errorf("%s: %d GPUs, want %d", tc.name, got, tc.want)
		}
	}
}

func TestListedGPUs(t *testing.T) {
	for list, want := range map[string]int{
		"": 0, "-1": 0, "0": 1, "0,1": 2, "3, 1 ,2": 3, "0,-1,1": 1, "0,,1": 1, "GPU-8932f937,MIG-2": 2,
	} {
		if got := listedGPUs(list); got != want {
			t.Errorf("%q: %d GPUs, want %d", list, got, want)
		}
	}
}

// GPUs that are hidden are not waited for.
func TestHiddenGPUsAreNotExpected(t *testing.T) {
	t.Setenv("CUDA_VISIBLE_DEVICES", "")
	if n := expectedGPUs(); n != 0 {
		t.Errorf("%d GPUs", n)
	}
}
