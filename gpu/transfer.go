package gpu

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/memory"
)

// maxTransfers is the largest number of loads that are copied to the device at a time.
const maxTransfers = 32

// mostApart is the pinned memory, in bytes, of the loads that are copied apart from their stagers. A stager waits for the
// copy of what is beyond that: pinning memory takes longer than it would save.
const mostApart = 32 << 20

// transfer is the copy of a load's sequences to the device, after which its tasks are queued.
type transfer struct {
	load   *load
	groups []group         // of its tasks
	pinned []byte          // has the sequences, and is given back
	bytes  int             // of them
	apart  int64           // what counts of it in transfers.apart
	rates  *estimate.Rates // by which the tasks were chosen, nil for later passes
}

// transfers copies loads to the device. It is safe for concurrent use.
type transfers struct {
	dev     *driver.Device
	idle    chan *driver.Stream // nil is one that is not made yet
	apart   *atomic.Int64       // pinned memory of loads that are copied apart from their stagers, in bytes
	staging *memory.Pinned
	// add queues the tasks of a load.
	add func(l *load, groups []group, r *estimate.Rates)
}

func newTransfers(dev *driver.Device, staging *memory.Pinned, add func(*load, []group, *estimate.Rates)) transfers {
	t := transfers{dev: dev, idle: make(chan *driver.Stream, maxTransfers), apart: new(atomic.Int64), staging: staging, add: add}
	for range maxTransfers {
		t.idle <- nil
	}
	return t
}

// begin copies a load, in another goroutine unless too much is copied so, so that the next one is staged meanwhile.
func (t *transfers) begin(x *transfer) {
	stream, size := <-t.idle, int64(len(x.pinned))
	if t.apart.Add(size) > mostApart {
		t.apart.Add(-size)
		t.finish(x, stream)
		return
	}
	x.apart, x.groups = size, slices.Clone(x.groups) // the stager's are reused
	go t.finish(x, stream)
}

// finish copies a load and queues its tasks, or ends their call with an error.
func (t *transfers) finish(x *transfer, stream *driver.Stream) {
	var err error
	if stream == nil {
		stream, err = t.dev.NewStream()
	}
	if err == nil {
		err = x.copy(stream)
	}
	t.idle <- stream
	t.staging.Give(x.pinned)
	t.apart.Add(-x.apart)
	if err != nil {
		x.load.call.fail(err) // then its tasks leave at once
	}
	t.add(x.load, x.groups, x.rates)
}

// copy returns when the device has the sequences and nothing uses the pinned memory any more.
func (x *transfer) copy(stream *driver.Stream) error {
	err := stream.ToDevice(x.load.sequences.At, x.pinned[:x.bytes])
	if err == nil {
		err = stream.Wait(context.Background())
	}
	if err != nil {
		stream.Synchronize() // the copy may be in progress
	}
	return err
}

// close closes the streams. No transfer may be in progress.
func (t *transfers) close() error {
	var errs []error
	for range len(t.idle) {
		if s := <-t.idle; s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(errs...)
}
