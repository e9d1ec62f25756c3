package hybrid

import (
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// expectedGPUs estimates the number of visible GPUs without the driver, which takes
// tenths of a second to start. Results do not depend on it.
func expectedGPUs() int {
	n := gpuFiles(os.DirFS("/"))
	if list, ok := os.LookupEnv("CUDA_VISIBLE_DEVICES"); ok {
		n = min(n, listedGPUs(list))
	}
	return n
}

// gpuFiles counts the GPUs that the driver's kernel module shows under the root
// directory. A container may have only one of the two directories.
func gpuFiles(root fs.FS) int {
	entries, err := fs.ReadDir(root, "proc/driver/nvidia/gpus")
	n := 0
	if err == nil {
		n = len(entries)
	}
	devices := 0
	// Without the directory, the list is empty.
	entries, _ = fs.ReadDir(root, "dev")
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), "nvidia")
		if _, err := strconv.ParseUint(number, 10, 16); ok && err == nil {
			devices++
		}
	}
	return max(n, devices)
}

// listedGPUs counts the GPUs in a value of CUDA_VISIBLE_DEVICES. The driver stops
// at the first invalid entry, usually -1.
func listedGPUs(list string) int {
	n := 0
	for entry := range strings.SplitSeq(list, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" || entry[0] == '-' {
			break
		}
		n++
	}
	return n
}
