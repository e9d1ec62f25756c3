package main

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest/cputime"
)

// A clock tells the time in seconds, from any start.
type clock func() float64

var started = time.Now()

func clockTime() float64 { return time.Since(started).Seconds() }

// cpuTime is that of all threads of this process; not a number if the system does not say.
func cpuTime() float64 {
	took, err := cputime.Process()
	if err != nil {
		return math.NaN()
	}
	return took.Seconds()
}

// timeEngine aligns the batch once and returns the seconds it took.
func timeEngine(ctx context.Context, now clock, e *align.Engine, b *align.Batch) (float64, error) {
	start := now()
	err := e.AlignBatch(ctx, b)
	return now() - start, err
}

// scoreSum adds up a batch's scores; it fails when a pair was not aligned.
func scoreSum(b *align.Batch) (sum int64, err error) {
	for i, r := range b.Results {
		if r.Err != nil {
			return 0, fmt.Errorf("pair %d: %w", i+1, r.Err)
		}
		sum += int64(r.Score)
	}
	return sum, nil
}

// buildCommand compiles the program and returns its path.
func buildCommand(ctx context.Context, dir string) (string, error) {
	path, err := filepath.Abs(filepath.Join(dir, "wfagpu"))
	if err != nil {
		return "", err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/wfagpu")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", build, err, out)
	}
	return path, nil
}
