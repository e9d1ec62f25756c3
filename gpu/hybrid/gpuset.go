package hybrid

import (
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"wfagpu/gpu"
)

// gpuSet is the outcome of opening GPUs: the usable ones, and the faults of others.
type gpuSet struct {
	gpus      []GPU
	faults    Faults
	leaveOpen bool
	opening   time.Duration // since Open, 0 without GPUs
}

// openAll opens GPUs concurrently; each takes some tenths of a second.
func openAll(o *Options) *gpuSet {
	set := &gpuSet{leaveOpen: o.LeaveOpen}
	ordinals := o.Ordinals
	if len(ordinals) == 0 {
		n, err := o.System.Count()
		if err != nil {
			set.faults = Faults{err}
			return set
		}
		for i := range n {
			ordinals = append(ordinals, i)
		}
	}
	opened := make([]GPU, len(ordinals))
	errs := make([]error, len(ordinals))
	var wg sync.WaitGroup
	for i, ordinal := range ordinals {
		wg.Go(func() { opened[i], errs[i] = openOne(o, ordinal) })
	}
	wg.Wait()
	for i, g := range opened {
		if errs[i] != nil {
			set.faults = append(set.faults, errs[i])
		} else {
			set.gpus = append(set.gpus, g)
		}
	}
	return set
}

func openOne(o *Options, ordinal int) (GPU, error) {
	g, err := o.gpuOptions(ordinal)
	if err != nil {
		return nil, err
	}
	return o.System.Open(g)
}

// members returns these GPUs as members of a team, with cpu for their fallbacks.
func (s *gpuSet) members(cpu Aligner) []*member {
	var all []*member
	for _, g := range s.gpus {
		all = append(all, &member{engine: &Fallback{GPU: g, Other: cpu}, assumed: rateGPU, full: fullGPU, room: alwaysRoom})
	}
	return all
}

// close releases the GPUs concurrently.
func (s *gpuSet) close() error {
	if s.leaveOpen {
		return nil
	}
	errs := make([]error, len(s.gpus))
	var wg sync.WaitGroup
	for i, g := range s.gpus {
		wg.Go(func() { errs[i] = g.Close() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// refused reports whether a GPU that the options require is not usable.
func (s *gpuSet) refused(o *Options) bool {
	switch {
	case len(o.Ordinals) > 0: // all or nothing
		return len(s.faults) > 0
	case len(s.gpus) > 0:
		return false
	}
	return o.Devices == RequireGPU || s.kernelsRefused()
}

// kernelsRefused reports whether the user's kernels make a GPU unusable. If no other
// GPU is usable, that is an error, not a reason to align on the CPU.
func (s *gpuSet) kernelsRefused() bool {
	return os.Getenv(gpu.KernelsVariable) != "" &&
		slices.ContainsFunc(s.faults, func(err error) bool { return errors.Is(err, gpu.ErrNoKernels) })
}
