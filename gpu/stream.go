package gpu

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"
	"unsafe"
)

// stream is a queue of copies and kernels that run in the order given, beside
// those of other streams. One goroutine at a time should use it. What a kernel
// does wrong shows up in a later call, at the latest in synchronize or wait.
type stream struct {
	d      *device
	handle handle
	done   handle // the event that wait sleeps on
}

// newStream returns a stream that does not wait for CUDA's default stream.
func (d *device) newStream() (*stream, error) {
	s := &stream{d: d}
	err := d.run("cuStreamCreate", func() (r result) {
		s.handle, r = d.drv.streamCreate(streamNonBlocking)
		return r
	})
	if err != nil {
		return nil, err
	}
	s.done, err = d.createEvent(eventBlockingSync | eventDisableTiming)
	if err != nil {
		s.close() // the first failure says more
		return nil, err
	}
	return s, nil
}

// close waits for nothing: what is queued still runs, and the driver lets go of
// the stream then. Closing twice does nothing.
func (s *stream) close() error {
	err := s.d.destroy("cuEventDestroy", &s.done, s.d.drv.eventDestroy)
	if e := s.d.destroy("cuStreamDestroy", &s.handle, s.d.drv.streamDestroy); err == nil {
		err = e
	}
	return err
}

// toDevice queues a copy of src, which must be memory of allocPinned, to the
// device. An empty copy is none.
func (s *stream) toDevice(dst devicePtr, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	return s.d.run("cuMemcpyHtoDAsync", func() result {
		return s.d.drv.memcpyHtoDAsync(dst, unsafe.Pointer(unsafe.SliceData(src)), uint64(len(src)), s.handle)
	})
}

// toHost queues a copy from the device that fills dst, which must be memory of
// allocPinned.
func (s *stream) toHost(dst []byte, src devicePtr) error {
	if len(dst) == 0 {
		return nil
	}
	return s.d.run("cuMemcpyDtoHAsync", func() result {
		return s.d.drv.memcpyDtoHAsync(unsafe.Pointer(unsafe.SliceData(dst)), src, uint64(len(dst)), s.handle)
	})
}

// fill queues setting bytes of device memory to a value.
func (s *stream) fill(dst devicePtr, value byte, bytes int) error {
	if bytes == 0 {
		return nil
	}
	if bytes < 0 {
		return fmt.Errorf("cuMemsetD8Async: %d bytes to fill", bytes)
	}
	return s.d.run("cuMemsetD8Async", func() result {
		return s.d.drv.memsetD8Async(dst, value, uint64(bytes), s.handle)
	})
}

// launch queues a kernel on grid blocks of block threads each, with sharedBytes
// of dynamic shared memory per block. params points to the one struct that the
// kernel takes by value; it is copied before launch returns.
func (s *stream) launch(f function, grid, block, sharedBytes int, params unsafe.Pointer) error {
	if min(grid, block) < 1 || sharedBytes < 0 || max(grid, block, sharedBytes) > math.MaxInt32 {
		return fmt.Errorf("cuLaunchKernel: kernel %s with grid %d, block %d, %d shared bytes", f.name, grid, block, sharedBytes)
	}
	err := s.d.run("cuLaunchKernel", func() result {
		return s.d.drv.launchKernel(f.handle, uint32(grid), uint32(block), uint32(sharedBytes), s.handle, params)
	})
	if err != nil {
		return fmt.Errorf("kernel %s with grid %d, block %d, %d shared bytes: %w", f.name, grid, block, sharedBytes, err)
	}
	return nil
}

// synchronize returns when everything queued is done. It spins on the CPU
// meanwhile; wait does not.
func (s *stream) synchronize() error {
	return s.d.run("cuStreamSynchronize", func() result { return s.d.drv.streamSynchronize(s.handle) })
}

// spinTime is about what falling asleep and being woken by the device's
// interrupt costs. Spinning longer could waste more than it saves. A variable
// for tests alone.
var spinTime = 20 * time.Microsecond

// wait returns when everything queued is done, and the memory that it used may
// be touched again. That holds for every return, also with the error of ctx: a
// kernel that runs cannot be called off. A failure of the device goes before
// the error of ctx.
//
// Engines keep several streams per device and have a goroutine wait on each,
// while the CPUs pack and decode other batches. cuStreamSynchronize would spin,
// on as many CPUs as there are streams. So wait asks for a short while, which is
// quick for batches that are as good as done and lets other goroutines run in
// between, and then sleeps in the driver on an event made for that: the thread
// costs nothing, and Go runs other goroutines in its place.
func (s *stream) wait(ctx context.Context) error {
	if err := s.settle(); err != nil {
		return err
	}
	return ctx.Err()
}

func (s *stream) settle() error {
	for start := time.Now(); ; runtime.Gosched() {
		done, err := s.idle()
		if done || err != nil {
			return err
		}
		if time.Since(start) >= spinTime {
			break
		}
	}
	err := s.d.run("cuEventRecord", func() result { return s.d.drv.eventRecord(s.done, s.handle) })
	if err != nil {
		s.synchronize() // the device may still be at work; the first failure says more
		return err
	}
	return s.d.run("cuEventSynchronize", func() result { return s.d.drv.eventSynchronize(s.done) })
}

// idle reports whether everything queued is done.
func (s *stream) idle() (bool, error) {
	ready := true
	err := s.d.run("cuStreamQuery", func() result {
		r := s.d.drv.streamQuery(s.handle)
		if r == resultNotReady {
			ready, r = false, success
		}
		return r
	})
	return ready && err == nil, err
}
