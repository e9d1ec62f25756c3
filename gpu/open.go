package gpu

import (
	"errors"
	"fmt"
	"os"

	"wfagpu/cuda"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/pack"
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
	image, err := kernelImage()
	if err != nil {
		return nil, err
	}
	return open(api, image, o)
}

func open(api *driver.API, image []byte, o Options) (*Engine, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	dev, err := driver.Open(api, o.Device)
	if err != nil {
		return nil, err
	}
	e := &Engine{shared: shared{dev: dev, hostPacks: pack.Available && !o.packOnDevice}}
	reduced, scale := o.Penalties.Reduced()
	e.policy = policy{
		penalties: reduced, scale: scale, scoreOnly: o.ScoreOnly, user: o.MaxError, approx: o.Approx,
	}
	e.config = kernel.Config{
		Penalties: reduced, ScoreOnly: o.ScoreOnly,
		Bands: e.policy.bands(chunkLetters), CigarCapacity: chunkCigars,
	}
	// Initial assumption: five percent of errors, a third each mismatches,
	// insertions and deletions.
	e.estimate.initial = 0.05 * float64(reduced.Mismatch+2*(reduced.GapOpen+reduced.GapExtend)) / 3
	if err := e.prepare(image, o.Memory, o.MemoryPart); err != nil {
		return nil, errors.Join(fmt.Errorf("GPU %d (%s): %w", o.Device, dev.Info.Name, err), e.Close())
	}
	return e, nil
}

// prepare loads the kernels and plans the slots.
func (e *Engine) prepare(image []byte, memory int64, part float64) error {
	var err error
	if e.module, err = e.dev.LoadModule(image); err != nil {
		return err
	}
	if e.packer, err = kernel.LoadPacker(e.module); err != nil {
		return err
	}
	if e.policy.kernels, err = kernel.Load(e.module, e.dev.Info, e.config); err != nil {
		return err
	}
	if n := len(e.policy.kernels.Kernels); n > maxKernels {
		return fmt.Errorf("internal error: %d kernels", n)
	}
	free, _, err := e.dev.Memory()
	if err != nil {
		return err
	}
	// A reserve stays free for the driver, which grows the kernels' stacks as
	// needed, and for other processes.
	budget := int64(free) - int64(free)/10 - 64<<20
	if part > 0 {
		budget = min(int64(free)-64<<20, int64(part*float64(free)))
	}
	if memory > 0 {
		budget = min(budget, memory)
	}
	slots := int(min(max(budget/slotMemory, 1), maxSlots))
	_, fixed := deviceLayout(e.hostPacks)
	each := int(budget/int64(slots)) - fixed
	if each < minRows {
		if memory > 0 && memory < int64(free) {
			return fmt.Errorf("%d MiB of device memory are allowed, at least %d are needed", memory>>20, (fixed+minRows)>>20+1)
		}
		return fmt.Errorf("%d MiB of device memory are free, at least %d are needed",
			free>>20, (int64(fixed+minRows)*10/9)>>20+72)
	}
	e.rowBudget = each
	e.slots = make(chan *slot, slots)
	e.busy = make(chan struct{}, maxBusy)
	for range slots {
		e.slots <- nil
	}
	return nil
}
