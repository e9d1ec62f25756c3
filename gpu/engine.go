package gpu

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"wfagpu/align"
)

// Options configure an Engine. The zero value is usable: default penalties,
// CIGARs, the first visible GPU, most of its free memory.
type Options struct {
	Penalties align.Penalties // zero value: align.DefaultPenalties
	ScoreOnly bool
	Device    int        // among the visible GPUs
	MaxError  ErrorBound // zero value: learnt from the pairs
	// Approx selects the approximate mode, with the same scores as package
	// align; nil means exact.
	Approx *align.Approx
	// Memory bounds the device memory in bytes; 0 is most of what is free.
	Memory int64

	packOnDevice bool // for tests: also on hosts that can
}

const (
	maxLanes = 32
	// manyPairs is a load of short pairs. They keep the host busier than the
	// device, so that more than maxBusy of them at a time are slower. The kernels
	// of fewer, longer ones wait for memory, which more lanes hide.
	manyPairs = 1 << 15
	maxBusy   = 16
	// laneMemory is about what a lane needs to be of use: its buffers, and
	// rows for a few thousand short pairs or a few long ones.
	laneMemory = 256 << 20
	// minRows is the least memory for rows that is worth a start.
	minRows = 16 << 20
)

// Engine aligns batches on one GPU. It is safe for concurrent use; concurrent
// calls share the lanes.
type Engine struct {
	penalties align.Penalties // reduced
	scale     int             // their gcd
	cheapest  int             // cheapestRun of them
	scoreOnly bool
	bound     ErrorBound
	approx    *align.Approx                 // nil in exact mode
	windows   [mostKinds]align.AdaptiveBand // of the approximate kinds of tasks
	kinds     int                           // how many there are

	dev       *device
	module    *module
	kernels   *kernels
	packs     bool // the host packs, not the device
	estimate  estimator
	rowBudget int // of one lane, in bytes

	// lanes holds the idle ones; nil stands for one that is not made yet.
	lanes chan *lane
	busy  chan struct{} // a token for each load of manyPairs

	mu    sync.Mutex
	made  int // lanes that exist or are being made
	stats Stats
}

// Open prepares a GPU. The error matches ErrNoDriver, ErrNoDevice, ErrTooOld or
// ErrNoKernels where there is nothing to work with; anything else is an *Error
// or bad options.
func Open(o Options) (*Engine, error) {
	drv, err := loadDriver()
	if err != nil {
		return nil, err
	}
	image, err := kernelImage()
	if err != nil {
		return nil, err
	}
	return open(drv, image, o)
}

func open(drv *driver, image []byte, o Options) (*Engine, error) {
	if o.Penalties == (align.Penalties{}) {
		o.Penalties = align.DefaultPenalties
	}
	if err := o.Penalties.Validate(); err != nil {
		return nil, err
	}
	if o.Approx != nil {
		if err := o.Approx.Validate(); err != nil {
			return nil, err
		}
	}
	dev, err := openDevice(drv, o.Device)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		scoreOnly: o.ScoreOnly, bound: o.MaxError, approx: o.Approx,
		dev: dev, packs: canPack && !o.packOnDevice,
	}
	e.penalties, e.scale = o.Penalties.Reduced()
	p := e.penalties
	e.cheapest = cheapestRun(p)
	e.kinds = len(variants)
	e.setWindows()
	// Five percent of errors, a third of them each mismatches, insertions and
	// deletions, until pairs have shown what they are like.
	e.estimate.initial = 0.05 * float64(p.Mismatch+2*(p.GapOpen+p.GapExtend)) / 3
	if err := e.prepare(image, o.Memory); err != nil {
		return nil, errors.Join(fmt.Errorf("GPU %d (%s): %w", o.Device, dev.info.Name, err), e.Close())
	}
	return e, nil
}

// prepare loads the kernels and plans the lanes.
func (e *Engine) prepare(image []byte, memory int64) error {
	var err error
	if e.module, err = e.dev.loadModule(image); err != nil {
		return err
	}
	if e.kernels, err = loadKernels(e.module, e.dev.info, e.penalties, e.scoreOnly, e.approx != nil); err != nil {
		return err
	}
	free, _, err := e.dev.memory()
	if err != nil {
		return err
	}
	// Some stays free for the driver, whose kernels' stacks it grows as
	// needed, and for neighbours.
	budget := int64(free) - int64(free)/10 - 64<<20
	if memory > 0 {
		budget = min(budget, memory)
	}
	lanes := int(min(max(budget/laneMemory, 1), maxLanes))
	_, fixed := e.deviceLayout()
	each := int(budget/int64(lanes)) - fixed
	if each < minRows {
		if memory > 0 && memory < int64(free) {
			return fmt.Errorf("%d MiB of device memory are allowed, at least %d are needed", memory>>20, (fixed+minRows)>>20+1)
		}
		return fmt.Errorf("%d MiB of device memory are free, at least %d are needed",
			free>>20, (int64(fixed+minRows)*10/9)>>20+72)
	}
	e.rowBudget = each
	e.lanes = make(chan *lane, lanes)
	e.busy = make(chan struct{}, maxBusy)
	for range lanes {
		e.lanes <- nil
	}
	return nil
}

