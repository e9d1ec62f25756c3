package seqio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

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
func TargetsOf(in Inputs, stdin io.Reader, visit func(Target) error) error {
	if err := CheckTargets(in); err != nil {
		return err
	}
	switch {
	case in.Hits != "":
		return hitTargets(in, visit)
	case len(in.Target) > 0:
		for _, path := range in.Target {
			if err := fileTargets(path, visit); err != nil {
				return err
			}
		}
		return nil
	case len(in.Pairs) > 0:
		return scanTargets(in.Pairs, max(in.FirstNumber, 1), visit)
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
			if err := visit(Target{Name: p.TextName, Ordinal: b.First + int64(i), Letters: p.Text, Length: len(p.Text)}); err != nil {
				return err
			}
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

// fileTargets is TargetsOf a target file.
func fileTargets(path string, visit func(Target) error) error {
	src, err := openSource(path, nil)
	if err != nil {
		return nil // a fault, as below
	}
	defer closeSource(src)
	if src.start() != nil {
		return nil
	}
	f, err := openFastx(src)
	if err != nil {
		return nil
	}
	_, err = eachRecord(f, visit)
	return err
}

func closeSource(src *source) {
	src.closeFile()
	src.closePacked()
}

// eachRecord calls visit with the records of a file until it returns an error, or there is a
// fault in the file.
func eachRecord(f *fastxFile, visit func(Target) error) (fault, err error) {
	defer f.close()
	for {
		name, letters, err := f.next()
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			return err, nil
		}
		if err := visit(Target{Name: name, Letters: letters, Length: len(letters)}); err != nil {
			return nil, fmt.Errorf("%s:%d: record %d: %w", f.framer.src.name, f.line, f.records, err)
		}
	}
}

// ListedTargets calls visit with the targets that a file lists: a FASTA file, its index
// (.fai), or a header of SAM (.dict). Malformed text is a *ParseError.
func ListedTargets(path string, visit func(Target) error) error {
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
		fault, err := eachRecord(f, visit)
		if fault != nil {
			return fault
		}
		return err
	}
	return listLines(src, visit)
}

// listLines reads the lines of an index or of a header.
func listLines(src *source, visit func(Target) error) error {
	lines := bufio.NewScanner(src.body)
	lines.Buffer(nil, 1<<20)
	n := int64(0)
	for lines.Scan() {
		n++
		text := trimCR(lines.Bytes())
		first, rest, more := bytes.Cut(text, []byte{'\t'})
		header := bytes.HasPrefix(first, []byte{'@'})
		var name, length []byte
		switch {
		case len(text) == 0, header && len(first) == 3 && string(first) != "@SQ":
			continue // or another line of a header
		case header:
			name, length = sqFields(rest)
		case more:
			name = first
			length, _, _ = bytes.Cut(rest, []byte{'\t'})
		}
		l, err := strconv.ParseInt(string(length), 10, 64)
		if len(name) == 0 || err != nil || l < 0 {
			return &ParseError{src.name, n, n, errors.New("want the name and the length of a sequence: FASTA, its index (.fai), or a SAM header (.dict)")}
		}
		if err := visit(Target{Name: name, Length: int(l)}); err != nil {
			return fmt.Errorf("%s:%d: %w", src.name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return src.fail(err, n+1, n+1)
	}
	return nil
}

// sqFields returns the name and the length in a line @SQ.
func sqFields(fields []byte) (name, length []byte) {
	for f := range bytes.SplitSeq(fields, []byte{'\t'}) {
		if v, ok := bytes.CutPrefix(f, []byte("SN:")); ok {
			name = v
		}
		if v, ok := bytes.CutPrefix(f, []byte("LN:")); ok {
			length = v
		}
	}
	return name, length
}
