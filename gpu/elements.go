package gpu

import (
	"context"

	"wfagpu/gpu/internal/driver"
)

// fetchElements copies the n elements in use of a launch's alignments from the device, into pinned memory of their own, or,
// if the system refuses that, through the spare part of the launch's. They are there until giveElements.
func (r *runner) fetchElements(s *driver.Stream, at driver.Ptr, n int, spare []byte) error {
	if n == 0 {
		return nil
	}
	var err error
	if r.borrowed, err = r.pinned.Offer(context.Background(), elementBytes*n); err != nil {
		return err
	}
	if r.borrowed != nil {
		r.elements = view[uint32](r.borrowed, n)
		if err := s.ToHost(r.borrowed[:elementBytes*n], at); err != nil {
			return err
		}
		return s.Wait(context.Background())
	}
	r.elements = make([]uint32, n)
	piece := view[uint32](spare, len(spare)/elementBytes)
	for to := r.elements; len(to) > 0; {
		k := min(len(to), len(piece))
		if err := s.ToHost(spare[:elementBytes*k], at); err != nil {
			return err
		}
		if err := s.Wait(context.Background()); err != nil {
			return err
		}
		copy(to, piece[:k])
		to, at = to[k:], at+driver.Ptr(elementBytes*k)
	}
	return nil
}

// giveElements gives the memory of elements back. The device does not use it any more.
func (r *runner) giveElements() {
	if r.borrowed != nil {
		r.pinned.Give(r.borrowed)
	}
	r.borrowed, r.elements = nil, nil
}
