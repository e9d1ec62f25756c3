package seqio

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// Inputs names what to read: Pairs, or Query and Target. Several files of one kind are
// read as one, one behind the other. "-" is standard input and may stand once.
type Inputs struct {
	Pairs, Query, Target []string
	// Hits names a PAF file, the places of queries in targets: each of its lines is a pair
	// of what is aligned there. Target is then the files of a reference.
	Hits string
	// Flank widens the target of a hit by so many letters on both sides, as far as it goes.
	Flank int
	// Extend is the most letters of a query beyond an end of its hit that are aligned, too: all of
	// them are or, of an end with more, none. See extended.
	Extend int
	// Interleaved says that Query alone has queries and targets in turn.
	Interleaved bool
	// ByName says that a query and a target of the same name are a pair, in any order of
	// the targets.
	ByName bool
	// Names says how the two names of a pair from Query and Target are compared or, with
	// ByName, what a record is whose name the other files lack.
	Names NameCheck
	// Qualities asks for the origins of pairs, with the quality values of FASTQ and, of
	// hits, with whole queries.
	Qualities bool
	// FirstNumber is the ordinal of the first pair; 0 is 1.
	FirstNumber int64
	// ReferenceCache is how many bytes of a bgzipped reference stay in memory; 0 is
	// DefaultReferenceCache.
	ReferenceCache int64
	// Note is called for what is odd and no error, unless it is nil, by the
	// goroutine that calls Open or ReadBatch.
	Note func(error)
	// Shard selects a part of the input.
	Shard Shard
}

func (in *Inputs) validate() error {
	pairs, query, target := len(in.Pairs) > 0, len(in.Query) > 0, len(in.Target) > 0
	switch {
	case !pairs && !query && !target:
		return errors.New("no input: want a pairs file, or a query and a target file")
	case pairs && (query || target):
		return errors.New("want a pairs file, or a query and a target file, not both")
	case in.Interleaved && !query:
		return errors.New("want a file of queries and targets in turn")
	case in.Interleaved && target:
		return errors.New("want no target file beside one of queries and targets in turn")
	case !pairs && !target && !in.Interleaved:
		return errors.New("a query file needs a target file beside it")
	case !pairs && !query:
		return errors.New("a target file needs a query file beside it")
	case slices.Contains(in.Query, "-") && slices.Contains(in.Target, "-"):
		return errors.New("standard input cannot be both the query and the target file")
	case pairs && (in.Hits != "" || in.ByName || in.Interleaved):
		return errors.New("a pairs file has the pairs: want no hits, names or turns beside it")
	case in.Hits != "" && (in.ByName || in.Interleaved), in.ByName && in.Interleaved:
		return errors.New("want pairs by hits, by names or by turns, one of them")
	}
	once := 0
	for _, path := range in.Files() {
		if path == "-" {
			once++
		}
	}
	if once > 1 {
		return errors.New("standard input can be only one of the inputs")
	}
	return in.Shard.validate()
}

// Files are all files: pairs, hits, queries, targets.
func (in *Inputs) Files() []string {
	paths := slices.Clone(in.Pairs)
	if in.Hits != "" {
		paths = append(paths, in.Hits)
	}
	return append(append(paths, in.Query...), in.Target...)
}

// IndexFiles are the indexes that a run reads or writes beside its files, there or not: those of a
// reference, and of files of which it takes a shard.
func (in *Inputs) IndexFiles() (paths []string) {
	if in.Hits != "" {
		for _, path := range in.Target {
			paths = append(paths, path+faiSuffix, path+gziSuffix)
		}
	} else if !in.Shard.whole() {
		for _, path := range in.Files() {
			paths = append(paths, path+IndexSuffix)
		}
	}
	return paths
}

// TargetFiles are the files that have targets.
func (in *Inputs) TargetFiles() []string {
	switch {
	case in.Interleaved:
		return in.Query
	case len(in.Target) > 0:
		return in.Target
	}
	return in.Pairs
}

// CutFiles are the files of which a shard takes a part: with hits, those alone.
func (in *Inputs) CutFiles() []string {
	if in.Hits != "" {
		return []string{in.Hits}
	}
	return in.Files()
}

// checkShard refuses inputs that have no parts.
func (in *Inputs) checkShard(stdin io.Reader) error {
	if in.Shard.whole() {
		return nil
	}
	cut := in.CutFiles()
	switch {
	case in.ByName:
		return &ShardError{File: in.Query[0], Why: "is paired by name", Joined: true}
	case in.Interleaved:
		return &ShardError{File: in.Query[0], Why: "is interleaved", Joined: true}
	case in.Hits == "" && (len(in.Pairs) > 1 || len(in.Query) > 1 || len(in.Target) > 1):
		return &ShardError{File: cut[0], Why: fmt.Sprintf("is one of %d files", len(cut)), Joined: true}
	}
	for _, path := range cut {
		if err := regular(path, stdin); err != nil {
			return err
		}
	}
	return nil
}
