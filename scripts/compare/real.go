package main

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"wfagpu/align"
	"wfagpu/align/simulate"
	seqio "wfagpu/io"
)

// realFlanks is the most letters of a flank of real pairs.
const realFlanks = 1000

// realCampaign lists sets of all spans on the real pairs of a directory, with flanks of 10 to 1,000
// letters around the texts where these may be left out: so many pairs of each file, from all over it,
// that their matrices have no more than so many cells, and one at least.
func realCampaign(dir string, cells, scale float64, seed uint64) ([]set, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.seq.gz"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no .seq.gz in " + dir)
	}
	var sets []set
	for _, file := range files {
		pairs, err := readPairs(file)
		if err != nil {
			return nil, err
		}
		if pairs = share(pairs, cells, scale); len(pairs) == 0 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".seq.gz")
		for _, s := range spans() {
			some := pairs
			if s.zdrop > 0 {
				some = slices.DeleteFunc(slices.Clone(pairs), tooLong)
			}
			if len(some) > 0 {
				sets = append(sets, set{
					spanned: s, flanks: realFlanks, real: name, batch: some, count: len(some),
					pairs: simulate.Options{Seed: seed, Length: meanLength(some)},
				})
			}
			seed++
		}
	}
	return sets, nil
}

// tooLong reports whether the definition of a z-drop, which has to tell which of two scores is right, takes
// long.
func tooLong(p align.Pair) bool { return len(p.Pattern) > 2000 }

func meanLength(pairs []align.Pair) int {
	bases := 0
	for i := range pairs {
		bases += len(pairs[i].Text)
	}
	return bases / len(pairs)
}

// share returns a share of pairs at equal distances, within so many cells.
func share(pairs []align.Pair, cells, scale float64) []align.Pair {
	all := 0.0
	for i := range pairs {
		all += float64(len(pairs[i].Pattern)) * float64(len(pairs[i].Text)+realFlanks)
	}
	count := int(min(1, scale) * float64(len(pairs)) * min(1, cells/all))
	if len(pairs) > 0 && scale > 0 {
		count = max(1, count)
	}
	some := make([]align.Pair, count)
	for i := range some {
		some[i] = pairs[(2*i+1)*len(pairs)/(2*count)]
	}
	return some
}

// readPairs reads the pairs of a file. Letters other than A, C, G and T mean different things to
// different programs, so pairs with them are left out.
func readPairs(file string) (pairs []align.Pair, err error) {
	r, err := seqio.Open(seqio.Inputs{Pairs: []string{file}}, nil, seqio.Limits{Bases: 1 << 22, Pairs: 1 << 16})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		b := new(align.Batch)
		err := r.ReadBatch(b)
		for _, p := range b.Pairs {
			if plain(p.Pattern) && plain(p.Text) {
				pairs = append(pairs, p)
			}
		}
		if err == io.EOF {
			return pairs, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func plain(s []byte) bool { return strings.Trim(string(s), "ACGT") == "" }
