package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"wfagpu/scripts/internal/recall"
	"wfagpu/scripts/internal/sets"
	"wfagpu/scripts/peers"
)

// wallTime matches WFA-GPU's report of the time of alignment, without reading the
// input and writing the output.
var wallTime = regexp.MustCompile(`Wall time: ([0-9.]+)s`)

// wfaGPURows are the rows of the paper's own program. Its score bound is the largest
// optimum of the sample, which favours it: users do not know that beforehand.
func wfaGPURows(t *trial, c *paperConfig, work string) ([]*row, error) {
	all := filepath.Join(work, "all.seq")
	if err := sets.Write(all, t.pairs); err != nil {
		return nil, err
	}
	var rows []*row
	for _, m := range modes {
		if !c.modes[m] {
			continue
		}
		r := &row{tool: "WFA-GPU", family: "WFA-GPU", device: "GPU", mode: m}
		start := func(ctx context.Context, file string, batch int, more ...string) (float64, error) {
			args := []string{
				"-i", file, "-g", c.penalties.String(),
				"-e", strconv.Itoa(max(1, t.maxScore)), "-b", strconv.Itoa(batch),
			}
			if !m.scoreOnly() {
				args = append(args, "-x")
			}
			if m.approx() {
				args = append(args, "-B", "auto")
			}
			ctx, cancel := context.WithTimeout(ctx, c.timeout())
			defer cancel()
			text, err := exec.CommandContext(ctx, c.wfaGPU, append(args, more...)...).CombinedOutput()
			if err != nil {
				return 0, fmt.Errorf("%s: %w: %s", c.wfaGPU, err, strings.TrimSpace(string(text)))
			}
			found := wallTime.FindSubmatch(text)
			if found == nil {
				return 0, fmt.Errorf("%s reports no time", c.wfaGPU)
			}
			return strconv.ParseFloat(string(found[1]), 64)
		}
		r.check = func(ctx context.Context) (recall.Tally, error) {
			out := filepath.Join(work, "wfa-gpu.out")
			defer os.Remove(out)
			if _, err := start(ctx, t.file, len(t.sample.Pairs), "-o", out); err != nil {
				return recall.Tally{}, err
			}
			results, err := peers.ReadResults(out)
			if err != nil {
				return recall.Tally{}, err
			}
			return tallyResults(t, recall.Rule{Penalties: c.penalties}, results, m)
		}
		r.measure = func(ctx context.Context) (int, float64, error) {
			// Several batches, so that it can copy one while it aligns another.
			took, err := start(ctx, all, max(1, len(t.pairs)/8))
			return len(t.pairs), took, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}
