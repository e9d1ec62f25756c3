package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"wfagpu/align"
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
func TargetsOf(in Inputs, stdin io.Reader, visit TargetVisitor) error {
	if err := CheckTargets(in); err != nil {
		return err
	}
	g := &targetGroup{visit: visit}
	switch {
	case in.Hits != "":
		return hitTargets(in, visit)
	case len(in.Target) > 0:
		return eachFile(in.Target, visit)
	case len(in.Pairs) > 0:
		return scanTargets(in.Pairs, max(in.FirstNumber, 1), g)
	}
	r, err := Open(Inputs{Query: in.Query, Interleaved: true}, stdin, Limits{})
	if err != nil {
		return nil // a fault
	}
	defer r.Close()
	var b align.Batch
	for {
		err := r.ReadBatch(&b)
		for i := range b.Pairs {
			p := &b.Pairs[i]
			if err := g.add(Target{Name: p.TextName, Ordinal: b.First + int64(i), Letters: p.Text, Length: len(p.Text)}, 0); err != nil {
				return err
			}
		}
		if err := g.flush(); err != nil {
			return err
		}
		if err != nil {
			return nil // the end, or a fault
		}
	}
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
var ErrTargetPipe = errors.New("the targets come from a pipe, which cannot be read twice")

// eachFile is TargetsOf target files.
func eachFile(paths []string, visit TargetVisitor) error {
	for _, path := range paths {
		if err := fileTargets(path, visit); err != nil {
			return err
		}
	}
	return nil
}

func fileTargets(path string, visit TargetVisitor) error {
	src, err := openSource(path, nil)
	if err != nil {
		return nil // a fault, as below
	}
	defer closeSource(src)
	if src.start() != nil {
		return nil
	}
	g := &targetGroup{file: src.name, visit: visit}
	f, err := restOfRecords(src, g)
	if f == nil || err != nil {
		return err
	}
	_, err = eachRecord(f, g)
	return err
}

// restOfRecords takes the targets of the usual records at the start of a file, and returns the
// others; nil if there are none.
func restOfRecords(src *source, g *targetGroup) (*fastxFile, error) {
	t := mapTargets(src)
	if t == nil {
		return &fastxFile{framer: emptyFramer(src)}, nil
	}
	defer t.close()
	if err := t.take(g, t.nextRecord); err != nil || t.ended() || src.seek(t.at) != nil {
		return nil, err
	}
	f := emptyFramer(src)
	f.at, f.line, f.record = t.at, t.lines, t.records
	if t.records > 0 {
		if f.frame = frameFastq; t.fasta {
			f.frame, f.fasta = frameFasta, true
		}
	}
	return &fastxFile{framer: f, records: t.records}, nil
}

func closeSource(src *source) {
	src.closeFile()
	src.closePacked()
}

// eachRecord has the records of a file visited, up to an error or a fault in the file.
func eachRecord(f *fastxFile, g *targetGroup) (fault, err error) {
	defer f.close()
	for {
		name, letters, err := f.next()
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			return err, nil
		}
		if err := g.addNow(Target{Name: name, Letters: letters, Length: len(letters)}, f.line); err != nil {
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
