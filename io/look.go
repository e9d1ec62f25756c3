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
	Record                int64 // from 1
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

// emptyRecords counts the records of one file that have no sequence.
type emptyRecords struct {
	before              int64 // records before the shard; not among all
	count               int64
	record, line        int64 // of the first
	last, lastLine, all int64 // last of them, and all records
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
		line, _ := p.lines()
		l.query.add(line)
	}
	targets.all++
	if len(n.Text) == 0 {
		_, line := p.lines()
		targets.add(line)
	}
	if l.names == NamesIgnored || bytes.Equal(plainName(n.PatternName), plainName(n.TextName)) {
		return nil
	}
	err := &NameError{
		QueryFile: p.query.src.name, TargetFile: p.target.src.name,
		Record: p.pairs,
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

// add counts the last of all records, which has no sequence.
func (e *emptyRecords) add(line int64) {
	e.count++
	if e.count == 1 {
		e.record, e.line = e.before+e.all, line
	}
	e.last, e.lastLine = e.all, line
}

// end notes the empty records of both files, at the end of the input or before
// the error that ends it.
func (l *look) end(p *fastxPairs) {
	l.empty(&l.query, p.query)
	l.empty(&l.target, p.target)
}

func (l *look) empty(e *emptyRecords, file *ahead) {
	if e.count == 0 {
		return
	}
	// A FASTQ record that is cut is an error; of FASTA, a header may be all.
	if file.ended() && file.fasta() && !file.cutOff() && e.last == e.all {
		l.tell(fmt.Errorf("%s:%d: record %d: the file ends after this header; it may be cut short", file.src.name, e.lastLine, e.before+e.last))
	}
	verb := "have"
	if e.count == 1 {
		verb = "has"
	}
	l.tell(fmt.Errorf("%s: %d of %d records %s no sequence; the first is record %d, line %d",
		file.src.name, e.count, e.all, verb, e.record, e.line))
}

func (l *look) tell(err error) {
	if l.note != nil {
		l.note(err)
	}
}
