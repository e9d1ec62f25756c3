package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"wfagpu/io/formattest"
	"wfagpu/scripts/internal/sets"
)

// sample is reads and a reference that they come from, made from a set of pairs.
type sample struct {
	name   string
	file   string // NAME.seq.gz
	kind   kind
	pairs  [][2]string // as they are in the set
	reads  []read
	number map[string]int // of a read
	order  []string       // the sequences of the reference
	genome map[string]string
}

// read is a read as the mapper gets it.
type read struct{ name, letters, qualities string }

// newSample makes reads of the queries of NAME.seq.gz, every second one reverse-complemented, with
// the qualities of NAME.reads.fastq.gz if that is there. The reference has the targets at the
// places that NAME.info.tsv.gz names, or else one behind the other.
func newSample(file string) (*sample, error) {
	base := strings.TrimSuffix(file, ".seq.gz")
	s := &sample{name: filepath.Base(base), file: file, number: map[string]int{}, genome: map[string]string{}}
	var err error
	if s.kind, err = kindOf(s.name); err != nil {
		return nil, err
	}
	b, err := sets.Read(file, 0)
	if err != nil {
		return nil, err
	}
	for _, p := range b.Pairs {
		s.pairs = append(s.pairs, [2]string{string(p.Pattern), string(p.Text)})
	}
	qualities, err := readQualities(base+".reads.fastq.gz", s.pairs)
	if err != nil {
		return nil, err
	}
	for i, p := range s.pairs {
		r := read{name: fmt.Sprint("read", i+1), letters: p[0]}
		if qualities != nil {
			r.qualities = qualities[i]
		}
		if i%2 == 1 {
			r.letters, r.qualities = formattest.Reverse(r.letters), backward(r.qualities)
		}
		s.number[r.name] = len(s.reads)
		s.reads = append(s.reads, r)
	}
	places, err := readPlaces(base+".info.tsv.gz", s.pairs)
	if err != nil {
		return nil, err
	}
	s.build(places)
	return s, nil
}

// build puts the targets to their places. What no target covers is N; where two differ, the later
// one counts.
func (s *sample) build(places []place) {
	text := map[string][]byte{}
	for i, p := range places {
		g, known := text[p.sequence]
		if !known {
			s.order = append(s.order, p.sequence)
		}
		target := s.pairs[i][1]
		for len(g) < p.from+len(target) {
			g = append(g, 'N')
		}
		copy(g[p.from:], target)
		text[p.sequence] = g
	}
	for name, g := range text {
		s.genome[name] = string(g)
	}
}

// bases is the number of letters of all reads.
func (s *sample) bases() int {
	n := 0
	for _, r := range s.reads {
		n += len(r.letters)
	}
	return n
}

// readsFile is the name of the file of reads, which tells its format.
func (s *sample) readsFile() string {
	if len(s.reads) > 0 && s.reads[0].qualities != "" {
		return "reads.fq"
	}
	return "reads.fa"
}

// write writes the reads, ref.fa, and the targets of the pairs, targets.fa.
func (s *sample) write(dir string) error {
	err := writeFile(filepath.Join(dir, s.readsFile()), func(w *bufio.Writer) {
		for _, r := range s.reads {
			if r.qualities == "" {
				fmt.Fprintf(w, ">%s\n%s\n", r.name, r.letters)
			} else {
				fmt.Fprintf(w, "@%s\n%s\n+\n%s\n", r.name, r.letters, r.qualities)
			}
		}
	})
	if err != nil {
		return err
	}
	err = writeFile(filepath.Join(dir, "ref.fa"), func(w *bufio.Writer) {
		for _, name := range s.order {
			writeFasta(w, name, s.genome[name])
		}
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "targets.fa"), func(w *bufio.Writer) {
		for i, p := range s.pairs {
			writeFasta(w, fmt.Sprint(i+1), p[1])
		}
	})
}

// writeFasta writes a record in lines of 60 letters.
func writeFasta(w *bufio.Writer, name, letters string) {
	fmt.Fprintf(w, ">%s\n", name)
	for len(letters) > 0 {
		n := min(60, len(letters))
		fmt.Fprintf(w, "%s\n", letters[:n])
		letters = letters[n:]
	}
}

// writeFile writes a file through a buffer.
func writeFile(name string, write func(w *bufio.Writer)) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	write(w)
	if err := w.Flush(); err != nil { // has the first error of all writes
		f.Close()
		return err
	}
	return f.Close()
}

func backward(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}
