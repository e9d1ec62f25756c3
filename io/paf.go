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
