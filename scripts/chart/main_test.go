package main

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const barsJSON = `{"bars": {
	"title": "A title", "y_label": "alignments per second",
	"groups": ["150 bp 2 %", "1000 bp 5 %"],
	"series": [
		{"name": "one tool", "values": [2e6, 3e4]},
		{"name": "another tool", "values": [150, 0]}
	]}}`

const heatMapJSON = `{"heat_map": {
	"title": "Recall", "x_label": "λ", "y_label": "β",
	"columns": ["5", "10"], "rows": ["16", "32"],
	"cells": [
		[{"value": 12.5, "label": "12.5"}, {"value": 50, "label": "fifty"}],
		[{"value": 100, "label": "100"}, {"value": 99.9, "label": "99.9"}]
	],
	"log": true}}`

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "figure.json")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRun draws both kinds of figure, looks for texts in the SVG and decodes
// the PNG.
func TestRun(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		texts []string
	}{
		"bars":    {barsJSON, []string{"A title", "another tool", "1000 bp 5 %", "alignments per second"}},
		"heatMap": {heatMapJSON, []string{"Recall", "12.5", "fifty", "99.9", "32"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			svg, picture := filepath.Join(dir, "x.svg"), filepath.Join(dir, "x.png")
			if err := run(write(t, test.text), []string{svg, picture}); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(svg)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range test.texts {
				if !strings.Contains(string(data), text) {
					t.Errorf("the SVG lacks %q", text)
				}
			}
			for d := xml.NewDecoder(bytes.NewReader(data)); ; {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
			f, err := os.Open(picture)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := png.Decode(f); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRunRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":        "bars",
		"no figure":      "{}",
		"two figures":    strings.TrimSuffix(barsJSON, "}") + "," + strings.TrimPrefix(heatMapJSON, "{"),
		"unknown field":  strings.Replace(barsJSON, `"title"`, `"titel"`, 1),
		"no bars":        `{"bars": {"groups": ["x"], "series": [{"name": "a", "values": [0]}]}}`,
		"missing value":  strings.Replace(barsJSON, "[150, 0]", "[150]", 1),
		"no cells":       `{"heat_map": {"title": "x"}}`,
		"missing cell":   strings.Replace(heatMapJSON, `, {"value": 50, "label": "fifty"}`, "", 1),
		"missing row":    strings.Replace(heatMapJSON, `"16", "32"`, `"16", "32", "64"`, 1),
		"unknown column": strings.Replace(heatMapJSON, `"5", "10"`, `"5"`, 1),
	} {
		out := filepath.Join(t.TempDir(), "x.svg")
		if err := run(write(t, text), []string{out}); err == nil {
			t.Errorf("%s: no error", name)
		} else if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a picture is written", name)
		}
	}
	if err := run(write(t, barsJSON), []string{filepath.Join(t.TempDir(), "x.unknown")}); err == nil {
		t.Error("an unknown format is accepted")
	}
	if err := run(filepath.Join(t.TempDir(), "none.json"), []string{"x.svg"}); err == nil {
		t.Error("a missing file is accepted")
	}
}
