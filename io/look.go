package seqio

import (
	"bytes"
	"fmt"
)

// NameCheck says how the names of a query and its target are compared. A suffix
// /1 or /2 of either does not count.
type NameCheck int

const (
	NamesIgnored NameCheck = iota
	NamesNoted             // the first pair whose names differ is noted
	NamesEqual             // a pair whose names differ is an error
)

// NameError is a pair whose names differ.
type NameError struct {
	QueryFile, TargetFile string
	QueryLine, TargetLine int64 // from 1
	Record                int64 // the target's in its file, from 1
	Query, Target         string
}

func (e *NameError) Error() string {
	return fmt.Sprintf("%s:%d: record %d: the name %.80q differs from %.80q in %s:%d",
		e.TargetFile, e.TargetLine, e.Record, e.Target, e.Query, e.QueryFile, e.QueryLine)
}

// look finds what is odd in the pairs of two files and no malformed record.
type look struct {
	names NameCheck
	note  func(error)

	query, target emptyRecords
}

// emptyRecords counts the records of some files that have no sequence.
type emptyRecords struct {
	count, all int64 // of them, and of all
	first      recordLine
	file       string // of the first
}

// pair looks at p.next.
func (l *look) pair(p *fastxPairs) error {
	n := &p.next
	targets := &l.target
	if p.inTurn() {
		targets = &l.query
	}
	l.query.all++
	if len(n.Pattern) == 0 {
		at := recordLine{p.query.number(), p.query.line()}
		if p.inTurn() {
			at = p.start
		}
		l.query.add(p.query, at)
	}
	targets.all++
	if len(n.Text) == 0 {
		targets.add(p.target, recordLine{p.target.number(), p.target.line()})
	}
	if l.names == NamesIgnored || bytes.Equal(plainName(n.PatternName), plainName(n.TextName)) {
		return nil
	}
	err := &NameError{
		QueryFile: p.query.src.name, TargetFile: p.target.src.name,
		Record: p.target.number(),
		Query:  string(n.PatternName), Target: string(n.TextName),
	}
	err.QueryLine, err.TargetLine = p.lines()
	if l.names == NamesEqual {
		return err
	}
	l.names = NamesIgnored // further pairs differ as well, as a rule
	l.tell(err)
	return nil
}

// plainName is the name that both mates of a read share.
func plainName(name []byte) []byte {
	n := len(name) - 2
	if n > 0 && name[n] == '/' && (name[n+1] == '1' || name[n+1] == '2') {
		return name[:n]
	}
	return name
}

// add counts a record of a file, which has no sequence.
func (e *emptyRecords) add(file *ahead, at recordLine) {
	if e.count++; e.count == 1 {
		e.first, e.file = at, file.src.name
	}
}

// end notes the empty records of all files, at the end of the input or before
// the error that ends it.
func (l *look) end(p *fastxPairs) {
	l.empty(&l.query, p.query)
	if !p.inTurn() {
		l.empty(&l.target, p.target)
	}
}

func (l *look) empty(e *emptyRecords, file *ahead) {
	// A FASTQ record that is cut is an error; of FASTA, a header may be all.
	if file.ended() && !file.cutOff() {
		file.noteBare()
	}
	for _, b := range file.bare {
		l.tell(fmt.Errorf("%s:%d: record %d: the file ends after this header; it may be cut short", b.src.name, b.at.line, b.at.record))
	}
	if e.count == 0 {
		return
	}
	verb := "have"
	if e.count == 1 {
		verb = "has"
	}
	records := "records"
	if n := len(file.files); n > 1 {
		records = fmt.Sprintf("records of %d files", n)
	}
	l.tell(fmt.Errorf("%s: %d of %d %s %s no sequence; the first is record %d, line %d",
		e.file, e.count, e.all, records, verb, e.first.record, e.first.line))
}

func (l *look) tell(err error) {
	if l.note != nil {
		l.note(err)
	}
}
