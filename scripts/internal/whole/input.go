package whole

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// input is a .seq file made of the pairs of blocks.
type input struct {
	pairs int
	at    func(i int) (b *block, j int) // the block of pair i and the pair's place in it
}

// repeat has n pairs, those of a block in turn.
func repeat(b *block, n int) input {
	return input{n, func(i int) (*block, int) { return b, i % len(b.records) }}
}

// concat has the pairs of some inputs one after the other.
func concat(ins ...input) input {
	all := input{}
	ends := make([]int, len(ins))
	for i, in := range ins {
		all.pairs += in.pairs
		ends[i] = all.pairs
	}
	all.at = func(i int) (*block, int) {
		k, _ := slices.BinarySearch(ends, i+1)
		return ins[k].at(i - (ends[k] - ins[k].pairs))
	}
	return all
}

// interleave spreads the pairs of each input evenly over the file.
func interleave(ins ...input) input {
	type place struct{ in, i int32 }
	var order []place
	next := make([]int, len(ins))
	for {
		best := -1
		for k, in := range ins {
			// The middle of pair next[k] among in.pairs, as a share of the file.
			if next[k] < in.pairs && (best < 0 || (2*next[k]+1)*ins[best].pairs < (2*next[best]+1)*in.pairs) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		order = append(order, place{int32(best), int32(next[best])})
		next[best]++
	}
	return input{len(order), func(i int) (*block, int) { return ins[order[i].in].at(int(order[i].i)) }}
}

// bytes is the size of the file.
func (in input) bytes() (n int64) {
	for i := range in.pairs {
		b, j := in.at(i)
		n += int64(len(b.records[j]))
	}
	return n
}

func (in input) squares() (sum float64) {
	share := map[*block]int{}
	for i := range in.pairs {
		b, _ := in.at(i)
		share[b]++
	}
	for b, n := range share {
		sum += b.squares * float64(n) / float64(len(b.records))
	}
	return sum
}

// write writes the file, in several pieces at the same time.
func (in input) write(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	const pieces = 8
	var wg sync.WaitGroup
	errs := make([]error, pieces)
	offset := int64(0)
	for k := range pieces {
		from, to := in.pairs*k/pieces, in.pairs*(k+1)/pieces
		at := offset
		wg.Go(func() { errs[k] = in.writePiece(io.NewOffsetWriter(f, at), from, to) })
		for i := from; i < to; i++ {
			b, j := in.at(i)
			offset += int64(len(b.records[j]))
		}
	}
	wg.Wait()
	return errors.Join(append(errs, f.Close())...)
}

func (in input) writePiece(w io.Writer, from, to int) error {
	buffered := bufio.NewWriterSize(w, 1<<20)
	for i := from; i < to; i++ {
		b, j := in.at(i)
		if _, err := buffered.Write(b.records[j]); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// verify compares an output with the lines of the CPU engine; scores alone if the
// output has no CIGARs.
func (in input) verify(output string, scoreOnly bool) error {
	f, err := os.Open(output)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 4<<20)
	var buf []byte
	var lines, differ, scores, first int
	for ; ; lines++ {
		line, err := readLine(r, &buf)
		if err == io.EOF && len(line) == 0 {
			break
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", lines+1, err)
		}
		if lines >= in.pairs {
			continue
		}
		b, j := in.at(lines)
		got, named := cutName(line, lines+1)
		got = bytes.TrimSuffix(got, []byte("\n"))
		score, _, _ := bytes.Cut(b.want[j], []byte("\t"))
		want := b.want[j]
		if scoreOnly {
			want = score
		}
		if named && bytes.Equal(got, want) {
			continue
		}
		if differ++; differ == 1 {
			first = lines + 1
		}
		if own, _, _ := bytes.Cut(got, []byte("\t")); !named || !bytes.Equal(own, score) {
			scores++
		}
	}
	switch {
	case lines != in.pairs:
		return fmt.Errorf("%d lines for %d pairs", lines, in.pairs)
	case differ > 0:
		return fmt.Errorf("%d of %d lines differ from the CPU engine's, %d of them in the score; the first is line %d", differ, lines, scores, first)
	}
	return nil
}

// sameFiles compares two outputs.
func sameFiles(a, b string) error {
	var files [2]*bufio.Reader
	for i, name := range []string{a, b} {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		files[i] = bufio.NewReaderSize(f, 4<<20)
	}
	var bufs [2][]byte
	for n := 1; ; n++ {
		x, errX := readLine(files[0], &bufs[0])
		y, errY := readLine(files[1], &bufs[1])
		if !bytes.Equal(x, y) {
			return fmt.Errorf("the outputs differ from line %d on", n)
		}
		if errX != nil || errY != nil {
			if errX == io.EOF && errY == io.EOF {
				return nil
			}
			return errors.Join(errX, errY)
		}
	}
}
