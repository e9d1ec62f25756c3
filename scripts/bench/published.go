package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"wfagpu/scripts/internal/published"
)

// publishedRates writes the paper's Table 1 as rates.
func publishedRates(w io.Writer) {
	entries, err := published.Table1()
	if err != nil {
		return
	}
	fmt.Fprintf(w, "\nPublished: alignments per second, and in brackets recall in %%, of the paper's Table 1, on\n%s\n\n", published.Hardware)
	var names []string
	for _, e := range entries {
		if !slices.Contains(names, e.Set) {
			names = append(names, e.Set)
		}
	}
	line(w, append([]string{"Device", "Tool"}, names...))
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", 2+len(names)))
	for at := 0; at < len(entries); at += len(names) {
		e := entries[at]
		name := e.Tool
		if e.Mode != string(exactCIGAR) {
			name += ", " + e.Mode
		}
		cells := []string{e.Device, name}
		for _, e := range entries[at : at+len(names)] {
			if e.Rate() == 0 {
				cells = append(cells, e.Time)
				continue
			}
			cells = append(cells, fmt.Sprintf("%s (%s)", figures(e.Rate()), e.Recall))
		}
		line(w, cells)
	}
}
