package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"wfagpu/scripts/internal/sets"
)

// runMegabase aligns one very long pair and reports time and peak memory.
func runMegabase(ctx context.Context, args []string) error {
	c := newCommon("megabase")
	s := sets.Set{Count: 1}
	c.IntVar(&s.Length, "length", 1_000_000, "bases in the text")
	c.Float64Var(&s.ErrorRate, "error", 0.02, "errors per base")
	c.Uint64Var(&s.Seed, "seed", 1, "seed of the pair")
	check := c.Bool("check", true, "have the program verify the alignment")
	if err := c.parse(args); err != nil {
		return err
	}
	program, err := buildCommand(ctx, c.dir)
	if err != nil {
		return err
	}
	file, err := s.File(c.dir)
	if err != nil {
		return err
	}
	options := []string{"align", "--quiet", "-g", c.penalties.String(), "-o", os.DevNull}
	if *check {
		options = append(options, "--check")
	}
	used, err := measureMemory(exec.CommandContext(ctx, program, append(options, file)...), nil)
	if err != nil {
		return err
	}
	fmt.Printf("one pair of %v, penalties %v, with CIGAR: %v\n", s, c.penalties, used)
	return nil
}

// runStream sends a long .seq stream to the program's standard input and
// reports its peak memory.
func runStream(ctx context.Context, args []string) error {
	c := newCommon("stream")
	size := c.Int64("bytes", 4_000_000_000, "bytes to send")
	threads := c.Int("threads", 2, "threads of the program")
	s := sets.Set{}
	c.IntVar(&s.Length, "length", 150, "bases in each text")
	c.Float64Var(&s.ErrorRate, "error", 0.02, "errors per base")
	c.Uint64Var(&s.Seed, "seed", 1, "seed of the pairs")
	if err := c.parse(args); err != nil {
		return err
	}
	program, err := buildCommand(ctx, c.dir)
	if err != nil {
		return err
	}
	s.Count = max(1, 8_000_000/(2*s.Length))
	block, err := s.Bytes()
	if err != nil {
		return err
	}
	var sent int64
	cmd := exec.CommandContext(ctx, program, "align", "--quiet", "-j", strconv.Itoa(*threads),
		"-g", c.penalties.String(), "-o", os.DevNull, "-")
	used, err := measureMemory(cmd, func(w io.Writer) error {
		for sent < *size {
			n, err := w.Write(block)
			sent += int64(n)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("%.2f GB of pairs of %v on standard input, penalties %v, with CIGAR, %d threads: %v\n",
		float64(sent)/1e9, s, c.penalties, *threads, used)
	return nil
}

// usage is the time and memory of a finished program.
type usage struct {
	seconds  float64
	peakKiB  int64
	userTime time.Duration
}

func (u usage) String() string {
	return fmt.Sprintf("%.2f s (%.2f s of CPU), peak memory %.1f MB", u.seconds, u.userTime.Seconds(), float64(u.peakKiB)*1024/1e6)
}

// measureMemory runs a program; feed, if given, writes its standard input. Linux
// counts the parent's size at the start towards the child's peak, so that callers
// must hold little memory.
func measureMemory(cmd *exec.Cmd, feed func(io.Writer) error) (usage, error) {
	cmd.Stderr = os.Stderr
	var in io.WriteCloser
	if feed != nil {
		var err error
		if in, err = cmd.StdinPipe(); err != nil {
			return usage{}, err
		}
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return usage{}, err
	}
	var feedErr error
	if feed != nil {
		feedErr = errors.Join(feed(in), in.Close())
	}
	if err := errors.Join(cmd.Wait(), feedErr); err != nil {
		return usage{}, fmt.Errorf("%s: %w", cmd, err)
	}
	u := usage{seconds: time.Since(start).Seconds(), userTime: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	u.peakKiB = peakKiB(cmd.ProcessState)
	return u, nil
}
