package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"strings"

	"wfagpu/align"
	"wfagpu/scripts/internal/published"
	"wfagpu/scripts/internal/sets"
)

// The papers whose tables `bench paper -of` rebuilds.
const (
	ofWFAGPU  = "wfa-gpu"
	ofEWFAGPU = "ewfa-gpu" // edit distance
)

// choosePaper sets what depends on the paper, unless flags say otherwise.
func (c *paperConfig) choosePaper(f *flag.FlagSet, modeList *string) error {
	given := map[string]bool{}
	f.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch c.of {
	case ofWFAGPU:
		return nil
	case ofEWFAGPU:
		if given["penalties"] && c.penalties != align.EditPenalties {
			return fmt.Errorf("penalties %v: the tables of %s are of edit distance", c.penalties, c.of)
		}
		c.penalties = align.EditPenalties
		if !given["modes"] {
			*modeList = "exact,score"
		}
		return nil
	}
	return fmt.Errorf("no tables of %q: want %s or %s", c.of, ofWFAGPU, ofEWFAGPU)
}

// simulatedSets are those of the paper, with the numbers of alignments that T is the time of.
func (c *paperConfig) simulatedSets() ([]sets.Set, func(sets.Set) int) {
	if c.of == ofEWFAGPU {
		return sets.EditPaper(), func(sets.Set) int { return published.EditAlignments }
	}
	targets := quickTargets
	if c.full {
		targets = fullTargets
	}
	return sets.Paper(), func(s sets.Set) int { return targets[s.Length] }
}

// tierRows are the rows of this program with the largest distances of the paper's kernels, where
// no pair of the sample is beyond.
func tierRows(t *trial, c *paperConfig) []*row {
	if c.of != ofEWFAGPU || !c.gpu {
		return nil
	}
	var rows []*row
	for _, most := range published.EditTiers {
		for _, m := range []mode{exactCIGAR, exactScore} {
			if !c.modes[m] || t.maxScore > most {
				continue
			}
			o := engineOptions{penalties: c.penalties, mode: m, device: c.device, cutoff: most + 1}
			r := gpuRow(t, c, o)
			r.tool, r.family, r.ours = fmt.Sprintf("wfagpu, distance up to %d", most), "wfagpu, GPU", true
			rows = append(rows, r)
		}
	}
	return rows
}

// publishedFactors writes how many times as fast as others eWFA-GPU is, and this program on the
// sets that have been measured.
func publishedFactors(w io.Writer, done []*outcome) {
	factors, err := published.EditFactors()
	if err != nil {
		return
	}
	fmt.Fprintf(w, "\nTimes as fast as others, least to most of all sets: published of eWFA-GPU, on\n%s, and measured of this program on its fastest device, with CIGARs\n\n", published.EditHardware)
	line(w, []string{"Device", "Peer", "eWFA-GPU, published", "wfagpu"})
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", 4))
	for _, f := range factors {
		times := f.Least + " to " + f.Most
		if f.Least == "" {
			times = "up to " + f.Most
		}
		line(w, []string{f.Device, f.Peer, times, measuredFactor(f, done)})
	}
}

// measuredPeers are the libraries that stand for peers of the paper: eWFA is WFA2-lib's metric for
// edit distance now.
var measuredPeers = map[string]string{"Edlib": "Edlib", "eWFA": "WFA2-lib"}

func measuredFactor(f published.EditFactor, done []*outcome) string {
	family, ok := measuredPeers[f.Peer]
	if !ok {
		return ""
	}
	least, most := math.Inf(1), 0.0
	for _, o := range done {
		ours := fastest(o.rows, func(r *row) bool { return r.ours && r.mode == exactCIGAR })
		peer := fastest(o.rows, func(r *row) bool {
			return !r.ours && r.mode == exactCIGAR && strings.HasPrefix(r.family, family)
		})
		if ours > 0 && peer > 0 {
			least, most = min(least, ours/peer), max(most, ours/peer)
		}
	}
	if most == 0 {
		return ""
	}
	return figures(least) + " to " + figures(most)
}
