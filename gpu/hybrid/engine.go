package hybrid

import (
	"context"
	"fmt"
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
	engine   Aligner // all of them together
	early    *early  // nil without an early start
	expected int     // GPUs that may open after an early start

	// gpus is nil while GPUs are being opened, and does not change after that.
	gpus atomic.Pointer[gpuSet]

	mu       sync.Mutex // join excludes Close
	closed   bool
	closeErr error
}

// Open makes an Engine. A GPU that the options demand and that is not usable is
// an error of type Faults; Auto uses the usable GPUs, and Status says why others
// are not used. Other errors are options of the CPU's engine out of range,
// and a file of kernels (gpu.KernelsVariable) that cannot be read. Open returns
// context.Cause(ctx) when ctx is cancelled, and does not wait for the driver
// then.
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
		set.close() // the reasons for the refusal say more than a failure here
		return nil, set.faults
	}
	e.use(set)
	return e, nil
}

// startEarly is the number of GPUs that are expected, where the engine starts
// before they are open; otherwise 0. Where no GPU is likely, the driver's answer
// is quick, and Ready is called before the first result.
func (o *Options) startEarly() int {
	if !o.StartEarly || !o.auto() || o.Share != nil || os.Getenv(gpu.KernelsVariable) != "" {
		return 0
	}
	return o.System.Expected()
}

// openLater starts on the CPU and has the GPUs join it.
func (e *Engine) openLater() {
	e.early = newEarly(e.cpu, newEligible(e.opts.CPU), earlyTurns(e.opts.CPU.Threads, e.opts.BatchBases))
	e.engine = e.early
	// Nothing waits for the goroutine. It cannot be called off, and the driver
	// may have to compile the kernels, which takes long.
	go func() {
		set := openAll(&e.opts)
		if !e.join(set) {
			set.close() // there is nobody to report a failure to
		}
	}()
}

// join switches to GPUs, unless the engine has been closed before.
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

// use makes an engine of GPUs that are open.
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

// AlignBatch fills b.Results[i] for every b.Pairs[i]. It returns early with
// ctx.Err() when ctx is cancelled, once no engine works on the batch any more. A
// GPU that fails is a *GPUError.
func (e *Engine) AlignBatch(ctx context.Context, b *align.Batch) error {
	return e.engine.AlignBatch(ctx, b)
}

// Close releases the GPUs. GPUs that are not open yet are not used any more, and
// are released when they are. No call of AlignBatch may be under way. Stats and
// Status may still be called, and Close may, which then returns the same error.
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

// checkKernelsVariable reads the user's own kernels, if any: a wrong path is an
// error on a machine without a GPU, too.
func checkKernelsVariable() error {
	path := os.Getenv(gpu.KernelsVariable)
	if path == "" {
		return nil
	}
	if _, err := os.ReadFile(path); err != nil {
		return fmt.Errorf("%s: %w", gpu.KernelsVariable, err)
	}
	return nil
}
