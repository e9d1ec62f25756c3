package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"wfagpu/align/aligntest/wfa2"
	"wfagpu/scripts/internal/sets"
)

// runCommand times the whole program, from a file to a file, beside the peer's
// time for the alignment alone.
func runCommand(ctx context.Context, args []string) error {
	c := newCommon("command")
	rounds := c.Int("rounds", 3, "runs of each program")
	threads := c.Int("threads", 2, "threads of each program")
	s := sets.Set{}
	c.IntVar(&s.Count, "pairs", 2_000_000, "pairs in the file")
	c.IntVar(&s.Length, "length", 150, "bases in each text")
	c.Float64Var(&s.ErrorRate, "error", 0.02, "errors per base")
	c.Uint64Var(&s.Seed, "seed", 1, "seed of the set")
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
	drivers, err := buildPeers(ctx, c.dir)
	if err != nil {
		return err
	}
	out := filepath.Join(c.dir, "command.tsv")
	defer os.Remove(out)

	contestants := []*contestant{{
		name: "ours, the whole command",
		measure: func(ctx context.Context) (int, float64, error) {
			cmd := exec.CommandContext(ctx, program, "align", "--quiet", "-j", strconv.Itoa(*threads),
				"-g", c.penalties.String(), "-o", out, file)
			cmd.Stderr = os.Stderr
			start := time.Now()
			err := cmd.Run()
			return s.Count, time.Since(start).Seconds(), err
		},
	}}
	for _, d := range drivers {
		contestants = append(contestants, &contestant{
			name: d.Library.Name + ", alignment alone",
			measure: func(ctx context.Context) (int, float64, error) {
				t, err := d.Time(ctx, file, wfa2.Options{Penalties: c.penalties, Memory: wfa2.High, Threads: *threads})
				if err != nil {
					return 0, 0, err
				}
				return s.Count, t.Seconds[0], nil
			},
		})
	}
	if err := alternate(ctx, *rounds, contestants); err != nil {
		return err
	}
	fmt.Printf("# %d pairs of %v, penalties %v, with CIGAR, %d threads, medians of %d alternating rounds\n",
		s.Count, s, c.penalties, *threads, *rounds)
	for _, x := range contestants {
		fmt.Printf("%-48s %8.3f s (%.3f to %.3f) %10.0f pairs/s\n",
			x.name, median(x.seconds), slices.Min(x.seconds), slices.Max(x.seconds), x.rate())
	}
	return nil
}
