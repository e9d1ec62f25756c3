package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"math"
)

// hit is a line of PAF: the place of a query in a target. Positions count from 0, ends are
// exclusive. Those of the query are in the direction of the input, as those of the target
// are. The names are slices of the line.
type hit struct {
	query, target                     []byte
	queryLength, queryStart, queryEnd int64
	targetLength, targetFrom          int64
	targetTo                          int64
	reverse                           bool
	mapQ                              uint8
	kind                              byte // of the tag tp: P, S, I, i; 0 without it
}

const pafColumns = 12

// errUnmapped is a line for a query that has no place.
var errUnmapped = errors.New("no place")

// parsePAF reads a line. Of the tags behind its twelve columns only tp counts.
func parsePAF(line []byte) (h hit, err error) {
	if h.usual(line) {
		return h, h.check()
	}
	return parseColumns(line)
}

// usual is parsePAF for a line without a fault in its columns: one pass over its numbers takes
// less time than a search for each tab. For any other line it returns false.
func (h *hit) usual(line []byte) bool {
	l := pafLine{rest: line}
	h.query = l.word()
	h.queryLength, h.queryStart, h.queryEnd = l.number(), l.number(), l.number()
	strand := l.word()
	h.target = l.word()
	h.targetLength, h.targetFrom, h.targetTo = l.number(), l.number(), l.number()
	l.number()
	l.number()
	quality := l.last()
	if l.bad || len(strand) != 1 || strand[0] != '+' && strand[0] != '-' || quality > math.MaxUint8 {
		return false
	}
	h.reverse, h.mapQ = strand[0] == '-', uint8(quality)
	h.kind = hitKind(l.rest)
	return true
}

// pafLine is what is left of a line; bad says that a column was not as it was wanted.
type pafLine struct {
	rest []byte
	bad  bool
}

// word takes a column that another one follows.
func (l *pafLine) word() []byte {
	n := bytes.IndexByte(l.rest, '\t')
	if n < 0 {
		l.bad = true
		return nil
	}
	word := l.rest[:n]
	l.rest = l.rest[n+1:]
	return word
}

// number takes a column of digits that another one follows.
func (l *pafLine) number() (n int64) {
	for i, b := range l.rest {
		if d := b - '0'; d <= 9 && i < 18 {
			n = 10*n + int64(d)
			continue
		}
		l.bad = l.bad || b != '\t' || i == 0
		l.rest = l.rest[i+1:]
		return n
	}
	l.bad = true
	return n
}

// last takes a column of digits that ends the line, or that tags follow.
func (l *pafLine) last() (n int64) {
	i := 0
	for ; i < len(l.rest) && l.rest[i]-'0' <= 9 && i < 18; i++ {
		n = 10*n + int64(l.rest[i]-'0')
	}
	l.bad = l.bad || i == 0 || i < len(l.rest) && l.rest[i] != '\t'
	l.rest = l.rest[min(i+1, len(l.rest)):]
	return n
}

// parseColumns is parsePAF for any line.
func parseColumns(line []byte) (h hit, err error) {
	var fields [pafColumns][]byte
	rest := line
	for i := range fields {
		tab := bytes.IndexByte(rest, '\t')
		if tab < 0 && i < pafColumns-1 {
			return h, fmt.Errorf("%s: want %d, as in PAF", count(int64(i+1), "column"), pafColumns)
		}
		if tab < 0 {
			tab = len(rest)
		}
		fields[i], rest = rest[:tab], rest[min(tab+1, len(rest)):]
	}
	h.query, h.target = fields[0], fields[5]
	var alignedLetters, columns, quality int64
	for _, c := range [...]struct {
		at int
		to *int64
	}{
		{1, &h.queryLength}, {2, &h.queryStart}, {3, &h.queryEnd},
		{6, &h.targetLength}, {7, &h.targetFrom}, {8, &h.targetTo},
		{9, &alignedLetters}, {10, &columns}, {11, &quality},
	} {
		n, ok := parseDigits(fields[c.at])
		if !ok {
			return h, fmt.Errorf("column %d: %.40q is no number from 0 on", c.at+1, fields[c.at])
		}
		*c.to = n
	}
	if quality > math.MaxUint8 {
		return h, fmt.Errorf("column %d: a mapping quality is 255 at most", pafColumns)
	}
	h.mapQ = uint8(quality)
	switch string(fields[4]) {
	case "+":
	case "-":
		h.reverse = true
	case "*":
		return h, errUnmapped
	default:
		return h, fmt.Errorf("column 5: %.40q is no strand, which is + or -", fields[4])
	}
	h.kind = hitKind(rest)
	return h, h.check()
}

// check refuses what no sequence has.
func (h *hit) check() error {
	switch {
	case len(h.query) == 0 || len(h.target) == 0:
		return errors.New("a name is missing")
	case h.queryStart > h.queryEnd || h.queryEnd > h.queryLength:
		return fmt.Errorf("%d to %d is no part of a query of %s", h.queryStart, h.queryEnd, count(h.queryLength, "letter"))
	case h.targetFrom > h.targetTo || h.targetTo > h.targetLength:
		return fmt.Errorf("%d to %d is no part of a target of %s", h.targetFrom, h.targetTo, count(h.targetLength, "letter"))
	}
	return nil
}

// hitKind is the value of the tag tp among tags.
func hitKind(tags []byte) byte {
	for len(tags) > 0 {
		if bytes.HasPrefix(tags, []byte("tp:A:")) && len(tags) > 5 {
			return tags[5]
		}
		tab := bytes.IndexByte(tags, '\t')
		if tab < 0 {
			break
		}
		tags = tags[tab+1:]
	}
	return 0
}

// parseDigits reads a number in decimal digits.
func parseDigits(s []byte) (n int64, ok bool) {
	if len(s) == 0 || len(s) > 18 {
		return 0, false
	}
	for _, b := range s {
		d := b - '0'
		if d > 9 {
			return 0, false
		}
		n = 10*n + int64(d)
	}
	return n, true
}

// secondary reports whether the mapper takes the place for one of several.
func (h *hit) secondary() bool { return h.kind == 'S' || h.kind == 'i' }

// startHits is source.start for PAF.
func (s *source) startHits() error {
	if err := s.unpack(); err != nil {
		return err
	}
	if err := foreignHits(s.head); err != nil {
		return &ParseError{s.name, 1, 1, err}
	}
	return nil
}
