package gpu

import (
	"context"
	"errors"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/kernel"
)

// rowMemory is the device memory of a slot for the rows of one launch. It grows on
// demand, up to a budget that shrinks when memory is scarce.
type rowMemory struct {
	dev     *driver.Device
	stream  *driver.Stream
	kernels *kernel.Set

	at     driver.Ptr
	bytes  int
	budget int // largest total
	// old holds smaller rows that are not freed yet; total is the size of all rows.
	old   []driver.Ptr
	total int
	// maxBounds has, by kernel, the largest score bound whose rows fit.
	maxBounds []int
}

// setBudget sets the budget and the largest score bound of each kernel.
func (r *rowMemory) setBudget(bytes int) {
	r.budget = bytes
	if r.maxBounds == nil {
		r.maxBounds = make([]int, len(r.kernels.Kernels))
	}
	for i, k := range r.kernels.Kernels {
		r.maxBounds[i] = k.MaxBound(bytes / 4)
	}
}

// need grows the rows to at least bytes bytes, or to as much as the budget and the
// device allow, and returns their size.
//
// Freeing memory waits for all kernels on the device, those of other slots
// included. So smaller rows stay allocated beside larger new ones while the budget
// allows.
func (r *rowMemory) need(bytes int) (int, error) {
	if bytes <= r.bytes || r.bytes >= r.budget {
		return r.bytes, nil
	}
	// Rows at least double, so that few allocations follow.
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

// largest allocates want bytes, or as much of it as is free on the device. No rows
// are allocated when it is called; before is the size of those just freed.
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
		// The previous size is tried before any smaller one.
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
