package main

import (
	"context"
	"os"

	"wfagpu/align"
	"wfagpu/gpu"
)

// startEngines is openEngines or, where that is possible, begins on the CPU while
// the GPUs are opened. say is given the notice as soon as it is known, perhaps in
// the middle of the run and by another goroutine.
func startEngines(ctx context.Context, opts *alignOptions, cpuOpts align.Options, say func(notice string)) (*engines, error) {
	if n := opts.earlyGPUs(); n > 0 {
		return beginEngines(opts, cpuOpts, n, say)
	}
	e, err := openEngines(ctx, opts, cpuOpts)
	if err == nil && e.notice != "" {
		say(e.notice)
	}
	return e, err
}

// earlyGPUs is the number of GPUs that are expected where the run may begin
// before they are open, else 0.
//
// It may with auto alone, where no GPU is demanded whose absence would be an
// error. The user's own kernels may be refused, which is an error, too. With
// --recall, pairs are aligned a second time on other engines, which share the
// GPUs' memory with the first ones. Where nothing speaks for a GPU, the driver's
// answer is quick, and what aligns can be said before the first result.
func (o *alignOptions) earlyGPUs() int {
	if o.device.kind != "auto" || o.recall || os.Getenv(gpu.KernelsVariable) != "" || o.gpus.expected == nil {
		return 0
	}
	return o.gpus.expected()
}

// beginEngines has the run begin on the CPU and go on on the GPUs, of which
// expected may come.
func beginEngines(opts *alignOptions, cpuOpts align.Options, expected int, say func(notice string)) (*engines, error) {
	cpu, err := newCPU(cpuOpts)
	if err != nil {
		return nil, err
	}
	j := newJoining(cpu, newEarlyBatches(cpu.Options()), earlyTurns(opts.threads, opts.batchBases))
	e := &engines{aligner: j, cpu: cpu, joining: j, expected: expected}
	system, gpuOpts := opts.gpus, gpuOptions(opts, cpuOpts)
	// Nothing waits for it. It cannot be called off, and the driver may have to
	// compile the kernels, which takes long.
	go func() {
		set := system.openAll(nil, gpuOpts, cpu)
		if !j.join(set, func() { say(e.says(set)) }) {
			set.close() // there is nobody left who could be told of a failure
		}
	}()
	return e, nil
}

// settle is called when the last batch is through, well or not. From then on gpus
// are those that the run has used. It reports whether that was known in time.
func (e *engines) settle() bool {
	if e.joining == nil {
		return true
	}
	set := e.joining.end()
	if set != nil {
		e.gpus = set.workers
	}
	return set != nil
}

// early is how many pairs the CPU has aligned before GPUs joined it, 0 where none
// did.
func (e *engines) early() int64 {
	if e.joining == nil || len(e.gpus) == 0 {
		return 0
	}
	return e.joining.pairs.Load()
}
