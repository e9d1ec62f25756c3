package gpu

import (
	"context"
	"errors"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/kernel"
)

// shared is the common data of an engine's slots.
type shared struct {
	dev       *driver.Device
	packer    *kernel.Packer
	hostPacks bool // not the device
	config    kernel.Config
	policy    policy
	rowBudget int // of one slot, in bytes
}

// minRows is the least memory for the rows of a slot, in bytes.
const minRows = 16 << 20

// slot is a stream with its own memory on the host and on the device. It aligns one
// chunk at a time, in as many passes as the chunk needs.
type slot struct {
	stream *driver.Stream
	mem    *buffers
	rows   rowMemory
	chunk  chunk
	pass   pass
	shared *shared
}

// newSlot allocates a slot.
func newSlot(common *shared) (*slot, error) {
	mem, err := allocate(common.dev, common.hostPacks)
	if err != nil {
		return nil, err
	}
	s := &slot{mem: mem, shared: common}
	if s.stream, err = common.dev.NewStream(); err != nil {
		return nil, errors.Join(err, mem.free())
	}
	s.rows = rowMemory{dev: common.dev, stream: s.stream, kernels: common.policy.kernels}
	s.rows.setBudget(common.rowBudget)
	s.chunk = chunk{policy: &common.policy, config: &common.config, mem: mem, rows: &s.rows}
	s.pass = newPass(&s.chunk, s.stream)
	return s, nil
}

// close frees everything. The stream must be idle.
func (s *slot) close() error {
	return errors.Join(s.stream.Close(), s.rows.free(), s.mem.free())
}

// run aligns the pairs [from, to) of a batch whose results are prepared. The device
// no longer uses the pairs when run returns, also with an error. It calls finished
// after each chunk. fallback lists the pairs for another engine.
func (s *slot) run(ctx context.Context, b *align.Batch, from, to int, estimate *estimator, finished func(*slot)) (fallback []int32, err error) {
	c := &s.chunk
	c.fallback = c.fallback[:0]
	defer func() { c.batch = nil }() // an idle slot keeps no batch in memory
	if most := s.shared.rowBudget; s.rows.budget < most {
		// Memory was scarce; try a larger budget.
		s.rows.setBudget(min(2*max(s.rows.budget, minRows), most))
	}
	for from < to {
		c.stats = Stats{}
		estimate.rates(&c.rates)
		from = c.stage(b, from, to)
		if err := s.align(ctx); err != nil {
			// Copies to and from the slot's memory may be in progress.
			s.stream.Synchronize()
			return nil, err
		}
		finished(s)
	}
	return c.fallback, nil
}

// align aligns the staged chunk on the device.
func (s *slot) align(ctx context.Context) error {
	if len(s.chunk.index) == 0 {
		return nil
	}
	if err := s.upload(); err != nil {
		return err
	}
	for len(s.chunk.todo) > 0 {
		if err := s.pass.run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// upload copies the staged pairs to the device and marks all results unreached. The
// device packs the sequences if the host has not.
func (s *slot) upload() error {
	m, n := s.mem, len(s.chunk.index)
	if err := s.stream.ToDevice(m.device.pairs, bytesOf(m.pairs[:n])); err != nil {
		return err
	}
	if m.bases != nil {
		if err := s.stream.ToDevice(m.device.bases, bytesOf(m.bases)[:s.chunk.sequences]); err != nil {
			return err
		}
		return s.stream.Fill(m.device.results, abi.Unreached, n*resultBytes)
	}
	if err := s.stream.ToDevice(m.device.letters, m.letters[:s.chunk.sequences]); err != nil {
		return err
	}
	a := m.params(s.chunk.policy.penalties, 0)
	a.Count = int32(n)
	return s.shared.packer.Launch(s.stream, a)
}
