// Command compare aligns many random pairs with this program and with WFA2-lib
// (Debian's libwfa2-dev). It reports every score that differs, and every CIGAR of
// this program whose cost is not its score.
//
//	go run ./scripts/compare            # the full campaign, a few minutes
//	go run ./scripts/compare -scale 0.1 # a tenth of it
//	go run ./scripts/compare -edit      # edit distance, with Edlib (libedlib-dev), too
//
// It exits with status 1 on any difference.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"

	"wfagpu/align"
	"wfagpu/align/aligntest/wfa2"
	"wfagpu/align/simulate"
	"wfagpu/scripts/peers"
)

// set is a set of pairs and its penalties.
type set struct {
	penalties align.Penalties
	pairs     simulate.Options
	count     int
}

func (s set) String() string {
	return fmt.Sprintf("%-7v %6d bp %3.0f %% %s", s.penalties, s.pairs.Length, 100*s.pairs.ErrorRate, s.pairs.Model)
}

// campaign lists the sets. The counts are large because some faults show in few
// pairs of a thousand.
func campaign(scale float64, seed uint64) []set {
	var sets []set
	add := func(p align.Penalties, length, count int, model simulate.Model, rates ...float64) {
		for _, rate := range rates {
			sets = append(sets, set{
				penalties: p,
				pairs:     simulate.Options{Length: length, ErrorRate: rate, Model: model, Seed: seed},
				count:     max(1, int(float64(count)*scale)),
			})
			seed++
		}
	}
	four := align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}
	for _, p := range []align.Penalties{align.DefaultPenalties, four} {
		add(p, 150, 200_000, simulate.Uniform, 0.02, 0.05, 0.10, 0.20)
	}
	add(align.DefaultPenalties, 1000, 20_000, simulate.Uniform, 0.02, 0.05, 0.10)
	add(align.DefaultPenalties, 10_000, 500, simulate.Uniform, 0.02, 0.05, 0.10)
	add(align.DefaultPenalties, 150, 20_000, simulate.Bursts, 0.05)
	add(align.DefaultPenalties, 1000, 5_000, simulate.Bursts, 0.05)
	for _, p := range []align.Penalties{
		{Mismatch: 1, GapOpen: 0, GapExtend: 1},
		{Mismatch: 1, GapOpen: 2, GapExtend: 1},
		{Mismatch: 3, GapOpen: 1, GapExtend: 4},
		{Mismatch: 5, GapOpen: 3, GapExtend: 2},
		four,
		align.DefaultPenalties,
		{Mismatch: 6, GapOpen: 2, GapExtend: 3},
	} {
		add(p, 150, 5_000, simulate.Uniform, 0.02, 0.05, 0.10, 0.20)
		add(p, 1000, 200, simulate.Bursts, 0.10)
	}
	return sets
}

// editCampaign lists sets for edit distance: a million pairs of each length, of all error rates
// together.
func editCampaign(scale float64, seed uint64) []set {
	var sets []set
	for _, length := range []int{150, 1000, 10_000} {
		for _, c := range []struct {
			rate  float64
			share float64
			model simulate.Model
		}{
			{0.02, 0.25, simulate.Uniform}, {0.05, 0.25, simulate.Uniform}, {0.10, 0.2, simulate.Uniform},
			{0.20, 0.1, simulate.Uniform}, {0.40, 0.05, simulate.Uniform}, {0.05, 0.15, simulate.Bursts},
		} {
			sets = append(sets, set{
				penalties: align.EditPenalties,
				pairs:     simulate.Options{Length: length, ErrorRate: c.rate, Model: c.model, Seed: seed},
				count:     max(1, int(c.share*1e6*scale)),
			})
			seed++
		}
	}
	return sets
}

func main() {
	edit := flag.Bool("edit", false, "compare edit distances instead, with Edlib and WFA2-lib")
	length := flag.Int("length", 0, "only sets of this length; 0 for all")
	scale := flag.Float64("scale", 1, "share of the campaign's pairs to run")
	seed := flag.Uint64("seed", 1, "seed of the first set; the others follow")
	level := flag.String("level", "auto", "our code path: auto, avx512, avx2 or go")
	jobs := flag.Int("j", runtime.NumCPU(), "portions to work on at the same time")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	sets := campaign(*scale, *seed)
	if *edit {
		sets = editCampaign(*scale, *seed)
	}
	sets = slices.DeleteFunc(sets, func(s set) bool { return *length != 0 && s.pairs.Length != *length })
	differences, err := run(ctx, sets, *edit, *level, *jobs)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	if differences > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, sets []set, edit bool, levelName string, jobs int) (differences int, err error) {
	level, err := align.ParseLevel(levelName)
	if err != nil {
		return 0, err
	}
	library, err := wfa2.Installed()
	if err != nil {
		return 0, fmt.Errorf("WFA2-lib is needed (Debian: libwfa2-dev): %w", err)
	}
	dir, err := os.MkdirTemp("", "compare-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	var oracles []oracle
	driver, err := wfa2.Build(library, dir)
	if err != nil {
		return 0, err
	}
	oracles = append(oracles, oracle{"WFA2-lib", func(ctx context.Context, s set, seq io.Reader) ([]int, error) {
		memory := wfa2.High
		if s.pairs.Length >= 10_000 {
			memory = wfa2.UltraLow
		}
		return driver.Scores(ctx, seq, wfa2.Options{Penalties: s.penalties, Memory: memory})
	}})
	if edit {
		all := peers.Packaged()
		i := slices.IndexFunc(all, func(p peers.Peer) bool { return p.EditDistance })
		edlib, err := all[i].Build(ctx, dir, false)
		if err != nil {
			return 0, err
		}
		oracles = append(oracles, oracle{edlib.Peer.Family, func(ctx context.Context, s set, seq io.Reader) ([]int, error) {
			return edlib.Scores(ctx, seq, peers.Run{Penalties: s.penalties})
		}})
	}

	fmt.Printf("%-36s %9s %11s %9s\n", "set", "pairs", "mean score", "different")
	pairs := 0
	for _, s := range sets {
		c := comparison{set: s, level: level, oracles: oracles}
		if err := c.run(ctx, jobs); err != nil {
			return differences, err
		}
		fmt.Printf("%-36v %9d %11.2f %9d\n", s, c.pairs, float64(c.scoreSum)/float64(c.pairs), c.differences)
		pairs += c.pairs
		differences += c.differences
	}
	fmt.Printf("%d pairs, %d differences\n", pairs, differences)
	return differences, nil
}
