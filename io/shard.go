package seqio

import (
	"fmt"
	"io"
	"math/bits"
	"os"
)

// Shard selects the Part-th, from 1, of Parts parts of the input; the zero value is all
// of it. The parts of a file have about the same number of bytes. A record
// belongs to the part in which its first byte lies, so that the parts in order
// have all pairs, each in one part, and a part may have none. Pairs keep the
// ordinals, and messages the lines and records, that they have in the whole input.
//
// Of two files the query file is cut by bytes, and the target file where the same
// number of records stands before.
//
// Only plain files on disk have parts. The ordinal of a part's first pair comes from
// an index, see [WriteIndex], or without one from counting in the bytes before it.
type Shard struct{ Part, Parts int }

// MaxShards bounds Shard.Parts.
const MaxShards = 1_000_000

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Part, s.Parts) }

// whole reports whether the shard is all of the input.
func (s Shard) whole() bool { return s.Parts == 0 }

func (s Shard) validate() error {
	if !s.whole() && (s.Parts < 1 || s.Parts > MaxShards || s.Part < 1 || s.Part > s.Parts) {
		return fmt.Errorf("there is no shard %v", s)
	}
	return nil
}

// last reports whether nothing of the input follows.
func (s Shard) last() bool { return s.Part == s.Parts }

// cuts returns the offsets between which a record of this part starts, the second
// one exclusive, in a file of size bytes.
func (s Shard) cuts(size int64) (from, to int64) {
	return share(size, s.Part-1, s.Parts), share(size, s.Part, s.Parts)
}

// share is size*part/parts.
func share(size int64, part, parts int) int64 {
	hi, lo := bits.Mul64(uint64(size), uint64(part))
	q, _ := bits.Div64(hi, lo, uint64(parts))
	return int64(q)
}

// ShardError is an input that has no parts.
type ShardError struct {
	File string // see FileName
	Why  string
	// Compressed says that the file could be cut if it were decompressed.
	Compressed bool
	// Joined says that a pairs file of the same pairs could be cut.
	Joined bool
}

func (e *ShardError) Error() string {
	if e.Joined {
		return fmt.Sprintf("%s %s: shards are cut from one pairs file, or from two files in step", e.File, e.Why)
	}
	return fmt.Sprintf("%s %s: shards are cut from plain files on disk", e.File, e.Why)
}

// mark is a place in a file where a record starts.
type mark struct {
	offset  int64 // in bytes from the file's start
	records int64 // before it
	lines   int64
}

// regular refuses what is no file on disk. It comes before opening, which waits for
// the writer of a named pipe.
func regular(path string, stdin io.Reader) error {
	refused := &ShardError{File: FileName(path), Why: "is a pipe or a device"}
	var info os.FileInfo
	var err error
	if path == "-" {
		f, ok := stdin.(*os.File)
		if !ok {
			return refused
		}
		info, err = f.Stat()
	} else {
		info, err = os.Stat(path)
	}
	if err != nil || info.IsDir() || info.Mode().IsRegular() {
		return nil // opening it tells what is wrong
	}
	return refused
}

// startShard is start for a source that is to be cut.
func (s *source) startShard() error {
	if err := s.start(); err != nil {
		return err
	}
	if s.packed() {
		return &ShardError{File: s.name, Why: "is compressed", Compressed: true}
	}
	return nil
}
