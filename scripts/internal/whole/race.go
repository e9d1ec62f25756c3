package whole

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"wfagpu/scripts/internal/report"
)

// racer lets commands take turns, and compares their times.
type racer struct{ *bench }

// race runs commands in turn and prints their times. The first output of each is
// compared with the CPU engine's. A command that takes long runs once; one that
// fails is reported, and runs no more.
func (r *racer) race(ctx context.Context, item string, rounds int, commands ...*command) {
	for round := range max(1, rounds) {
		for i := range commands {
			c := commands[(i+round)%len(commands)]
			if c.err != nil || round > 0 && c.times[0] > r.Short {
				continue
			}
			if c.err = r.once(ctx, c, round == 0); c.err != nil {
				r.Fail(item+", "+c.name, c.err)
			}
		}
	}
	r.Printf("  %s:\n", item)
	for _, c := range commands {
		r.show(item, c)
	}
}

// once runs a command and keeps its time.
func (r *racer) once(ctx context.Context, c *command, verify bool) error {
	output, program := r.path("out.tsv"), r.Program
	if c.output != "" {
		output = c.output
	} else {
		defer os.Remove(output)
	}
	if c.whose != "" {
		program = c.whose
	}
	done, err := r.alignBy(ctx, program, c.input, output, c.args...)
	if err != nil {
		return err
	}
	if verify && c.in.at != nil {
		if err := c.in.verify(output, c.loose); err != nil {
			return err
		}
	}
	if c.stderr == "" {
		c.stderr = done.stderr
	}
	c.times = append(c.times, done.seconds)
	c.inside = append(c.inside, done.inside)
	return nil
}

// show prints the times of a command.
func (r *racer) show(item string, c *command) {
	if c.err != nil {
		r.Printf("    %-32s failed\n", c.name)
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
	r.Printf("    %-32s %9.3f s (%.3f to %.3f, %d runs; %.3f s by its own clock%s%s)\n", c.name, c.seconds(),
		c.factor()*slices.Min(c.times), c.factor()*slices.Max(c.times), len(c.times), c.factor()*median(c.inside), note, checked)
	r.Result(item, c.name, c.seconds(), "s", nil)
	for line := range strings.Lines(c.stderr) {
		r.Printf("      %s\n", strings.TrimRight(line, "\n"))
	}
}

// times prints the ratio of two times, unless one of them is not known.
func (r *racer) times(item, metric string, a, b float64, g *report.Goal) {
	if a > 0 && b > 0 {
		r.Result(item, metric, a/b, "times", g)
	}
}

// work prints the work that a command does in a second, in score².
func (r *racer) work(item string, c *command) {
	if t := c.seconds(); t > 0 {
		r.Result(item, c.name+", score²", c.in.squares()/t/1e9, "G/s", nil)
	}
}

// autoGoal compares the automatic choice with the better of the others.
func (r *racer) autoGoal(item string, cpu, gpu, auto *command) {
	if cpu.err == nil && gpu.err == nil {
		r.times(item, "auto / the faster", auto.seconds(), min(cpu.seconds(), gpu.seconds()), report.AtMost(1.05))
	}
}
