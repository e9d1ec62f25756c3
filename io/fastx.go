package seqio

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/shenwei356/bio/seq"
	"github.com/shenwei356/bio/seqio/fastx"
)

// fastxFile reads the records of one FASTA or FASTQ file. Until the first wrapped
// record it takes them from the framer, which costs less; from then on bio/fastx
// parses them. Three defects of bio/fastx are avoided here and in framer: it runs
// a path that starts with '|' as a program, so it gets no path; it panics on an
// empty reader, so it gets none; and it accepts some malformed input, so it never
// sees any.
type fastxFile struct {
	framer  *framer
	bio     *fastx.Reader // nil until a record needs it
	records int64         // delivered
	line    int64         // first line of the last of them
	fasta   bool
	// keepValues asks for the qualities, and values has those of the last record, which
	// the next one overwrites; nil for FASTA.
	keepValues bool
	values     []byte
}

// bioDefaults sets bio's package variables once, before any reader of this
// package exists: no validation, which is the framer's, and names cut by bio's
// fast path in place of a regular expression. A reader with the default expression
// sets the latter variable again, which is a data race with other readers; hence
// bioNames.
var bioDefaults = sync.OnceFunc(func() {
	seq.ValidateSeq = false
	if r, err := fastx.NewReaderFromIO(seq.Unlimit, bytes.NewReader([]byte(">\n")), ""); err == nil {
		r.Close()
	}
})

// bioNames differs from bio's default expression, and is never evaluated.
const bioNames = `^(\S+)`

// openFastx reads up to the first record of src, which may be empty.
func openFastx(src *source) (*fastxFile, error) {
	f := &fastxFile{framer: newFramer(src)}
	if f.framer.record == 0 && f.framer.err != io.EOF {
		return nil, f.framer.err
	}
	f.fasta = f.framer.fasta
	return f, nil
}

// next returns the next record's name and letters, which the call after it
// overwrites, or io.EOF.
func (f *fastxFile) next() (name, letters []byte, err error) {
	if f.bio != nil {
		return f.fromBio()
	}
	record, lines := f.framer.peek()
	if len(record) == 0 {
		return nil, nil, f.framer.err
	}
	if record[0] == '>' && lines > 2 || lines > 4 {
		return f.fromBio()
	}
	f.line = f.framer.peekedLine()
	f.framer.drop()
	f.records++
	if r := &f.framer.parts; f.framer.apart {
		f.values = r.qualities
		if !f.keepValues {
			f.values = nil
		} else if err := f.checkValues(3); err != nil {
			return nil, nil, err
		}
		return r.name, r.letters, nil
	}
	header, n := cutLine(record)
	letters, _ = cutLine(record[n:])
	if len(letters) > 0 && letters[0] == '+' {
		letters = nil // an empty FASTQ record may lack its line of letters
	}
	if f.keepValues && !f.fasta {
		f.values = qualitiesOf(record)
		if err := f.checkValues(int64(lines) - 1); err != nil {
			return nil, nil, err
		}
	}
	return firstWord(header[1:]), letters, nil
}

var errDisagree = errors.New("the two disagree")

// fromBio is next by bio/fastx, which reads ahead: there is no way back.
func (f *fastxFile) fromBio() (name, letters []byte, err error) {
	if f.bio == nil {
		bioDefaults()
		// One record is framed and waits: the first, or the one peek has shown.
		f.framer.forBio, f.framer.keepValues = true, f.keepValues
		f.framer.giveBio(f.framer.buf[f.framer.given:f.framer.framed], f.framer.peekedLine())
		r, err := fastx.NewReaderFromIO(seq.Unlimit, f.framer, bioNames)
		if err != nil {
			return nil, nil, err
		}
		f.bio = r
	}
	r, err := f.bio.Read()
	switch {
	case err == nil:
		f.records++
		var ok bool
		if f.line, f.values, ok = f.framer.takeStart(); !ok {
			return nil, nil, f.framer.mismatch(f.records, errDisagree)
		}
		if err := f.checkValues(0); err != nil {
			return nil, nil, err
		}
		return firstWord(r.Name), r.Seq.Seq, nil
	case err != io.EOF:
		return nil, nil, f.framer.mismatch(f.records, err)
	case f.records != f.framer.record:
		return nil, nil, f.framer.mismatch(f.records, errDisagree)
	}
	return nil, nil, f.framer.err
}

// checkValues checks the qualities of the last record, which are lines below its first one.
func (f *fastxFile) checkValues(lines int64) error {
	if err := checkQualities(f.values); err != nil {
		return &ParseError{f.framer.src.name, f.line + lines, f.records, err}
	}
	return nil
}

// waits reports whether next would have to wait for a pipe that pauses. A pipe of
// wrapped records is read in full blocks, as bio needs them.
func (f *fastxFile) waits() bool { return f.bio == nil && f.framer.waits() }

// close gives bio's reader back to its pool, which must happen once only.
func (f *fastxFile) close() {
	if f.bio != nil {
		f.bio.Close()
		f.bio = nil
	}
}
