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
	bare    bool // the last of them is FASTA's and has no letters
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

// next returns the next record, which the call after it overwrites, or io.EOF. Its qualities are nil
// unless the framer keeps them.
func (f *fastxFile) next() (record, error) {
	if f.bio != nil {
		return f.fromBio()
	}
	text, lines := f.framer.peek()
	if len(text) == 0 {
		return record{}, f.framer.err
	}
	if text[0] == '>' && lines > 2 || lines > 4 {
		return f.fromBio()
	}
	return f.fromFramer(text, lines)
}

// fromFramer is next of a record that is not wrapped, which the framer shows.
func (f *fastxFile) fromFramer(text []byte, lines int) (r record, err error) {
	f.line = f.framer.peekedLine()
	f.framer.drop()
	f.records++
	if f.framer.apart {
		r = f.framer.parts
		if !f.framer.keepValues {
			r.qualities = nil
		}
		return r, nil
	}
	header, n := cutLine(text)
	r.name = firstWord(header[1:])
	r.letters, _ = cutLine(text[n:])
	if len(r.letters) > 0 && r.letters[0] == '+' {
		r.letters = nil // an empty FASTQ record may lack its line of letters
	}
	if f.framer.keepValues && !f.fasta {
		r.qualities = qualitiesOf(text)
		err = f.checkValues(r.qualities, int64(lines)-1)
	}
	return r, err
}

var errDisagree = errors.New("the two disagree")

// fromBio is next by bio/fastx, which reads ahead: there is no way back.
func (f *fastxFile) fromBio() (record, error) {
	if f.bio == nil {
		bioDefaults()
		// One record is framed and waits: the first, or the one peek has shown.
		f.framer.forBio = true
		f.framer.giveBio(f.framer.buf[f.framer.given:f.framer.framed], f.framer.peekedLine())
		r, err := fastx.NewReaderFromIO(seq.Unlimit, f.framer, bioNames)
		if err != nil {
			return record{}, err
		}
		f.bio = r
	}
	r, err := f.bio.Read()
	switch {
	case err == nil:
		f.records++
		line, values, ok := f.framer.takeStart()
		if !ok {
			return record{}, f.framer.mismatch(f.records, errDisagree)
		}
		f.line = line
		return record{firstWord(r.Name), r.Seq.Seq, values}, f.checkValues(values, 0)
	case err != io.EOF:
		return record{}, f.framer.mismatch(f.records, err)
	case f.records != f.framer.record:
		return record{}, f.framer.mismatch(f.records, errDisagree)
	}
	return record{}, f.framer.err
}

// checkValues checks the qualities of the last record, which are lines below its first one.
func (f *fastxFile) checkValues(values []byte, lines int64) error {
	if err := checkQualities(values); err != nil {
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
