// Package published holds the figures of Table 1 of the WFA-GPU paper (Aguado-Puig et al.,
// Bioinformatics 39, 2023) and factors of eWFA-GPU's, for comparison with measured ones.
package published

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// Hardware is what the paper measured on.
const Hardware = "Intel Xeon W-2155 (10 cores, 10 threads), NVIDIA GeForce 3080 (10 GB)"

//go:embed table1.tsv
var table1 string

// Entry is a tool's result on a set.
type Entry struct {
	Device, Tool, Mode, Set string
	Alignments              int
	// Time and Recall are as in the paper: seconds and percent, or error,
	// timeout (after 48 hours), n/a, and n/c (not comparable).
	Time, Recall string
}

// Rate is in alignments per second, 0 if the tool did not finish.
func (e Entry) Rate() float64 {
	seconds, err := strconv.ParseFloat(e.Time, 64)
	if err != nil || seconds <= 0 {
		return 0
	}
	return float64(e.Alignments) / seconds
}

// Table1 returns the entries in the order of the table.
func Table1() ([]Entry, error) {
	var entries []Entry
	err := eachRow("table1.tsv", table1, 7, func(f []string) error {
		n, err := strconv.Atoi(f[4])
		entries = append(entries, Entry{Device: f[0], Tool: f[1], Mode: f[2], Set: f[3], Alignments: n, Time: f[5], Recall: f[6]})
		return err
	})
	return entries, err
}

// eachRow calls do with the fields of each row of a table, of which the first line is the head.
// An error names the file and the line.
func eachRow(file, table string, fields int, do func(f []string) error) error {
	lines := strings.Split(strings.TrimSpace(table), "\n")
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != fields {
			return fmt.Errorf("%s, line %d: %d fields", file, i+2, len(f))
		}
		if err := do(f); err != nil {
			return fmt.Errorf("%s, line %d: %w", file, i+2, err)
		}
	}
	return nil
}

// SetOf names the paper's set of the same kind as a file of pairs, by the prefix of
// the file's name; "" if there is none.
func SetOf(file string) string {
	for _, kind := range []struct{ prefix, set string }{
		{"illumina_150", "Illumina 150"}, {"illumina_250", "Illumina 250"},
		{"pacbio_css", "PacBio CSS"}, {"pacbio_hifi", "PacBio HiFi"}, {"ont_", "Nanopore"},
	} {
		if strings.HasPrefix(file, kind.prefix) {
			return kind.set
		}
	}
	return ""
}
