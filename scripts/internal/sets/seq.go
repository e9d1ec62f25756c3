package sets

import (
	"bufio"
	"errors"
	"io"
	"os"

	"wfagpu/align"
	seqio "wfagpu/io"
)

// Read returns the first pairs of a .seq file, plain or compressed; most is 0
// for all of them.
func Read(file string, most int) (*align.Batch, error) {
	r, err := seqio.Open(seqio.Inputs{Pairs: []string{file}}, nil, seqio.Limits{Bases: 8 << 20, Pairs: 1 << 20})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	all := &align.Batch{First: 1}
	for most <= 0 || len(all.Pairs) < most {
		b := &align.Batch{} // a new one each time, for the pairs stay where they are
		err := r.ReadBatch(b)
		all.Pairs = append(all.Pairs, b.Pairs...)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if most > 0 && len(all.Pairs) > most {
		all.Pairs = all.Pairs[:most]
	}
	return all, nil
}

// First returns the first pairs, at least one, up to a total number of letters.
func First(pairs []align.Pair, letters int) []align.Pair {
	for i := range pairs {
		if letters -= len(pairs[i].Pattern) + len(pairs[i].Text); letters <= 0 {
			return pairs[:i+1]
		}
	}
	return pairs
}

// Deal deals pairs to n batches in turn until each has a number of bases. A small
// set is repeated.
func Deal(pairs []align.Pair, n, bases int) []*align.Batch {
	out := make([]*align.Batch, n)
	at := 0
	for i := range out {
		out[i] = &align.Batch{First: 1}
		for have := 0; have < bases && len(pairs) > 0; at++ {
			p := pairs[at%len(pairs)]
			out[i].Pairs = append(out[i].Pairs, p)
			have += max(1, len(p.Pattern)+len(p.Text))
		}
	}
	return out
}

// Write writes pairs to a .seq file.
func Write(file string, pairs []align.Pair) error {
	return writeFile(file, func(w *bufio.Writer) error {
		for _, p := range pairs {
			if err := writePair(w, p.Pattern, p.Text); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeFile writes to a temporary name first, so that an interrupted run leaves no
// partial file.
func writeFile(name string, write func(*bufio.Writer) error) error {
	f, err := os.Create(name + ".tmp")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	err = write(w)
	if err := errors.Join(err, w.Flush(), f.Close()); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}

type byteWriter interface {
	Write([]byte) (int, error)
	WriteByte(byte) error
}

func writePair(w byteWriter, pattern, text []byte) error {
	return errors.Join(
		w.WriteByte('>'), second(w.Write(pattern)), w.WriteByte('\n'),
		w.WriteByte('<'), second(w.Write(text)), w.WriteByte('\n'))
}

func second(_ int, err error) error { return err }
