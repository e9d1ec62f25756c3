package whole

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// command is one way to align an input; several of them take turns.
type command struct {
	name   string
	input  string
	in     input
	args   []string
	scale  float64 // of the time: the input is a part of the work; 0 is 1
	loose  bool    // the output has scores alone
	whose  string  // the program, if it is not the session's
	times  []float64
	inside []float64
	stderr string
	output string // of the last run, if it is kept
	err    error
}

// seconds is the median time, scaled; 0 if the command failed.
func (c *command) seconds() float64 { return c.factor() * median(c.times) }

func (c *command) factor() float64 {
	if c.scale == 0 {
		return 1
	}
	return c.scale
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// race runs commands in turn and prints their times. The first output of each is
// compared with the CPU engine's. A command that takes long runs once; one that
// fails is reported, and runs no more.
func (s *Session) race(ctx context.Context, item string, rounds int, commands ...*command) {
	for round := range max(1, rounds) {
		for i := range commands {
			c := commands[(i+round)%len(commands)]
			if c.err != nil || round > 0 && c.times[0] > s.Short {
				continue
			}
			if c.err = s.once(ctx, c, round == 0); c.err != nil {
				s.Fail(item+", "+c.name, c.err)
			}
		}
	}
	s.Printf("  %s:\n", item)
	for _, c := range commands {
		s.show(item, c)
	}
}

// once runs a command and keeps its time.
func (s *Session) once(ctx context.Context, c *command, verify bool) error {
	output, program := s.path("out.tsv"), s.Program
	if c.output != "" {
		output = c.output
	} else {
		defer os.Remove(output)
	}
	if c.whose != "" {
		program = c.whose
	}
	r, err := s.alignBy(ctx, program, c.input, output, c.args...)
	if err != nil {
		return err
	}
	if verify && c.in.at != nil {
		if err := c.in.verify(output, c.loose); err != nil {
			return err
		}
	}
	if c.stderr == "" {
		c.stderr = r.stderr
	}
	c.times = append(c.times, r.seconds)
	c.inside = append(c.inside, r.inside)
	return nil
}

// show prints the times of a command.
func (s *Session) show(item string, c *command) {
	if c.err != nil {
		s.Printf("    %-32s failed\n", c.name)
		return
	}
	note := ""
	if c.factor() != 1 {
		note = fmt.Sprintf(", %.4g times %.3f s of a part of the file", c.factor(), median(c.times))
	}
	checked := ", output checked"
	if c.in.at == nil {
		checked = ""
	}
	s.Printf("    %-32s %9.3f s (%.3f to %.3f, %d runs; %.3f s by its own clock%s%s)\n", c.name, c.seconds(),
		c.factor()*slices.Min(c.times), c.factor()*slices.Max(c.times), len(c.times), c.factor()*median(c.inside), note, checked)
	s.Result(item, c.name, c.seconds(), "s", nil)
	for line := range strings.Lines(c.stderr) {
		s.Printf("      %s\n", strings.TrimRight(line, "\n"))
	}
}

// onDevice is the flag of a device.
func onDevice(device string, more ...string) []string {
	return append([]string{"--device", device}, more...)
}
