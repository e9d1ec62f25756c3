package gpu

import (
	"context"
	"errors"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/kernel"
)

// rowMemory is the device memory of a slot for the rows of one launch. It grows
// with what launches need, up to a budget that shrinks when memory is scarce.
type rowMemory struct {
	dev     *driver.Device
	stream  *driver.Stream
	kernels *kernel.Set

	at     driver.Ptr
	bytes  int
	budget int // most that all rows may take
	// old holds smaller rows that are not freed yet, total the size of all.
	old   []driver.Ptr
	total int
	// maxBounds has, by kernel, the largest score bound whose rows fit.
	maxBounds []int
}

// setBudget bounds the rows, and with them the score bounds for which a kernel is
// of use.
func (r *rowMemory) setBudget(bytes int) {
	r.budget = bytes
	if r.maxBounds == nil {
		r.maxBounds = make([]int, len(r.kernels.Kernels))
	}
	for i, k := range r.kernels.Kernels {
		r.maxBounds[i] = k.MaxBound(bytes / 4)
	}
}

// need makes the rows at least as large as the smaller of bytes and what can be
// had, and returns that size.
//
// Freeing memory waits for everything on the device, kernels of other slots
// included. So while the budget allows, smaller rows are kept beside larger new
// ones rather than freed.
func (r *rowMemory) need(bytes int) (int, error) {
	if bytes <= r.bytes || r.bytes >= r.budget {
		return r.bytes, nil
	}
	// Twice as much as before, so that growing ends soon.
	want := min(max(bytes, 2*r.bytes), r.budget)
	if r.at != 0 && r.total+want <= r.budget {
		p, err := r.dev.Alloc(want)
		if err == nil {
			r.old = append(r.old, r.at)
			r.at, r.bytes = p, want
			r.total += want
			return want, nil
		}
		if !driver.IsOutOfMemory(err) {
			return 0, err
		}
	}
	if err := r.stream.Wait(context.Background()); err != nil {
		return 0, err
	}
	before := r.bytes
	if err := r.free(); err != nil {
		return 0, err
	}
	return r.largest(want, before)
}

// largest allocates want bytes, or what another process has left of it, where
// there are no rows. before is how much there was a moment ago.
func (r *rowMemory) largest(want, before int) (int, error) {
	for want > 0 {
		p, err := r.dev.Alloc(want)
		if err == nil {
			r.at, r.bytes, r.total = p, want, want
			return want, nil
		}
		if !driver.IsOutOfMemory(err) {
			return 0, err
		}
		// What was there before is worth a try before less is.
		if want > before {
			want = max(want/2, before)
		} else {
			want /= 2
		}
		r.setBudget(want)
	}
	return 0, nil
}

// free frees all rows. The stream must be idle.
func (r *rowMemory) free() error {
	var errs []error
	for _, p := range append(r.old, r.at) {
		errs = append(errs, r.dev.Free(p))
	}
	r.old, r.at, r.bytes, r.total = r.old[:0], 0, 0, 0
	return errors.Join(errs...)
}
