package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/pgzip"
)

// place is where a target begins in a sequence of the reference.
type place struct {
	sequence string
	from     int
}

// spacer is the number of N between targets whose places are not known, joinedLength the
// length from which a sequence of such targets takes no further ones.
const (
	spacer       = 200
	joinedLength = 1 << 20
)

// readPlaces reads the columns ref and tstart of a table. Without the table every new target
// is put behind the last one.
func readPlaces(file string, pairs [][2]string) ([]place, error) {
	lines, err := readLines(file)
	if errors.Is(err, fs.ErrNotExist) {
		return joinedPlaces(pairs), nil
	}
	if err != nil {
		return nil, err
	}
	if len(lines) != len(pairs)+1 {
		return nil, fmt.Errorf("%s: %d lines, want one more than the %d pairs", file, len(lines), len(pairs))
	}
	head := strings.Split(lines[0], "\t")
	ref, start := slices.Index(head, "ref"), slices.Index(head, "tstart")
	if ref < 0 || start < 0 {
		return nil, fmt.Errorf("%s: no column ref, or no tstart", file)
	}
	var places []place
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != len(head) {
			return nil, fmt.Errorf("%s: line %d: %d columns of %d", file, i+2, len(f), len(head))
		}
		from, err := strconv.Atoi(f[start])
		if err != nil || from < 0 {
			return nil, fmt.Errorf("%s: line %d: tstart is %q", file, i+2, f[start])
		}
		places = append(places, place{f[ref], from})
	}
	return places, nil
}

// joinedPlaces puts targets one behind the other. Equal targets have one place.
func joinedPlaces(pairs [][2]string) []place {
	known := map[string]place{}
	sequences, at := 0, joinedLength
	var places []place
	for _, p := range pairs {
		if _, ok := known[p[1]]; !ok {
			if at >= joinedLength {
				sequences++
				at = 0
			}
			known[p[1]] = place{fmt.Sprint("joined", sequences), at}
			at += len(p[1]) + spacer
		}
		places = append(places, known[p[1]])
	}
	return places
}

// readQualities reads the qualities of a FASTQ file of four lines for each pair, nil if there is
// no such file.
func readQualities(file string, pairs [][2]string) ([]string, error) {
	lines, err := readLines(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(lines) != 4*len(pairs) {
		return nil, fmt.Errorf("%s: %d lines, want four for each of %d pairs", file, len(lines), len(pairs))
	}
	var qualities []string
	for i, p := range pairs {
		if q := lines[4*i+3]; lines[4*i+1] != p[0] || len(q) != len(p[0]) {
			return nil, fmt.Errorf("%s: record %d is not the query of the pair", file, i+1)
		}
		qualities = append(qualities, lines[4*i+3])
	}
	return qualities, nil
}

// readLines reads the lines of a gzip file.
func readLines(file string) ([]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := pgzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}
