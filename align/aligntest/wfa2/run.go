package wfa2

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"wfagpu/align"
)

// Options of a run; the zero value of each is the driver's default.
type Options struct {
	Penalties    align.Penalties
	Memory       Memory
	DistanceOnly bool
	Threads      int
	Repetitions  int
	CPUTime      bool // Time is of the CPU, not of the clock
}

// Memory is one of WFA2-lib's memory modes, all of them exact.
type Memory string

// The modes used here: every wavefront kept, or bidirectional WFA.
const (
	High     Memory = "high"
	UltraLow Memory = "ultralow"
)

func (o Options) args() []string {
	var args []string
	if o.Penalties != (align.Penalties{}) {
		args = append(args, "-p", o.Penalties.String())
	}
	if o.Memory != "" {
		args = append(args, "-m", string(o.Memory))
	}
	if o.DistanceOnly {
		args = append(args, "-d")
	}
	if o.Threads > 0 {
		args = append(args, "-t", strconv.Itoa(o.Threads))
	}
	if o.Repetitions > 0 {
		args = append(args, "-r", strconv.Itoa(o.Repetitions))
	}
	if o.CPUTime {
		args = append(args, "-c")
	}
	return args
}

// Scores returns the penalty of every pair of a .seq stream.
func (d *Driver) Scores(ctx context.Context, seq io.Reader, o Options) ([]int, error) {
	out, err := d.run(ctx, seq, append(o.args(), "-s", "-"))
	if err != nil {
		return nil, err
	}
	scores, err := ParseScores(out)
	if err != nil {
		return nil, fmt.Errorf("driver: %w", err)
	}
	return scores, nil
}

// ParseScores reads the scores that a driver with the option -s of driver.h has printed.
func ParseScores(out string) ([]int, error) {
	var scores []int
	for _, line := range strings.Fields(out) {
		s, err := strconv.Atoi(line)
		if err != nil {
			return nil, err
		}
		scores = append(scores, s)
	}
	return scores, nil
}

// Timing is what a run took for alignment alone.
type Timing struct {
	Pairs, ScoreSum int64
	Seconds         []float64 // one for each repetition
}

// Time aligns the pairs of a .seq file.
func (d *Driver) Time(ctx context.Context, file string, o Options) (Timing, error) {
	var t Timing
	out, err := d.run(ctx, nil, append(o.args(), file))
	if err != nil {
		return t, err
	}
	fields := strings.Fields(out)
	if len(fields) < 3 {
		return t, fmt.Errorf("driver: printed %q", out)
	}
	if t.Pairs, err = strconv.ParseInt(fields[0], 10, 64); err != nil {
		return t, fmt.Errorf("driver: %w", err)
	}
	if t.ScoreSum, err = strconv.ParseInt(fields[1], 10, 64); err != nil {
		return t, fmt.Errorf("driver: %w", err)
	}
	for _, f := range fields[2:] {
		s, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return t, fmt.Errorf("driver: %w", err)
		}
		t.Seconds = append(t.Seconds, s)
	}
	return t, nil
}

func (d *Driver) run(ctx context.Context, in io.Reader, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, d.path, args...)
	cmd.Stdin = in
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", cmd, err, strings.TrimSpace(problems.String()))
	}
	return out.String(), nil
}
