package main

import (
	"cmp"
	"fmt"
	"slices"
)

// label identifies a row across trials.
type label struct {
	tool, device string
	mode         mode
	threads      int
	ours         bool
}

func (r *row) label() label { return label{r.tool, r.device, r.mode, r.threads, r.ours} }

func (l label) cells() []string {
	name := l.tool
	if l.mode != exactCIGAR {
		name += ", " + string(l.mode)
	}
	threads := fmt.Sprint(l.threads)
	if l.threads == 0 || l.device == "GPU" {
		threads = ""
	}
	return []string{l.device, name, threads}
}

func (l label) in(o *outcome) *row {
	for _, r := range o.rows {
		if r.label() == l {
			return r
		}
	}
	return nil
}

// labelsOf returns the labels of all trials: GPUs first, then this program, then
// the peers, alignments before scores.
func labelsOf(group []*outcome) []label {
	var all []label
	for _, o := range group {
		for _, r := range o.rows {
			if !slices.Contains(all, r.label()) {
				all = append(all, r.label())
			}
		}
	}
	rank := func(l label) int {
		rank := 0
		if l.device == "CPU" {
			rank += 4
			if !l.ours {
				rank += 2
				if l.mode.scoreOnly() {
					rank++
				}
			}
		}
		return rank
	}
	slices.SortStableFunc(all, func(a, b label) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}

// families returns the names of the bars, in the order of the tables.
func families(group []*outcome, threads int) []string {
	var names []string
	for _, l := range labelsOf(group) {
		for _, o := range group {
			r := l.in(o)
			if r == nil || r.mode != exactCIGAR || r.threads != threads && r.device == "CPU" {
				continue
			}
			if !slices.Contains(names, r.family) {
				names = append(names, r.family)
			}
		}
	}
	return names
}
