package whole

import (
	"context"
	"os"

	"wfagpu/scripts/internal/report"
)

// small compares devices on six pairs, where the start is all, and on files that
// take about a second.
func (s *Session) small(ctx context.Context) error {
	for _, x := range []struct {
		item          string
		pairs, length int
		rounds        int
		gpu, auto     *report.Goal // seconds
	}{
		{"six pairs", 6, 1000, 9, report.AtMost(0.36), nil},
		{"5M x 150 bp", s.count(5_000_000), 150, 5, nil, report.AtMost(0.5)},
		{"1M x 1 kbp", s.count(1_000_000), 1000, 5, nil, report.AtMost(0.6)},
		{"50k x 10 kbp", s.count(50_000), 10_000, 5, nil, report.AtMost(0.6)},
	} {
		s.Fail(x.item, s.smallOf(ctx, x.item, x.pairs, x.length, min(x.rounds, 3*s.Rounds), x.gpu, x.auto))
	}
	return nil
}

func (s *Session) smallOf(ctx context.Context, item string, pairs, length, rounds int, gpuGoal, autoGoal *report.Goal) error {
	b, err := s.simulated(ctx, pairs, length, 0.05, 500)
	if err != nil {
		return err
	}
	in := repeat(b, pairs)
	file, err := s.file("small.seq", in)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	var all []*command
	for _, device := range []string{"cpu", s.Device, "auto"} {
		all = append(all, &command{name: "--device " + device, input: file, in: in, args: onDevice(device)})
	}
	cpu, gpu, auto := all[0], all[1], all[2]
	s.race(ctx, item, rounds, all...)
	if gpuGoal != nil && gpu.err == nil {
		s.Result(item, "time of the GPU", gpu.seconds(), "s", gpuGoal)
	}
	if autoGoal != nil && auto.err == nil {
		s.Result(item, "time of auto", auto.seconds(), "s", autoGoal)
	}
	s.autoGoal(item, cpu, gpu, auto)
	return nil
}
