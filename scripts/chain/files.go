package main

import (
	"fmt"
	"os"
	"strings"

	"wfagpu/io/formattest"
)

// readSAM reads a file of SAM.
func (t *tools) readSAM(name string) (*formattest.SAM, error) {
	text, err := os.ReadFile(t.path(name))
	if err != nil {
		return nil, err
	}
	s, err := formattest.ParseSAM(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// readPAF reads a file of PAF.
func (t *tools) readPAF(name string) ([]*formattest.PAF, error) {
	text, err := os.ReadFile(t.path(name))
	if err != nil {
		return nil, err
	}
	var lines []*formattest.PAF
	for line := range strings.Lines(string(text)) {
		r, err := formattest.ParsePAF(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, len(lines)+1, err)
		}
		lines = append(lines, r)
	}
	return lines, nil
}
