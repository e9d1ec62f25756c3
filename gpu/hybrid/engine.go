package hybrid

import (
	"context"
	"os"
	"sync"
	"sync/atomic"

	"wfagpu/align"
	"wfagpu/gpu"
)

// Engine aligns batches on GPUs and on the CPU. It is an Aligner and safe for
// concurrent use. Several batches in flight keep it busy; see InFlight.
type Engine struct {
	opts     Options
	cpu      *align.Engine
	engine   Aligner // CPU and GPUs, composed
	early    *early  // nil without an early start
	expected int     // GPUs that may open after an early start

	// gpus is nil while GPUs are being opened, and does not change after that.
	gpus atomic.Pointer[gpuSet]

	mu       sync.Mutex // join excludes Close
	closed   bool
	closeErr error
}

// Open returns an Engine. If a GPU that the options require is not usable, the
// error is of type Faults. With Auto, Open uses the usable GPUs, and Status gives
// the reason for each other one. Other errors: options of the CPU engine out of
// range, and a file of kernels (gpu.KernelsVariable) that cannot be read. When ctx
// is cancelled, Open returns context.Cause(ctx) and does not wait for the driver.
func Open(ctx context.Context, o Options) (*Engine, error) {
	cpu, err := align.New(o.CPU)
	if err != nil {
		return nil, err
	}
	o.CPU = cpu.Options()
	e := &Engine{opts: o.withDefaults(), cpu: cpu}
	if e.opts.cpuOnly() {
		e.use(&gpuSet{})
		return e, nil
	}
	if e.expected = e.opts.startEarly(); e.expected > 0 {
		e.openLater()
		return e, nil
	}
	if err := checkKernelsVariable(); err != nil {
		return nil, err
	}
	set, err := openGPUs(ctx, &e.opts)
	if err != nil {
		return nil, err
	}
	if set.refused(&e.opts) {
		set.close() // its error is dropped: the faults are the cause
		return nil, set.faults
	}
	e.use(set)
	return e, nil
}

// startEarly returns the number of GPUs that are expected if the engine starts
// before they are open, otherwise 0. If no GPU is likely, the driver answers
// quickly, and Ready is called before the first result.
func (o *Options) startEarly() int {
	if !o.StartEarly || !o.auto() || o.Share != nil || os.Getenv(gpu.KernelsVariable) != "" {
		return 0
	}
	return o.System.Expected()
}

// openLater starts on the CPU and opens the GPUs concurrently; they join the engine.
func (e *Engine) openLater() {
	e.early = newEarly(e.cpu, newEligible(e.opts.CPU), earlyTurns(e.opts.CPU.Threads, e.opts.BatchBases))
	e.engine = e.early
	// Close does not wait for the goroutine: opening cannot be cancelled and
	// takes long if the driver compiles the kernels.
	go func() {
		set := openAll(&e.opts)
		if !e.join(set) {
			set.close() // the engine is closed; a failure cannot be reported
		}
	}()
}

// join switches to GPUs. It reports false if the engine is closed already.
func (e *Engine) join(set *gpuSet) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	e.know(set)
	e.early.switchTo(set.before(e.cpu))
	return true
}

// use composes the engine of open GPUs and the CPU.
func (e *Engine) use(set *gpuSet) {
	e.engine = set.before(e.cpu)
	e.know(set)
}

func (e *Engine) know(set *gpuSet) {
	e.gpus.Store(set)
	if e.opts.Ready != nil {
		e.opts.Ready(e.Status())
	}
}

// AlignBatch fills b.Results[i] for every b.Pairs[i]. When ctx is cancelled, it
// waits until no engine uses the batch and returns ctx.Err(). The failure of a GPU
// is a *GPUError.
func (e *Engine) AlignBatch(ctx context.Context, b *align.Batch) error {
	return e.engine.AlignBatch(ctx, b)
}

// Close releases the GPUs. GPUs that are still opening are released once they are
// open. No call of AlignBatch may be in progress. Stats, Status and Close may be
// called after Close; a second Close returns the same error.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return e.closeErr
	}
	e.closed = true
	if set := e.gpus.Load(); set != nil {
		e.closeErr = set.close()
	}
	return e.closeErr
}
