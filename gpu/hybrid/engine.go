package hybrid

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"wfagpu/align"
	"wfagpu/gpu"
)

// Engine aligns batches on GPUs and on the CPU. It is an Aligner and safe for
// concurrent use. Several batches in flight keep it busy; see InFlight.
type Engine struct {
	opts  Options
	start time.Time
	cpu   *align.Engine
	team  *team

	// gpus is nil while GPUs are being opened, and does not change after that.
	gpus atomic.Pointer[gpuSet]
	// opened is closed when gpus is set. err is then why the engine cannot align.
	opened chan struct{}
	err    error

	mu       sync.Mutex // settle excludes Close
	closed   bool
	closing  chan struct{} // closed by Close
	closeErr error
}

// Open returns an Engine. If a GPU that the options require is not usable, the
// error is of type Faults; with Options.Background, Wait and AlignBatch return it.
// With Auto, Open uses the usable GPUs, and Status gives the reason for each other
// one. Other errors: options of the CPU engine out of range, ErrModel, and a file of kernels
// (gpu.KernelsVariable) that cannot be read. When ctx is cancelled, Open returns
// context.Cause(ctx) and does not wait for the driver.
func Open(ctx context.Context, o Options) (*Engine, error) {
	cpu, err := align.New(o.CPU)
	if err != nil {
		return nil, err
	}
	o.CPU = cpu.Options()
	e := &Engine{opts: o.withDefaults(), start: time.Now(), cpu: cpu, opened: make(chan struct{}), closing: make(chan struct{})}
	if err := e.opts.placeModel(); err != nil {
		return nil, err
	}
	if !e.opts.cpuOnly() {
		if err := checkKernelsVariable(); err != nil {
			return nil, err
		}
	}
	e.team = newTeam(e.cpuMember())
	e.team.model.cutoff = o.CPU.Cutoff
	if e.opts.cpuOnly() {
		e.settle(&gpuSet{})
		return e, nil
	}
	background := e.opts.inBackground()
	if background {
		e.team.rest = e.opts.Rest
	}
	// Nobody waits for the goroutine: opening cannot be cancelled and takes long
	// if the driver compiles the kernels.
	go e.openGPUs(background)
	if background {
		return e, nil
	}
	if err := e.Wait(ctx); err != nil {
		e.Close() // its error is dropped: err is the cause
		return nil, err
	}
	return e, nil
}

// inBackground reports whether the GPUs are opened in the background. If no GPU is
// likely, the driver answers quickly, and Ready is called before the first result.
// Kernels of the user are an error before the first result, too.
func (o *Options) inBackground() bool {
	return o.Background && os.Getenv(gpu.KernelsVariable) == "" && (!o.auto() || o.System.Expected() > 0)
}

// cpuMember is the CPU as a member of the team, nil if it only aligns fallbacks.
func (e *Engine) cpuMember() *member {
	if !e.opts.auto() && !e.opts.cpuOnly() {
		return nil
	}
	threads := e.opts.CPU.Threads
	return &member{engine: cpuEngine{e.cpu}, assumed: rateThread * float64(threads), room: roomOnCPU(threads)}
}

func (e *Engine) openGPUs(background bool) {
	if background && e.opts.auto() && e.opts.Rest != nil && !e.team.awaitNeed(e.closing) {
		return
	}
	set := openAll(&e.opts)
	if !e.settle(set) {
		set.close() // the engine is closed; a failure cannot be reported
	}
}

// settle composes the team of open GPUs and the CPU. It reports false if the engine
// is closed already.
func (e *Engine) settle(set *gpuSet) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	defer close(e.opened)
	if set.refused(&e.opts) {
		set.close() // its error is dropped: the faults are the cause
		set.gpus = nil
		e.err = set.faults
		e.gpus.Store(set)
		e.team.fail(e.err)
		return true
	}
	if len(set.gpus) > 0 {
		set.opening = time.Since(e.start)
	}
	e.gpus.Store(set)
	if e.opts.Ready != nil {
		e.opts.Ready(e.Status())
	}
	watch := &hostWatch{gpus: set.gpus}
	e.team.join(set.members(e.cpu), watch.hostLimits)
	return true
}

// Wait waits until the GPUs are open. It returns an error of type Faults if a GPU
// that the options require is not usable, and context.Cause(ctx) when ctx ends.
func (e *Engine) Wait(ctx context.Context) error {
	select {
	case <-e.opened:
		return e.err
	default:
	}
	select {
	case <-e.opened:
		return e.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// InFlight returns the number of batches that a caller that reads, aligns and writes
// concurrently keeps in flight if the CPU aligns alone: one for each thread, one
// being read and one being written. It returns 0 if GPUs align, or are being opened or
// about to be: more batches in flight keep a GPU busier, as far as memory allows.
func (e *Engine) InFlight() int {
	if !e.team.isCPUAlone() {
		return 0
	}
	return e.opts.CPU.Threads + 2
}

// AlignBatch fills b.Results[i] for every b.Pairs[i]. When ctx is cancelled, it
// waits until no engine uses the batch and returns ctx.Err(). The failure of a GPU
// is a *GPUError. If a GPU that the options require is not usable, the error is of
// type Faults.
func (e *Engine) AlignBatch(ctx context.Context, b *align.Batch) error {
	return e.team.AlignBatch(ctx, b)
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
	close(e.closing)
	if set := e.gpus.Load(); set != nil {
		e.closeErr = set.close()
	}
	return e.closeErr
}
