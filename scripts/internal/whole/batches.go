package whole

import (
	"context"
	"os"

	"wfagpu/scripts/internal/report"
)

// batches varies the size of batches, which should change nothing.
func (s *Session) batches(ctx context.Context) error {
	in, file, err := s.costingFile(ctx, s.Set, s.Seconds/2)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	var all []*command
	for _, size := range []string{"1M", "4M", "16M", "64M", "256M"} {
		all = append(all, &command{name: "-b " + size, input: file, in: in, args: onDevice(s.Device, "-b", size)})
	}
	s.race(ctx, s.Set, s.Rounds, all...)
	fastest, slowest := 0.0, 0.0
	for _, c := range all {
		if c.err != nil {
			return nil // reported
		}
		t := c.seconds()
		if slowest = max(slowest, t); fastest == 0 || t < fastest {
			fastest = t
		}
	}
	s.times(s.Set, "slowest / fastest", slowest, fastest, report.AtMost(1.1))
	return nil
}
