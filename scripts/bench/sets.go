package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// set is a number of simulated pairs, which exist as a .seq file for the
// programs that read one and in memory for the engine.
type set struct {
	simulate.Options
	count int
}

func (s set) String() string {
	return fmt.Sprintf("%d bp %g %%", s.Length, 100*s.ErrorRate)
}

// paperSets are the simulated sets of the WFA papers. The counts make one pass
// of the peer take about a second.
func paperSets() []set {
	counts := map[int][3]int{
		150:    {200_000, 100_000, 60_000},
		1000:   {20_000, 8_000, 3_000},
		10_000: {600, 150, 60},
	}
	var sets []set
	for _, length := range []int{150, 1000, 10_000} {
		for i, rate := range []float64{0.02, 0.05, 0.10} {
			sets = append(sets, set{
				Options: simulate.Options{Length: length, ErrorRate: rate, Seed: uint64(len(sets) + 1)},
				count:   counts[length][i],
			})
		}
	}
	return sets
}

// batch holds the set in memory, in one block as a reader would leave it.
func (s set) batch() (*align.Batch, error) {
	g, err := simulate.New(s.Options)
	if err != nil {
		return nil, err
	}
	b := &align.Batch{First: 1, Buf: make([]byte, 0, s.count*(2*s.Length+s.Length/4+256))}
	keep := func(seq []byte) []byte {
		start := len(b.Buf)
		b.Buf = append(b.Buf, seq...)
		return b.Buf[start:len(b.Buf):len(b.Buf)]
	}
	for range s.count {
		pattern, text := g.Next()
		b.Pairs = append(b.Pairs, align.Pair{Pattern: keep(pattern), Text: keep(text)})
	}
	return b, nil
}

// file returns the path of the set as a .seq file, which it writes if need be.
func (s set) file(dir string) (string, error) {
	name := filepath.Join(dir, fmt.Sprintf("pairs-%d-%g-%d-seed%d.seq", s.Length, s.ErrorRate, s.count, s.Seed))
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	f, err := os.Create(name + ".tmp") // so that an interrupted run leaves no half a set
	if err != nil {
		return "", err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	err = s.write(w)
	if err := errors.Join(err, w.Flush(), f.Close()); err != nil {
		return "", err
	}
	return name, os.Rename(name+".tmp", name)
}

type byteWriter interface {
	Write([]byte) (int, error)
	WriteByte(byte) error
}

func (s set) write(w byteWriter) error {
	g, err := simulate.New(s.Options)
	if err != nil {
		return err
	}
	for range s.count {
		pattern, text := g.Next()
		err := errors.Join(
			w.WriteByte('>'), second(w.Write(pattern)), w.WriteByte('\n'),
			w.WriteByte('<'), second(w.Write(text)), w.WriteByte('\n'))
		if err != nil {
			return err
		}
	}
	return nil
}

func second(_ int, err error) error { return err }

// bytes returns the set as the contents of a .seq file.
func (s set) bytes() ([]byte, error) {
	var b bytes.Buffer
	err := s.write(&b)
	return b.Bytes(), err
}