// Device describes the GPU.
func (e *Engine) Device() DeviceInfo { return e.dev.info }

// AlignBatch fills b.Results[i] for every b.Pairs[i]. Pairs that the GPU cannot
// finish have an Unfinished error; Rescue passes these on. It returns early
// with ctx.Err() when ctx is cancelled, but never before the device has let go
// of the batch; results are then incomplete. Any other error means that the
// device has failed.
func (e *Engine) AlignBatch(ctx context.Context, b *align.Batch) error {
	return e.align(ctx, b, func([]int32) {})
}

// align is AlignBatch. It calls left with the pairs that a load leaves
// unfinished, as soon as the load is through; the slice is valid during the
// call.
func (e *Engine) align(ctx context.Context, b *align.Batch, left func(pairs []int32)) error {
	b.PrepareResults()
	outer := ctx
	ctx, cancel := context.WithCancelCause(outer)
	defer cancel(nil)
	loads := &loads{pairs: b.Pairs}
	var wg sync.WaitGroup
	var work func()
	started := 0 // of the goroutines; each load's taker starts the next one
	work = func() {
		for ctx.Err() == nil {
			from, to := loads.take(func() {
				if started++; started < cap(e.lanes) {
					wg.Go(work)
				}
			})
			if from == to {
				return
			}
			if err := e.run(ctx, b, from, to, left); err != nil {
				cancel(err)
				return
			}
		}
	}
	wg.Go(work)
	wg.Wait()
	return firstError(outer, ctx)
}

// run has a lane take a load, when there are not too many like it. It calls left
// as align does.
func (e *Engine) run(ctx context.Context, b *align.Batch, from, to int, left func(pairs []int32)) error {
	if to-from >= manyPairs {
		select {
		case e.busy <- struct{}{}:
			defer func() { <-e.busy }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	l, err := e.acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { e.lanes <- l }()
	if err := l.run(ctx, b, from, to); err != nil {
		return err
	}
	if len(l.left) > 0 {
		left(l.left)
	}
	return nil
}

// firstError is what ended ctx, nil if nothing has. Where that is the end of
// outer, of which ctx was made, it is outer.Err().
func firstError(outer, ctx context.Context) error {
	err := context.Cause(ctx)
	if outer.Err() != nil && err == context.Cause(outer) {
		return outer.Err()
	}
	return err
}

// loads deals a batch out.
type loads struct {
	pairs []align.Pair
	mu    sync.Mutex
	next  int
}

// take returns the next load, empty at the end. If there is more after it, it
// calls more before another take can return.
func (l *loads) take(more func()) (from, to int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from = l.next
	l.next = cut(l.pairs, from)
	if l.next < len(l.pairs) {
		more()
	}
	return from, l.next
}

// acquire waits for a lane and makes it if need be. Where memory has become
// scarce it does with the lanes that there are.
func (e *Engine) acquire(ctx context.Context) (*lane, error) {
	for {
		var l *lane
		select {
		case l = <-e.lanes:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if l != nil {
			return l, nil
		}
		e.mu.Lock()
		e.made++
		e.mu.Unlock()
		l, err := newLane(e, e.rowBudget)
		if err == nil {
			return l, nil
		}
		e.mu.Lock()
		e.made--
		others := e.made
		e.mu.Unlock()
		if !isOutOfMemory(err) || others == 0 {
			e.lanes <- nil
			return nil, err
		}
	}
}

// finished takes in what a lane has counted and seen.
func (e *Engine) finished(l *lane) {
	e.estimate.learn(&l.seen)
	e.mu.Lock()
	e.stats.add(l.stats)
	e.mu.Unlock()
}

// Stats sums up all loads so far.
func (e *Engine) Stats() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stats
}

// Close frees the device's memory. No call may be under way.
func (e *Engine) Close() error {
	var errs []error
	for {
		select {
		case l := <-e.lanes:
			if l != nil {
				errs = append(errs, l.close())
			}
			continue
		default:
		}
		break
	}
	if e.module != nil {
		errs = append(errs, e.module.close())
		e.module = nil
	}
	errs = append(errs, e.dev.close())
	return errors.Join(errs...)
}
