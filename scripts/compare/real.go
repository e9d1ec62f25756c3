package main

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"wfagpu/align"
	"wfagpu/align/simulate"
	seqio "wfagpu/io"
)

// realCampaign lists sets of all spans on the real pairs of a directory, those of up to longest
// letters, with flanks of 10 to 1,000 letters around the texts where these may be left out.
func realCampaign(dir string, longest int, scale float64, seed uint64) ([]set, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.seq.gz"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no .seq.gz in " + dir)
	}
	var sets []set
	for _, file := range files {
		pairs, err := readPairs(file, longest)
		if err != nil {
			return nil, err
		}
		if pairs = pairs[:int(scale*float64(len(pairs)))]; len(pairs) == 0 {
			continue
		}
		bases := 0
		for i := range pairs {
			bases += len(pairs[i].Text)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".seq.gz")
		for _, s := range spans() {
			sets = append(sets, set{
				spanned: s, flanks: 1000, real: name, batch: pairs, count: len(pairs),
				pairs: simulate.Options{Seed: seed, Length: bases / len(pairs)},
			})
			seed++
		}
	}
	return sets, nil
}

// readPairs reads the pairs of a file of up to longest letters each. Letters other than A, C, G and
// T mean different things to different programs, so pairs with them are left out.
func readPairs(file string, longest int) (pairs []align.Pair, err error) {
	r, err := seqio.Open(seqio.Inputs{Pairs: []string{file}}, nil, seqio.Limits{Bases: 1 << 22, Pairs: 1 << 16})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		b := new(align.Batch)
		err := r.ReadBatch(b)
		for _, p := range b.Pairs {
			if max(len(p.Pattern), len(p.Text)) <= longest && plain(p.Pattern) && plain(p.Text) {
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
