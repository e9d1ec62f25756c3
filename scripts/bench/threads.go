package main

import (
	"context"
	"fmt"
	"slices"

	"wfagpu/align"
	"wfagpu/align/aligntest/wfa2"
	"wfagpu/scripts/internal/sets"
)

// runThreads measures the rate of several threads beside that of one.
func runThreads(ctx context.Context, args []string) error {
	c := newCommon("threads")
	rounds := c.Int("rounds", 7, "passes with each number of threads")
	threads := c.Int("threads", 2, "threads to compare with one")
	s := sets.Set{Count: 300}
	c.IntVar(&s.Count, "pairs", s.Count, "pairs in the set")
	c.IntVar(&s.Length, "length", 10_000, "bases in each text")
	c.Float64Var(&s.ErrorRate, "error", 0.05, "errors per base")
	c.Uint64Var(&s.Seed, "seed", 1, "seed of the set")
	if err := c.parse(args); err != nil {
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
	driver := drivers[len(drivers)-1]

	var contestants []*contestant
	for _, n := range []int{1, *threads} {
		ours, err := s.Batch()
		if err != nil {
			return err
		}
		e, err := align.New(align.Options{Penalties: c.penalties, Threads: n})
		if err != nil {
			return err
		}
		if _, err := timeEngine(ctx, clockTime, e, ours); err != nil { // unmeasured, for the allocations
			return err
		}
		contestants = append(contestants, &contestant{
			name: fmt.Sprintf("ours (%s), %d threads", e.Options().Level, n),
			measure: func(ctx context.Context) (int, float64, error) {
				seconds, err := timeEngine(ctx, clockTime, e, ours)
				return s.Count, seconds, err
			},
		}, &contestant{
			name: fmt.Sprintf("%s, %d threads", driver.Library.Name, n),
			measure: func(ctx context.Context) (int, float64, error) {
				t, err := driver.Time(ctx, file, wfa2.Options{
					Penalties: c.penalties, Memory: wfa2.UltraLow, Threads: n, Repetitions: 2,
				})
				if err != nil {
					return 0, 0, err
				}
				return s.Count, slices.Min(t.Seconds), nil
			},
		})
	}
	if err := alternate(ctx, *rounds, contestants); err != nil {
		return err
	}
	fmt.Printf("# %v, penalties %v, with CIGAR, medians of %d alternating rounds\n", s, c.penalties, *rounds)
	for i, one := range contestants[:2] {
		many := contestants[2+i]
		fmt.Printf("%-48s %10.1f pairs/s\n%-48s %10.1f pairs/s, %.2f times\n", one.name, one.rate(), many.name, many.rate(), many.rate()/one.rate())
	}
	return nil
}
