package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Target is one target sequence of an input.
type Target struct {
	Name    []byte // nil where pairs have no names
	Ordinal int64  // of its pair, for one without a name
	Letters []byte // nil where the input has their number alone
	Length  int
}

// TargetsOf calls visit with the targets of all pairs of an input, whatever its shard, in the
// order of the pairs. What a target points to changes after visit. The input is read for it:
// it must be files on disk, or else the error is ErrTargetPipe. A fault in a file ends the
// targets without an error; who reads the pairs hears of it.
func TargetsOf(in Inputs, visit TargetVisitor) error {
	if err := CheckTargets(in); err != nil {
		return err
	}
	switch {
	case in.Hits != "":
		return hitTargets(in, visit)
	case len(in.Pairs) > 0:
		return scanTargets(in.Pairs, max(in.FirstNumber, 1), &targetGroup{visit: visit})
	}
	return eachFile(in.TargetFiles(), &targetGroup{inTurn: in.Interleaved, visit: visit})
}

// CheckTargets returns ErrTargetPipe unless the targets are in files on disk.
func CheckTargets(in Inputs) error {
	for _, path := range in.TargetFiles() {
		if path == "-" || regular(path, nil) != nil {
			return ErrTargetPipe
		}
	}
	return nil
}

// ErrTargetPipe is an input that cannot be read twice.
var ErrTargetPipe = errors.New("the targets come from standard input or a pipe, which cannot be read twice")

// eachFile is TargetsOf files of records.
func eachFile(paths []string, g *targetGroup) error {
	for _, path := range paths {
		whole, err := fileTargets(path, g)
		if err != nil || !whole {
			return err
		}
	}
	return nil
}

// fileTargets is eachFile of one file. whole says that it has no fault.
func fileTargets(path string, g *targetGroup) (whole bool, err error) {
	src, err := openSource(path, nil)
	if err != nil {
		return false, nil // a fault, as below
	}
	defer closeSource(src)
	if src.start() != nil {
		return false, nil
	}
	g.file = src.name
	f := &fastxFile{framer: emptyFramer(src)}
	if t := mapTargets(src); t != nil {
		err := t.take(g, t.nextRecords)
		t.close()
		if err != nil || t.ended() {
			return err == nil && !t.gone, err
		}
		if f, err = t.rest(src); err != nil {
			return false, nil
		}
	}
	fault, err := eachRecord(f, g)
	return fault == nil && err == nil, err
}

func closeSource(src *source) {
	src.closeFile()
	src.closePacked()
}

// eachRecord has the records of a file visited, up to an error or a fault in the file.
func eachRecord(f *fastxFile, g *targetGroup) (fault, err error) {
	defer f.close()
	for {
		r, err := f.next()
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			return err, nil
		}
		if err := g.addNow(Target{Name: r.name, Letters: r.letters, Length: len(r.letters)}, recordLine{f.records, f.line}); err != nil {
			return nil, err
		}
	}
}

// ListedTargets calls visit with the targets that a file lists: a FASTA file, its index
// (.fai), or a header of SAM (.dict). Malformed text is a *ParseError.
func ListedTargets(path string, visit TargetVisitor) error {
	if path == "-" || regular(path, nil) != nil {
		return fmt.Errorf("%s: want a file on disk", path)
	}
	src, err := openSource(path, nil)
	if err != nil {
		return err
	}
	defer closeSource(src)
	if err := src.unpack(); err != nil {
		return err
	}
	if bytes.HasPrefix(bytes.TrimLeft(src.head, "\r\n"), []byte{'>'}) {
		f, err := openFastx(src)
		if err != nil {
			return err
		}
		fault, err := eachRecord(f, &targetGroup{file: src.name, visit: visit})
		if fault != nil {
			return fault
		}
		return err
	}
	return listLines(src, &targetGroup{file: src.name, lists: true, visit: visit})
}
