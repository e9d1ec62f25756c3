package whole

import (
	"context"
	"os"

	"wfagpu/scripts/internal/report"
)

// commands compares the CPU engine, the GPU and the automatic choice on real sets
// that are repeated until they are work for the CPU engine.
func (s *Session) commands(ctx context.Context) error {
	for _, name := range s.Sets {
		s.Fail(name, s.commandsOf(ctx, name))
	}
	return nil
}

func (s *Session) commandsOf(ctx context.Context, name string) error {
	b, err := s.readBlock(ctx, name)
	if err != nil {
		return err
	}
	in, err := s.costing(ctx, b, s.Seconds)
	if err != nil {
		return err
	}
	// The CPU engine's time grows with the number of repeats alone.
	n := len(b.records)
	part := repeat(b, max(1, in.pairs/n/max(1, s.Share))*n)
	whole, err := s.file("whole.seq", in)
	if err != nil {
		return err
	}
	defer os.Remove(whole)
	few, err := s.file("part.seq", part)
	if err != nil {
		return err
	}
	defer os.Remove(few)
	cpu := &command{name: "--device cpu", input: few, in: part, args: onDevice("cpu", s.CPUFlags...), scale: float64(in.pairs) / float64(part.pairs)}
	gpu := &command{name: "--device " + s.Device, input: whole, in: in, args: onDevice(s.Device)}
	auto := &command{name: "--device auto", input: whole, in: in, args: onDevice("auto")}
	s.race(ctx, name, s.Rounds, cpu, gpu, auto)
	s.work(name, gpu)
	s.times(name, "CPU / GPU", cpu.seconds(), gpu.seconds(), report.AtLeast(15))
	s.times(name, "CPU / GPU, goal", cpu.seconds(), gpu.seconds(), report.AtLeast(30))
	s.autoGoal(name, cpu, gpu, auto)
	return nil
}
