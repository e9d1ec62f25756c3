package peers

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest/wfa2"
)

// Driver is a program that takes the options of driver.h.
type Driver struct {
	Peer Peer
	path string
}

// External is a driver built elsewhere.
func External(title, path string) *Driver {
	return &Driver{Peer: Peer{Name: filepath.Base(path), Family: title, Variants: []Variant{{Title: title}}}, path: path}
}

// Run has the options of a run of a driver.
type Run struct {
	Penalties align.Penalties
	// What follows is not for every driver; one that cannot, says so.
	Match   int
	LongGap align.Gap
	Span    align.Span
	Free    align.Free
	ZDrop   int

	Mode         string // a Variant's
	DistanceOnly bool
	Threads      int
}

func (r Run) args() []string {
	scoring := align.Scoring{Penalties: r.Penalties, LongGap: r.LongGap}
	args := []string{"-p", scoring.String(), "-A", strconv.Itoa(r.Match), "-t", strconv.Itoa(max(1, r.Threads))}
	args = append(args, "-S", []string{"global", "ends-free", "extension", "local"}[r.Span])
	if r.Span == align.EndsFree {
		f := r.Free
		args = append(args, "-f", fmt.Sprintf("%d,%d,%d,%d", f.PatternBegin, f.PatternEnd, f.TextBegin, f.TextEnd))
	}
	if r.ZDrop > 0 {
		args = append(args, "-z", strconv.Itoa(r.ZDrop))
	}
	if r.Mode != "" {
		args = append(args, "-m", r.Mode)
	}
	if r.DistanceOnly {
		args = append(args, "-d")
	}
	return args
}

// Rate aligns the pairs of a .seq file repeatedly for about a number of seconds. It
// returns the number of pairs aligned and the time in seconds.
func (d *Driver) Rate(ctx context.Context, file string, r Run, seconds float64) (pairs int, took float64, err error) {
	out, err := d.run(ctx, append(r.args(), "-u", fmt.Sprint(seconds), file))
	if err != nil {
		return 0, 0, err
	}
	if _, err := fmt.Sscan(out, &pairs, &took); err != nil {
		return 0, 0, fmt.Errorf("%s printed %q: %w", d.path, out, err)
	}
	return pairs, took, nil
}

// Results aligns the pairs of a .seq file once, starts none after limit seconds, and
// returns the results of the first pairs.
func (d *Driver) Results(ctx context.Context, file string, r Run, limit float64) ([]Result, error) {
	dir, err := os.MkdirTemp("", "wfagpu-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "results")
	args := append(r.args(), "-o", out, "-l", fmt.Sprint(limit), "-r", "0", file)
	if _, err := d.run(ctx, args); err != nil {
		return nil, err
	}
	return ReadResults(out)
}

// Scores returns the penalty, or the edit distance, of every pair of a .seq stream.
func (d *Driver) Scores(ctx context.Context, seq io.Reader, r Run) ([]int, error) {
	r.DistanceOnly = true
	out, err := d.runOn(ctx, seq, append(r.args(), "-s", "-"))
	if err != nil {
		return nil, err
	}
	scores, err := wfa2.ParseScores(out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	return scores, nil
}

func (d *Driver) run(ctx context.Context, args []string) (string, error) {
	return d.runOn(ctx, nil, args)
}

// runOn runs the driver with an input, or none.
func (d *Driver) runOn(ctx context.Context, in io.Reader, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, d.path, args...)
	cmd.Stdin = in
	cmd.WaitDelay = 5 * time.Second
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", cmd, err, strings.TrimSpace(problems.String()))
	}
	return out.String(), nil
}

// Result is the result of a driver for a pair.
type Result struct {
	Score int
	CIGAR string // "" for a score alone
}

// ReadResults reads lines of a score, or of score, tab and CIGAR. WFA-GPU writes
// such lines with negative scores.
func ReadResults(file string) ([]Result, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var results []Result
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<30)
	for lines.Scan() {
		score, cigar, _ := strings.Cut(lines.Text(), "\t")
		s, err := strconv.Atoi(score)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, len(results)+1, err)
		}
		results = append(results, Result{Score: max(s, -s), CIGAR: cigar})
	}
	return results, lines.Err()
}
