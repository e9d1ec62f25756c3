package gpu

import (
	"context"
	"errors"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/kernel"
)

// slot is a stream with memory of its own, on the host and on the device. It
// takes one chunk at a time through as many passes as that needs.
type slot struct {
	stream *driver.Stream
	mem    *buffers
	rows   rowMemory
	chunk  chunk
	pass   pass
	most   int // row budget when memory is not scarce
	packer *kernel.Packer
}

// newSlot allocates a slot whose rows may grow to rowBudget bytes.
func newSlot(e *Engine, rowBudget int) (*slot, error) {
	mem, err := allocate(e.dev, e.hostPacks)
	if err != nil {
		return nil, err
	}
	s := &slot{mem: mem, most: rowBudget, packer: e.packer}
	if s.stream, err = e.dev.NewStream(); err != nil {
		return nil, errors.Join(err, mem.free())
	}
	s.rows = rowMemory{dev: e.dev, stream: s.stream, kernels: e.policy.kernels}
	s.rows.setBudget(rowBudget)
	s.chunk = chunk{policy: &e.policy, config: &e.config, mem: mem, rows: &s.rows}
	s.pass = pass{chunk: &s.chunk, mem: mem, rows: &s.rows, stream: s.stream}
	return s, nil
}

// close frees everything. The stream must be idle.
func (s *slot) close() error {
	return errors.Join(s.stream.Close(), s.rows.free(), s.mem.free())
}

// run aligns the pairs [from, to) of a batch whose results are prepared. When it
// returns, the device has let go of them, whatever happened. It calls finished
// after each chunk. fallback then lists the pairs for another engine.
func (s *slot) run(ctx context.Context, b *align.Batch, from, to int, estimate *estimator, finished func(*slot)) (fallback []int32, err error) {
	c := &s.chunk
	c.fallback = c.fallback[:0]
	if s.rows.budget < s.most {
		// Memory was scarce; it may be back.
		s.rows.setBudget(min(2*max(s.rows.budget, minRows), s.most))
	}
	for from < to {
		c.stats = Stats{}
		estimate.rates(&c.rates)
		from = c.stage(b, from, to)
		if err := s.align(ctx); err != nil {
			// Copies to and from the slot's memory may be under way.
			s.stream.Synchronize()
			return nil, err
		}
		finished(s)
	}
	return c.fallback, nil
}

// align takes the staged chunk through the device.
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

// upload copies the staged pairs to the device, where they are packed in the end,
// with results that say nothing yet.
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
	return s.packer.Launch(s.stream, a)
}
