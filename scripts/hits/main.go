// Command hits simulates a mapper's output for a large reference: ref.fa, reads.fq and hits.paf,
// with one hit for each read, in the order of the reads. The same flags write the same bytes.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

const (
	sequences = 24
	lineWidth = 60
)

func main() {
	var s simulation
	flag.Int64Var(&s.bases, "bases", 3_000_000_000, "bases of the reference")
	flag.Int64Var(&s.reads, "reads", 10_000_000, "reads, each with a hit")
	flag.IntVar(&s.length, "length", 150, "bases of a read's place")
	flag.Float64Var(&s.errors, "error-rate", 0.05, "errors per base, a third of each kind")
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/hits [flags] DIR")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || s.length < 1 || s.bases < sequences*int64(s.length) || s.reads < 0 || s.errors < 0 || s.errors > 1 {
		flag.Usage()
		os.Exit(2)
	}
	s.rng = rand.New(rand.NewPCG(*seed, 0))
	if err := s.write(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "hits:", err)
		os.Exit(1)
	}
}

type simulation struct {
	bases, reads int64
	length       int
	errors       float64
	rng          *rand.Rand
	reference    []byte // the sequences, of equal lengths, one behind the other
}

func (s *simulation) write(dir string) error {
	each := s.bases / sequences
	s.reference = make([]byte, each*sequences)
	for i := range s.reference {
		s.reference[i] = s.base()
	}
	if err := writeFile(filepath.Join(dir, "ref.fa"), func(w *bufio.Writer) {
		for c := range int64(sequences) {
			fmt.Fprintf(w, ">chr%d\n", c+1)
			for line := range slices.Chunk(s.reference[c*each:(c+1)*each], lineWidth) {
				w.Write(line)
				w.WriteByte('\n')
			}
		}
	}); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "reads.fq"), func(reads *bufio.Writer) {
		err := writeFile(filepath.Join(dir, "hits.paf"), func(hits *bufio.Writer) { s.simulate(each, reads, hits) })
		if err != nil {
			fmt.Fprintln(os.Stderr, "hits:", err)
			os.Exit(1)
		}
	})
}

// simulate writes the reads and their hits. each is the length of a sequence.
func (s *simulation) simulate(each int64, reads, hits *bufio.Writer) {
	var read, values []byte
	for i := range s.reads {
		c, at := s.rng.Int64N(sequences), s.rng.Int64N(each-int64(s.length)+1)
		read = s.copy(read[:0], s.reference[c*each+at:][:s.length])
		strand := "+"
		if s.rng.IntN(2) == 0 {
			strand = "-"
			reverseComplement(read)
		}
		values = append(values[:0], read...)
		for k := range values {
			values[k] = "FFFFF:,#"[s.rng.IntN(8)]
		}
		fmt.Fprintf(reads, "@read.%d\n%s\n+\n%s\n", i+1, read, values)
		fmt.Fprintf(hits, "read.%d\t%d\t0\t%d\t%s\tchr%d\t%d\t%d\t%d\t%d\t%d\t60\ttp:A:P\tcm:i:20\ts1:i:140\ts2:i:0\tdv:f:0.01\n",
			i+1, len(read), len(read), strand, c+1, each, at, at+int64(s.length), s.length, s.length)
	}
}

func (s *simulation) base() byte { return "ACGT"[s.rng.Uint64()>>62] }

// copy appends a copy of text with errors, of one base at least.
func (s *simulation) copy(dst, text []byte) []byte {
	start := len(dst)
	for _, b := range text {
		if s.rng.Float64() >= s.errors {
			dst = append(dst, b)
			continue
		}
		switch s.rng.IntN(3) {
		case 0: // another base
			dst = append(dst, "ACGT"[(int(b>>1&3^b>>2&1)+1+s.rng.IntN(3))%4])
		case 1:
			dst = append(dst, b, s.base())
		}
	}
	if len(dst) == start {
		dst = append(dst, text[0])
	}
	return dst
}

func reverseComplement(s []byte) {
	slices.Reverse(s)
	for i, b := range s {
		switch b {
		case 'A':
			s[i] = 'T'
		case 'C':
			s[i] = 'G'
		case 'G':
			s[i] = 'C'
		default:
			s[i] = 'A'
		}
	}
}

// writeFile writes a file; text need not look at errors.
func writeFile(path string, text func(*bufio.Writer)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	text(w)
	return errors.Join(w.Flush(), f.Close())
}
