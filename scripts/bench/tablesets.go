package main

import (
	"os"
	"path/filepath"
	"strings"

	"wfagpu/align"
	"wfagpu/align/aligntest/wfa2"
	"wfagpu/scripts/internal/sets"
)

// tableSet is a row of `bench table`.
type tableSet struct {
	name  string
	modes []wfa2.Memory // of the peer
	// load returns the pairs as a .seq file, which may be made in dir, and in memory.
	load func(dir string) (file string, b *align.Batch, err error)
}

// tableSets lists the sets of the files that data names, or the simulated ones if it is empty.
func tableSets(data string) ([]tableSet, error) {
	var list []tableSet
	if data == "" {
		for _, s := range sets.Paper() {
			list = append(list, simulatedSet(s))
		}
		return list, nil
	}
	files, err := dataFiles(data)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		list = append(list, fileSet(file))
	}
	return list, nil
}

// simulatedSet has the exact modes with full alignments that may be the fastest: keeping every
// wavefront is, until they outgrow the cache.
func simulatedSet(s sets.Set) tableSet {
	modes := []wfa2.Memory{wfa2.High}
	if s.Length >= 10_000 {
		modes = append(modes, wfa2.UltraLow)
	}
	return tableSet{name: s.String(), modes: modes, load: func(dir string) (string, *align.Batch, error) {
		file, err := s.File(dir)
		if err != nil {
			return "", nil, err
		}
		b, err := s.Batch()
		return file, b, err
	}}
}

// leastLetters is the size to which small files of pairs are repeated.
const leastLetters = 8 << 20

// fileSet has the pairs of a file, several times if they are few.
func fileSet(file string) tableSet {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ".seq")
	return tableSet{name: name, modes: []wfa2.Memory{wfa2.High, wfa2.UltraLow}, load: func(dir string) (string, *align.Batch, error) {
		b, err := sets.Read(file, 0)
		if err != nil {
			return "", nil, err
		}
		once := b.Pairs
		for all, n := b.Bases(), b.Bases(); n > 0 && all < leastLetters; all += n {
			b.Pairs = append(b.Pairs, once...)
		}
		repeated := filepath.Join(dir, name+".repeated.seq")
		if err := os.RemoveAll(repeated); err != nil {
			return "", nil, err
		}
		return repeated, b, sets.Write(repeated, b.Pairs)
	}}
}
