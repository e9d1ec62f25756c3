package chart

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestBars(t *testing.T) {
	b := Bars{
		Title: "A title", YLabel: "alignments per second",
		Groups: []string{"150 bp 2 %", "1000 bp 5 %"},
		Series: []Series{
			{Name: "one tool", Values: []float64{2e6, 3e4}},
			{Name: "another tool", Values: []float64{150, math.NaN()}},
		},
	}
	drawn(t, func(files ...string) error { return b.Save(files...) }, "A title", "another tool", "1000 bp 5 %", "alignments per second")
	if err := (Bars{Groups: []string{"x"}}).Save(filepath.Join(t.TempDir(), "x.svg")); err == nil {
		t.Error("bars without values are drawn")
	}
}

func TestHeatMap(t *testing.T) {
	h := HeatMap{
		Title: "Recall", XLabel: "λ", YLabel: "β",
		Columns: []string{"5", "10"}, Rows: []string{"16", "32"},
		Values: [][]float64{{12.5, math.NaN()}, {100, 99.9}},
		Label:  func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) },
	}
	drawn(t, func(files ...string) error { return h.Save(files...) }, "Recall", "12.5", "99.9", "32")
}

// drawn draws and looks for texts in the SVG and for an image in the PNG.
func drawn(t *testing.T, save func(...string) error, texts ...string) {
	t.Helper()
	dir := t.TempDir()
	svg, picture := filepath.Join(dir, "x.svg"), filepath.Join(dir, "x.png")
	if err := save(svg, picture); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(svg)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
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
	if err := save(filepath.Join(dir, "x.unknown")); err == nil {
		t.Error("an unknown format is accepted")
	}
}
