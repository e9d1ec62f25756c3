package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// hit is the place of a read in the reference: a line of PAF. Positions count from 0,
// ends are exclusive; those of the read are on the strand it was sequenced from.
type hit struct {
	length, start, end   int // of the read
	strand               byte
	target               string
	targetLength         int
	targetFrom, targetTo int
	score                int // minimap2's AS
}

// check refuses positions that are not in the sequences.
func (h hit) check() error {
	if h.start < 0 || h.start > h.end || h.end > h.length {
		return fmt.Errorf("positions %d to %d are not in a read of %d bases", h.start, h.end, h.length)
	}
	if h.targetFrom < 0 || h.targetFrom > h.targetTo || h.targetTo > h.targetLength {
		return fmt.Errorf("positions %d to %d are not in a target of %d bases", h.targetFrom, h.targetTo, h.targetLength)
	}
	return nil
}

// readPAF returns the best primary hit of every read.
func readPAF(r io.Reader) (map[string]hit, error) {
	hits := map[string]hit{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<30) // a CIGAR can be long
	n := 1
	for ; lines.Scan(); n++ {
		name, h, primary, err := parsePAF(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("PAF, line %d: %w", n, err)
		}
		if best, ok := hits[name]; primary && (!ok || h.score > best.score) {
			hits[name] = h
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("PAF, line %d: %w", n, err)
	}
	return hits, nil
}

func parsePAF(line string) (name string, h hit, primary bool, err error) {
	f := strings.Split(line, "\t")
	if len(f) < 12 {
		return "", h, false, fmt.Errorf("%d columns, want 12", len(f))
	}
	for _, column := range []struct {
		to *int
		at int
	}{{&h.length, 1}, {&h.start, 2}, {&h.end, 3}, {&h.targetLength, 6}, {&h.targetFrom, 7}, {&h.targetTo, 8}} {
		if *column.to, err = strconv.Atoi(f[column.at]); err != nil {
			return "", h, false, err
		}
	}
	if f[4] != "+" && f[4] != "-" {
		return "", h, false, fmt.Errorf("strand %q", f[4])
	}
	h.strand, h.target = f[4][0], f[5]
	if err := h.check(); err != nil {
		return "", h, false, err
	}
	for _, tag := range f[12:] {
		if tag == "tp:A:P" {
			primary = true
		}
		if score, ok := strings.CutPrefix(tag, "AS:i:"); ok {
			if h.score, err = strconv.Atoi(score); err != nil {
				return "", h, false, err
			}
		}
	}
	return f[0], h, primary, nil
}
