package gpu

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"wfagpu/align"
	"wfagpu/cuda"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/memory"
	"wfagpu/gpu/internal/passes"
)

// KernelsVariable is the name of an environment variable: the path of a fatbin,
// cubin or PTX file that replaces the embedded kernels.
const KernelsVariable = "WFAGPU_KERNELS"

// kernelImage returns the kernel image: the user's, or the embedded one.
func kernelImage() ([]byte, error) {
	if path := os.Getenv(KernelsVariable); path != "" {
		image, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrNoKernels, KernelsVariable, err)
		}
		return image, nil
	}
	image, err := cuda.Image()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoKernels, err)
	}
	return image, nil
}

// Open opens a GPU and loads the kernels. The error matches ErrNoDriver,
// ErrNoDevice, ErrTooOld or ErrNoKernels if the GPU cannot be used; any other
// error is an *Error, too little memory, or invalid options.
func Open(o Options) (*Engine, error) {
	api, err := driver.Load()
	if err != nil {
		return nil, err
	}
	return open(api, kernelImage, o)
}

// open opens a GPU with the kernels that image returns.
func open(api *driver.API, image func() ([]byte, error), o Options) (*Engine, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	image = sync.OnceValues(image)
	go image() // it takes a while to read, and the driver to open the GPU
	dev, err := driver.Open(api, o.Device)
	if err != nil {
		return nil, err
	}
	e := &Engine{dev: dev}
	err = e.configure(&o)
	if err == nil {
		err = e.prepare(image, &o)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("GPU %d (%s): %w", o.Device, dev.Info.Name, err), e.Close())
	}
	return e, nil
}

// configure sets the policy and the configuration of the kernels.
func (e *Engine) configure(o *Options) error {
	model, err := o.model()
	if err != nil {
		return err
	}
	reduced, scale := model.Affine(), model.Scale
	e.policy = passes.Policy{
		SpanRule: passes.SpanRule{
			SureRule: passes.SureRule{ExactRule: passes.ExactRule{
				BoundRule: passes.BoundRule{Penalties: reduced, Scale: scale, User: o.MaxError, Limit: align.MostBelow(o.Cutoff, scale)},
				Spans:     !model.Plain(),
			}},
			Model: model, Matrix: insideCells,
		},
		ScoreOnly: o.ScoreOnly,
	}
	if o.Approx != nil {
		rule := o.Approx.For(reduced)
		e.policy.Approx = &rule
	}
	e.config = kernel.Config{Penalties: reduced, Model: model, ScoreOnly: o.ScoreOnly, CigarCapacity: cigarCapacity, Families: strings.Fields(o.families)}
	e.config.Bands, e.config.Bounds = e.policy.Bands(loadWords*abi.LettersPerWord, e.config.WithinTexts())
	return nil
}

const (
	// leastMemory is the least device memory that an engine works with, in bytes: a
	// load of the largest size, and launches of a few pairs.
	leastMemory = 48 << 20
	// mostSequences is the largest part of the device memory for loads.
	mostSequences = 4 << 30
	// Sizes of the first slabs.
	firstSequences = 8 << 20
	firstLaunches  = 64 << 20
)

// prepare loads the kernels and plans the memory. It takes none.
func (e *Engine) prepare(image func() ([]byte, error), o *Options) error {
	read, err := image()
	if err != nil {
		return err
	}
	if e.module, err = e.dev.LoadModule(read); err != nil {
		return err
	}
	if err := e.load(); err != nil {
		return err
	}
	middle, inside, err := newMiddle(e, o)
	if err != nil {
		return err
	}
	budget, err := e.budget(o.Memory, o.MemoryPart)
	if err != nil {
		return err
	}
	if part := budget / 4; middle != nil && part >= leastMemory {
		e.middle, e.runners.inside = middle, inside
		middle.use(part)
		e.assembler.closer = &middle.assembler
		budget -= part
	}
	e.use(budget)
	return nil
}

// load loads the kernels.
func (e *Engine) load() error {
	var err error
	if e.policy.Kernels, err = kernel.Load(e.module, e.dev.Info, e.config); err != nil {
		return err
	}
	if n := len(e.policy.Kernels.Kernels); n > passes.MaxKernels {
		return fmt.Errorf("internal error: %d kernels", n)
	}
	e.estimate.BoundingWork, e.estimate.Exact = e.policy.BoundingWork, e.policy.ExactPass
	e.estimate.GatedWork = e.policy.GatedWork
	// Initial assumption: five percent of errors, a third each mismatches,
	// insertions and deletions.
	p := e.config.Penalties
	e.estimate.PerSeed = kernel.UsualPerSeed(p)
	e.estimate.UsualSlack = func(score, length int) int { return kernel.UsualSlack(p, e.policy.Spans, score, length) }
	e.estimate.Start(0.05 * float64(p.Mismatch+2*(p.GapOpen+p.GapExtend)) / 3)
	return nil
}

// use plans the use of some device memory, in bytes.
func (e *Engine) use(budget int64) {
	forLoads := min(budget/4, mostSequences)
	e.scheduler = newScheduler(&e.policy, &e.config, &e.estimate, memory.NewArena(e.dev, int(budget-forLoads), firstLaunches))
	g, x := &e.staging, &e.runners
	g.policy, g.estimate, g.scheduler, g.assembler = &e.policy, &e.estimate, e.scheduler, &e.assembler
	x.policy, x.estimate, x.scheduler, x.assembler = &e.policy, &e.estimate, e.scheduler, &e.assembler
	x.dev, x.frames.Device = e.dev, e.dev
	g.ready = sync.OnceValue(x.frames.Prepare)
	g.use(e.dev, memory.NewArena(e.dev, int(forLoads), firstSequences))
	e.scheduler.execute, e.scheduler.release = x.execute, g.release
	e.assembler.cutters.penalties = e.policy.Penalties
	e.assembler.policy, e.assembler.stageAll, e.assembler.staged = &e.policy, g.all, e.scheduler.totals.add
	e.assembler.gathering.drop = e.scheduler.drop
}

// budget returns how much device memory may be used, in bytes.
func (e *Engine) budget(memory int64, part float64) (int64, error) {
	free, _, err := e.dev.Memory()
	if err != nil {
		return 0, err
	}
	// A reserve stays free for the driver, which grows the kernels' stacks as
	// needed, and for other processes.
	budget := int64(free) - int64(free)/10 - 64<<20
	allowed := int64(free)
	if part > 0 {
		allowed = int64(part * float64(free))
		budget = min(int64(free)-64<<20, allowed)
	}
	if memory > 0 {
		allowed = min(allowed, memory)
		budget = min(budget, memory)
	}
	if budget < leastMemory {
		if allowed < int64(free) {
			return 0, fmt.Errorf("%d MiB of device memory are allowed, at least %d are needed", allowed>>20, leastMemory>>20)
		}
		return 0, fmt.Errorf("%d MiB of device memory are free, at least %d are needed", free>>20, int64(leastMemory)*10/9>>20+72)
	}
	return budget, nil
}
