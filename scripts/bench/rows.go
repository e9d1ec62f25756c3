package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"wfagpu/align"
	"wfagpu/scripts/internal/recall"
	"wfagpu/scripts/peers"
)

// row is a tool in one mode on one device: a row of the tables.
type row struct {
	tool, device string
	family       string // what a plot calls it: its library, or its device
	mode         mode
	threads      int
	ours         bool
	// check aligns the sample, or its first pairs, once. measure, after check,
	// aligns for the time of a round.
	check   func(context.Context) (recall.Tally, error)
	measure func(context.Context) (pairs int, seconds float64, err error)

	tally   recall.Tally
	rates   []float64 // of the rounds, pairs per second
	pairs   int       // aligned in all rounds together
	seconds float64   // of all rounds together
	failure error
	reason  string // why a failed row is no fault, in a word for its cells
}

func (r *row) rate() float64 {
	if len(r.rates) == 0 {
		return 0
	}
	return median(r.rates)
}

// errBeyond is the failure of a tool that is not run on a set.
var errBeyond = errors.New("not run: sequences too long for it")

// run checks the rows of a trial and measures them in turns.
func run(ctx context.Context, rows []*row, rounds int) error {
	for _, r := range rows {
		if r.failure == nil {
			r.tally, r.failure = r.check(ctx)
		}
		if r.failure == nil && r.ours {
			r.failure = r.fault()
		}
		if err := fatal(ctx, r); err != nil {
			return err
		}
	}
	for round := range rounds {
		for i := range rows {
			r := rows[(i+round)%len(rows)]
			if r.failure != nil {
				continue
			}
			pairs, seconds, err := r.measure(ctx)
			if err == nil && pairs == 0 {
				err = errors.New("it aligned no pair")
			}
			if err != nil {
				r.failure = err
				if err := fatal(ctx, r); err != nil {
					return err
				}
				continue
			}
			r.rates = append(r.rates, float64(pairs)/seconds)
			r.pairs, r.seconds = r.pairs+pairs, r.seconds+seconds
		}
	}
	return nil
}

// fault is the error in this program's own alignments, nil if there is none.
func (r *row) fault() error {
	switch {
	case r.tally.Invalid > 0:
		return fmt.Errorf("%d of %d alignments are not valid: %w", r.tally.Invalid, r.tally.Checked, r.tally.First)
	case !r.mode.approx() && r.tally.Optimal < r.tally.Checked:
		return fmt.Errorf("%d of %d alignments are not optimal", r.tally.Checked-r.tally.Optimal, r.tally.Checked)
	}
	return nil
}

// fatal reports a failed row. It returns an error that ends the run: an interrupt, a
// fault of this program, or a score below the optimum.
func fatal(ctx context.Context, r *row) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	name := fmt.Sprintf("%s, %s, %s", r.tool, r.device, r.mode)
	if r.failure != nil {
		if r.ours || errors.Is(r.failure, recall.ErrBelow) {
			return fmt.Errorf("%s: %w", name, r.failure)
		}
		if r.reason == "" {
			r.reason = "error"
			fmt.Fprintf(os.Stderr, "bench: without %s: %v\n", name, r.failure)
		}
	} else if r.tally.Invalid > 0 && len(r.rates) == 0 {
		fmt.Fprintf(os.Stderr, "bench: %s: %d of %d alignments are not valid, first %v\n",
			name, r.tally.Invalid, r.tally.Checked, r.tally.First)
	}
	return nil
}

// peerRows are the rows of a driver. Threads have no effect on those of a GPU.
func peerRows(t *trial, c *paperConfig, d *peers.Driver, device string) []*row {
	var rows []*row
	for _, v := range d.Peer.Variants {
		if t.meanLength() < v.MinLength {
			continue
		}
		for _, m := range []mode{exactCIGAR, exactScore} {
			if !c.modes[m] {
				continue
			}
			r := &row{tool: v.Title, family: d.Peer.Family, device: device, mode: m, threads: c.threads}
			if d.Peer.MaxLength > 0 && t.maxLength > d.Peer.MaxLength {
				r.failure, r.reason = errBeyond, "not run"
			}
			run := peers.Run{Penalties: c.penalties, Mode: v.Mode, DistanceOnly: m.scoreOnly(), Threads: c.threads}
			rule := recall.Rule{Penalties: c.penalties, Rescore: d.Peer.EditDistance}
			r.check = func(ctx context.Context) (recall.Tally, error) {
				ctx, cancel := context.WithTimeout(ctx, c.timeout())
				defer cancel()
				results, err := d.Results(ctx, t.file, run, c.checkSeconds)
				if err != nil {
					return recall.Tally{}, err
				}
				if m.scoreOnly() && d.Peer.EditDistance && c.penalties != align.EditPenalties {
					return recall.Tally{}, nil // another kind of score
				}
				return tallyResults(t, rule, results, m)
			}
			r.measure = func(ctx context.Context) (int, float64, error) {
				ctx, cancel := context.WithTimeout(ctx, c.timeout())
				defer cancel()
				return d.Rate(ctx, t.file, run, c.seconds)
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// timeout is far more than any run should take; a few pairs may start just before
// the end of the time.
func (c *paperConfig) timeout() time.Duration {
	return time.Duration((120 + 10*(c.seconds+c.checkSeconds)) * float64(time.Second))
}

// tallyResults counts a peer's results of the first pairs.
func tallyResults(t *trial, rule recall.Rule, results []peers.Result, m mode) (recall.Tally, error) {
	var tally recall.Tally
	if len(results) > len(t.sample.Pairs) {
		return tally, fmt.Errorf("%d results for %d pairs", len(results), len(t.sample.Pairs))
	}
	for i, got := range results {
		optimum := t.sample.Results[i].Score
		var err error
		if m.scoreOnly() {
			err = tally.AddScore(optimum, got.Score)
		} else {
			err = tally.AddText(rule, t.sample.Pairs[i], optimum, got.Score, got.CIGAR)
		}
		if err != nil {
			return tally, fmt.Errorf("pair %d: %w", i+1, err)
		}
	}
	return tally, nil
}

// fastest returns the best rate of the rows that meet a condition, 0 if none does.
func fastest(rows []*row, which func(*row) bool) float64 {
	best := 0.0
	for _, r := range slices.Clone(rows) {
		if which(r) {
			best = max(best, r.rate())
		}
	}
	return best
}
