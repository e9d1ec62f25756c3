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
	targetFrom, targetTo int
	score                int // minimap2's AS
}

// readPAF returns the best primary hit of every read.
func readPAF(r io.Reader) (map[string]hit, error) {
	hits := map[string]hit{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<30) // a CIGAR can be long
	for n := 1; lines.Scan(); n++ {
		name, h, primary, err := parsePAF(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("PAF, line %d: %w", n, err)
		}
		if best, ok := hits[name]; primary && (!ok || h.score > best.score) {
			hits[name] = h
		}
	}
	return hits, lines.Err()
}

func parsePAF(line string) (name string, h hit, primary bool, err error) {
	f := strings.Split(line, "\t")
	if len(f) < 12 {
		return "", h, false, fmt.Errorf("%d columns, want 12", len(f))
	}
	for _, column := range []struct {
		to *int
		at int
	}{{&h.length, 1}, {&h.start, 2}, {&h.end, 3}, {&h.targetFrom, 7}, {&h.targetTo, 8}} {
		if *column.to, err = strconv.Atoi(f[column.at]); err != nil {
			return "", h, false, err
		}
	}
	if f[4] != "+" && f[4] != "-" {
		return "", h, false, fmt.Errorf("strand %q", f[4])
	}
	h.strand, h.target = f[4][0], f[5]
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
