// Package sets has the pairs that the benchmarks align: simulated sets, identified
// by their options and a seed, and pairs from files.
package sets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// Set is a number of simulated pairs.
type Set struct {
	simulate.Options
	Count int
}

func (s Set) String() string {
	name := fmt.Sprintf("%d bp %g %%", s.Length, 100*s.ErrorRate)
	if s.Model != "" && s.Model != simulate.Uniform {
		name += " " + string(s.Model)
	}
	return name
}

// Paper lists the simulated sets of the WFA papers. The counts make one pass
// of WFA2-lib in one thread take about a second.
func Paper() []Set {
	counts := map[int][3]int{
		150:    {200_000, 100_000, 60_000},
		1000:   {20_000, 8_000, 3_000},
		10_000: {600, 150, 60},
	}
	var all []Set
	for _, length := range []int{150, 1000, 10_000} {
		for i, rate := range []float64{0.02, 0.05, 0.10} {
			all = append(all, Set{
				Options: simulate.Options{Length: length, ErrorRate: rate, Seed: uint64(len(all) + 1)},
				Count:   counts[length][i],
			})
		}
	}
	return all
}

// EditPaper lists the simulated sets of the paper of eWFA-GPU. Those that Paper has, too, are
// the same.
func EditPaper() []Set {
	all := Paper()[:6]
	for i, rate := range []float64{0.02, 0.05, 0.10} {
		all = slices.Insert(all, 3+i, Set{
			Options: simulate.Options{Length: 300, ErrorRate: rate, Seed: uint64(41 + i)},
			Count:   []int{100_000, 50_000, 30_000}[i],
		})
	}
	return all
}

// Batch returns the set in memory, in one block as a reader lays it out.
func (s Set) Batch() (*align.Batch, error) {
	g, err := simulate.New(s.Options)
	if err != nil {
		return nil, err
	}
	b := &align.Batch{First: 1, Buf: make([]byte, 0, s.Count*(2*s.Length+s.Length/4+256))}
	keep := func(seq []byte) []byte {
		start := len(b.Buf)
		b.Buf = append(b.Buf, seq...)
		return b.Buf[start:len(b.Buf):len(b.Buf)]
	}
	for range s.Count {
		pattern, text := g.Next()
		b.Pairs = append(b.Pairs, align.Pair{Pattern: keep(pattern), Text: keep(text)})
	}
	return b, nil
}

// Batches makes about Count pairs in n batches, concurrently and from the n seeds
// that follow Seed.
func (s Set) Batches(n int) ([]*align.Batch, error) {
	batches := make([]*align.Batch, n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range batches {
		wg.Go(func() {
			part := s
			part.Seed += uint64(i)
			part.Count = s.Count / n
			batches[i], errs[i] = part.Batch()
		})
	}
	wg.Wait()
	return batches, errors.Join(errs...)
}

// File returns the path of the set as a .seq file, and writes the file if it is
// missing.
func (s Set) File(dir string) (string, error) {
	name := filepath.Join(dir, fmt.Sprintf("pairs-%d-%g-%d-seed%d.seq", s.Length, s.ErrorRate, s.Count, s.Seed))
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	err := writeFile(name, func(w *bufio.Writer) error { return s.write(w) })
	return name, err
}

// Bytes returns the set as the contents of a .seq file.
func (s Set) Bytes() ([]byte, error) {
	var b bytes.Buffer
	err := s.write(&b)
	return b.Bytes(), err
}

func (s Set) write(w byteWriter) error {
	g, err := simulate.New(s.Options)
	if err != nil {
		return err
	}
	for range s.Count {
		pattern, text := g.Next()
		if err := writePair(w, pattern, text); err != nil {
			return err
		}
	}
	return nil
}
