package whole

import (
	"context"
	"fmt"
	"os"

	"wfagpu/scripts/internal/report"
)

// classes are lengths with numbers of pairs that take a GPU similar times.
var classes = []struct {
	pairs, length int
	rate          float64
}{{2_500_000, 150, 0.05}, {500_000, 1000, 0.05}, {130_000, 10_000, 0.05}, {5000, 50_000, 0.05}, {900, 200_000, 0.03}}

// mixed compares a file of very different pairs, interleaved, with the same pairs
// class by class, in one file and in a file of each class.
func (s *Session) mixed(ctx context.Context) error {
	var ins []input
	for i, c := range classes {
		n := s.count(c.pairs)
		b, err := s.simulated(ctx, n, c.length, c.rate, uint64(300+i))
		if err != nil {
			return err
		}
		ins = append(ins, repeat(b, n))
	}
	var all []*command
	add := func(name string, in input) error {
		file, err := s.file(fmt.Sprintf("mixed-%d.seq", len(all)), in)
		all = append(all, &command{name: name, input: file, in: in, args: onDevice(s.Device)})
		return err
	}
	defer func() {
		for _, c := range all {
			os.Remove(c.input)
		}
	}()
	if err := add("interleaved", interleave(ins...)); err != nil {
		return err
	}
	if err := add("class by class", concat(ins...)); err != nil {
		return err
	}
	for i, in := range ins {
		if err := add(fmt.Sprintf("%d bp alone", classes[i].length), in); err != nil {
			return err
		}
	}
	s.race(ctx, "mixed", s.Rounds, all...)
	sum := 0.0
	for _, c := range all[2:] {
		if c.err != nil {
			return nil // reported
		}
		sum += c.seconds()
	}
	s.times("mixed", "class by class / interleaved", all[1].seconds(), all[0].seconds(), report.AtLeast(0.85))
	s.times("mixed", "five commands / interleaved", sum, all[0].seconds(), nil)
	return nil
}
