package whole

import (
	"context"
	"os"

	"wfagpu/scripts/internal/report"
)

// huge aligns a few very long pairs. With another build of the program to compare
// with, its times are shown, too.
func (s *Session) huge(ctx context.Context) error {
	length := func(n int) int { return max(1000, int(float64(n)*min(1, s.Scale))) }
	for _, h := range []struct {
		item          string
		pairs, length int
		rate          float64
		goal          *report.Goal // seconds of the command
	}{
		{"one pair of 1 Mbp 2 %", 1, length(1_000_000), 0.02, nil},
		{"one pair of 300 kbp 10 %", 1, length(300_000), 0.1, nil},
		{"16 pairs of 1 Mbp 1 %", 16, length(1_000_000), 0.01, report.AtMost(0.5)},
	} {
		s.Fail(h.item, s.hugeOf(ctx, h.item, h.pairs, h.length, h.rate, h.goal))
	}
	return nil
}

func (s *Session) hugeOf(ctx context.Context, item string, pairs, length int, rate float64, goal *report.Goal) error {
	b, err := s.simulated(ctx, pairs, length, rate, 400)
	if err != nil {
		return err
	}
	in := repeat(b, pairs)
	file, err := s.file("huge.seq", in)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	s.Printf("  %s: the CPU engine takes %.3f s for the expected output\n", item, b.seconds)
	gpu := &command{name: "--device " + s.Device, input: file, in: in, args: onDevice(s.Device)}
	all := []*command{gpu}
	if pairs > 1 { // one pair takes a single thread of the CPU, for the check, very long
		all = append(all, &command{name: "--score-only --check", input: file, in: in, loose: true, args: onDevice(s.Device, "--score-only", "--check")})
	}
	var before *command
	if s.Baseline != "" {
		before = &command{name: "the other build", whose: s.Baseline, input: file, args: onDevice(s.Device)}
		all = append(all, before)
	}
	s.race(ctx, item, s.Rounds, all...)
	s.work(item, gpu)
	if goal != nil && gpu.err == nil {
		s.Result(item, "time", gpu.seconds(), "s", goal)
	}
	s.times(item, "CPU / GPU", b.seconds, gpu.seconds(), nil)
	if before != nil {
		s.times(item, "the other build / this, by their own clocks", median(before.inside), median(gpu.inside), report.AtLeast(5))
		s.times(item, "the other build / this", before.seconds(), gpu.seconds(), nil)
	}
	return nil
}
