package seqio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// errNoBGZFEnd says that a file in BGZF lacks the empty block at its end: it may be cut behind a block. Some
// programs write such files, bcl2fastq for one, so that this is no error.
var errNoBGZFEnd = errors.New("the empty block that ends BGZF is missing: the file may be cut short")

// missingEnd is what to tell of BGZF without its end.
func (s *source) missingEnd() error { return fmt.Errorf("%s: %w", s.name, errNoBGZFEnd) }

// bgzfWalk passes stored data on and goes from block to block of it while it is BGZF, to know which one is
// the last.
type bgzfWalk struct {
	r    io.Reader
	head []byte // of the next block, as far as it has passed
	left int    // bytes of the block that are still to pass
	last int    // size of the last block, 0 before the first one
	over bool   // what follows is gzip of another kind
}

func (w *bgzfWalk) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.pass(p[:n])
	return n, err
}

func (w *bgzfWalk) pass(p []byte) {
	for len(p) > 0 && !w.over {
		if n := min(w.left, len(p)); n > 0 {
			w.left, p = w.left-n, p[n:]
			continue
		}
		n := min(len(p), bgzfHeaderSize-len(w.head))
		w.head, p = append(w.head, p[:n]...), p[n:]
		if len(w.head) < bgzfHeaderSize {
			return
		}
		if w.over = !isBGZF(w.head); !w.over {
			w.last = int(binary.LittleEndian.Uint16(w.head[16:])) + 1
			w.left = max(0, w.last-bgzfHeaderSize)
		}
		w.head = w.head[:0]
	}
}

// cut reports whether all that has passed is BGZF without its end.
func (w *bgzfWalk) cut() bool { return !w.over && w.last > 0 && w.last != len(bgzfEnd) }
