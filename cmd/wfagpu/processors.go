package main

import (
	"runtime"

	"wfagpu/gpu/hybrid"
)

// gpuThreads is the number of threads beyond --threads that serve each GPU while the
// CPU aligns beside it. Go gives a goroutine that waits for the driver its turn
// only after 10 ms where workers occupy all threads; the operating system gives it to a
// thread at once.
const gpuThreads = 4

// setProcessors sets the number of threads that run Go code for a run of so many on
// what s tells.
func setProcessors(threads int, device deviceChoice, s hybrid.Status) {
	gpus := len(s.GPUs)
	if device.devices != hybrid.Auto || len(device.ordinals) > 0 {
		gpus = 0 // the CPU aligns what they cannot
	}
	runtime.GOMAXPROCS(threads + gpuThreads*gpus)
}
