package driver

import (
	"context"
	"fmt"
	"math"
	"unsafe"
)

// Stream is a queue of copies and kernels that run in the order given,
// concurrently with those of other streams. One goroutine at a time should use
// it. A kernel's failure is reported by a later call, at the latest by
// Synchronize or Wait.
type Stream struct {
	d      *Device
	handle Handle
	apart  bool // kernels are not queued behind others
	queued bool // a kernel has been since apart was set
}

// NewStream returns a stream that does not wait for CUDA's default stream.
func (d *Device) NewStream() (*Stream, error) { return d.newStream(0) }

// NewUrgentStream returns such a stream of a higher priority: blocks of its kernels are
// started before those of other streams' kernels that wait.
func (d *Device) NewUrgentStream() (*Stream, error) { return d.newStream(-1) }

func (d *Device) newStream(priority int32) (*Stream, error) {
	s := &Stream{d: d}
	err := d.run("cuStreamCreateWithPriority", func() (r Result) {
		s.handle, r = d.api.StreamCreateWithPriority(StreamNonBlocking, priority)
		return r
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Close closes the stream and does not wait: queued work still runs, and the driver
// releases the stream after it. A second Close does nothing.
func (s *Stream) Close() error {
	return s.d.destroy("cuStreamDestroy", &s.handle, s.d.api.StreamDestroy)
}

// ToDevice queues a copy of src, which must be memory of AllocPinned, to the
// device. It ignores an empty src.
func (s *Stream) ToDevice(dst Ptr, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	return s.d.run("cuMemcpyHtoDAsync", func() Result {
		return s.d.api.MemcpyHtoDAsync(dst, unsafe.Pointer(unsafe.SliceData(src)), uint64(len(src)), s.handle)
	})
}

// ToHost queues a copy from the device that fills dst, which must be memory of
// AllocPinned. It ignores an empty dst.
func (s *Stream) ToHost(dst []byte, src Ptr) error {
	if len(dst) == 0 {
		return nil
	}
	return s.d.run("cuMemcpyDtoHAsync", func() Result {
		return s.d.api.MemcpyDtoHAsync(unsafe.Pointer(unsafe.SliceData(dst)), src, uint64(len(dst)), s.handle)
	})
}

// Fill queues a fill of device memory with a byte value.
func (s *Stream) Fill(dst Ptr, value byte, bytes int) error {
	if bytes == 0 {
		return nil
	}
	if bytes < 0 {
		return fmt.Errorf("cuMemsetD8Async: %d bytes to fill", bytes)
	}
	return s.d.run("cuMemsetD8Async", func() Result {
		return s.d.api.MemsetD8Async(dst, value, uint64(bytes), s.handle)
	})
}

// SetApart begins a sequence of kernels. If they are apart, each but the first one is queued when all work before it is done: one that waits
// in its stream holds up those of other streams that share its connection to the device.
func (s *Stream) SetApart(apart bool) { s.apart, s.queued = apart, false }

// Launch queues a kernel on grid blocks of block threads each, with sharedBytes
// of dynamic shared memory per block. params points to the one struct that the
// kernel takes by value; it is copied before Launch returns.
func (s *Stream) Launch(f *Function, grid, block, sharedBytes int, params unsafe.Pointer) error {
	if min(grid, block) < 1 || sharedBytes < 0 || max(grid, block, sharedBytes) > math.MaxInt32 {
		return fmt.Errorf("cuLaunchKernel: kernel %s with grid %d, block %d, %d shared bytes", f.name, grid, block, sharedBytes)
	}
	if s.apart && s.queued {
		if err := s.Wait(context.Background()); err != nil {
			return err
		}
	}
	s.queued = true
	err := s.d.run("cuLaunchKernel", func() Result {
		return s.d.api.LaunchKernel(f.handle, uint32(grid), uint32(block), uint32(sharedBytes), s.handle, params)
	})
	if err != nil {
		return fmt.Errorf("kernel %s with grid %d, block %d, %d shared bytes: %w", f.name, grid, block, sharedBytes, err)
	}
	return nil
}

// Synchronize waits until all queued work is done. It spins on the CPU; Wait does
// not.
func (s *Stream) Synchronize() error {
	return s.d.run("cuStreamSynchronize", func() Result { return s.d.api.StreamSynchronize(s.handle) })
}

// Wait waits until all queued work is done; then the memory of that work may be used.
// This also holds if it returns ctx.Err(): a running kernel cannot be cancelled. A
// failure of the device takes precedence over ctx.Err(). Unlike Synchronize, it takes
// little time of a CPU.
func (s *Stream) Wait(ctx context.Context) error {
	done, err := s.idle()
	if err == nil && !done {
		err = s.d.waiter.wait(s)
	}
	if err != nil {
		s.Synchronize() // the device may still work; the first failure is the cause
		return err
	}
	return ctx.Err()
}

// idle reports whether all queued work is done.
func (s *Stream) idle() (bool, error) {
	ready := true
	err := s.d.run("cuStreamQuery", func() Result {
		r := s.d.api.StreamQuery(s.handle)
		if r == ResultNotReady {
			ready, r = false, Success
		}
		return r
	})
	return ready && err == nil, err
}
