// Command compare aligns many random pairs with this program and with WFA2-lib
// (Debian's libwfa2-dev). It reports every score that differs, and every CIGAR of
// this program that is not worth its score.
//
//	go run ./scripts/compare            # the full campaign, a few minutes
//	go run ./scripts/compare -scale 0.1 # a tenth of it
//	go run ./scripts/compare -edit      # edit distance, with Edlib (libedlib-dev), too
//	go run ./scripts/compare -spans     # spans and match scores, with Parasail, SeqAn, KSW2 and WFA2-lib
//	go run ./scripts/compare -spans -data DIR # the same on the real pairs (.seq.gz) of a directory
//
// It exits with status 1 on any difference.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// set is a set of pairs and its penalties.
type set struct {
	spanned
	pairs  simulate.Options
	count  int
	flanks int          // most letters of a flank, 0 for none
	real   string       // the file of real pairs, in place of simulated ones
	batch  []align.Pair // of real
}

func (s set) String() string {
	text := fmt.Sprintf("%-7v", s.scheme)
	if len(s.oracles) > 0 {
		text = fmt.Sprintf("%-11v %-9s", s.scheme, []string{"global", "ends-free", "extension", "local"}[s.span])
		if s.scheme.Match > 0 {
			text = fmt.Sprintf("%d,%s", s.scheme.Match, text)
		}
		if s.zdrop > 0 {
			text += fmt.Sprintf(" z %d", s.zdrop)
		}
	}
	if s.real != "" {
		return text + " " + s.real
	}
	return fmt.Sprintf("%s %6d bp %3.0f %% %s", text, s.pairs.Length, 100*s.pairs.ErrorRate, s.pairs.Model)
}

// penalties are those of global alignments.
func penalties(p align.Penalties) spanned { return spanned{scheme: align.Scoring{Penalties: p}} }

// campaign lists the sets. The counts are large because some faults show in few
// pairs of a thousand.
func campaign(scale float64, seed uint64) []set {
	var sets []set
	add := func(p align.Penalties, length, count int, model simulate.Model, rates ...float64) {
		for _, rate := range rates {
			sets = append(sets, set{
				spanned: penalties(p),
				pairs:   simulate.Options{Length: length, ErrorRate: rate, Model: model, Seed: seed},
				count:   max(1, int(float64(count)*scale)),
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
				spanned: penalties(align.EditPenalties),
				pairs:   simulate.Options{Length: length, ErrorRate: c.rate, Model: c.model, Seed: seed},
				count:   max(1, int(c.share*1e6*scale)),
			})
			seed++
		}
	}
	return sets
}

func main() {
	edit := flag.Bool("edit", false, "compare edit distances instead, with Edlib and WFA2-lib")
	spans := flag.Bool("spans", false, "compare spans and match scores instead, with Parasail, SeqAn, KSW2 and WFA2-lib")
	data := flag.String("data", "", "with -spans: the directory of real pairs, .seq.gz")
	cells := flag.Float64("cells", 4e9, "with -data: cells of the matrices of a set's pairs at most; others are left out")
	length := flag.Int("length", 0, "only sets of this length; 0 for all")
	scale := flag.Float64("scale", 1, "share of the campaign's pairs to run")
	seed := flag.Uint64("seed", 1, "seed of the first set; the others follow")
	level := flag.String("level", "auto", "our code path: auto, avx512, avx2 or go")
	jobs := flag.Int("j", runtime.NumCPU(), "portions to work on at the same time")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	sets := campaign(*scale, *seed)
	switch {
	case *edit:
		sets = editCampaign(*scale, *seed)
	case *data != "":
		var err error
		if sets, err = realCampaign(*data, *cells, *scale, *seed); err != nil {
			fail(err)
		}
	case *spans:
		sets = spanCampaign(*scale, *seed)
	}
	sets = slices.DeleteFunc(sets, func(s set) bool { return *length != 0 && s.pairs.Length != *length })
	differences, err := run(ctx, sets, *edit, *level, *jobs)
	if err != nil {
		fail(err)
	}
	if differences > 0 {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "compare:", err)
	os.Exit(2)
}

func run(ctx context.Context, sets []set, edit bool, levelName string, jobs int) (differences int, err error) {
	level, err := align.ParseLevel(levelName)
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "compare-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	named, err := spanOracles(ctx, dir, sets)
	if err != nil {
		return 0, err
	}
	var global []oracle
	if len(named) == 0 {
		if global, err = globalOracles(ctx, dir, edit); err != nil {
			return 0, err
		}
	}

	fmt.Printf("%-44s %9s %11s %9s\n", "set", "pairs", "mean score", "different")
	pairs := 0
	for _, s := range sets {
		c := comparison{set: s, level: level, oracles: global}
		for _, name := range s.oracles {
			c.oracles = append(c.oracles, named[name])
		}
		if err := c.run(ctx, jobs); err != nil {
			return differences, err
		}
		fmt.Printf("%-44v %9d %11.2f %9d\n", s, c.pairs, float64(c.scoreSum)/float64(c.pairs), c.differences)
		pairs += c.pairs
		differences += c.differences
	}
	fmt.Printf("%d pairs, %d differences\n", pairs, differences)
	return differences, nil
}
