package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoChart checks that a run that cannot draw fails before it measures.
func TestNoChart(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, run := range []error{
		runPaper(t.Context(), []string{"-gpu", "off", "-tools", "-"}),
		runBandmap(t.Context(), []string{"-device", "cpu"}),
	} {
		if run == nil || !strings.Contains(run.Error(), "no program to draw plots with") || !strings.Contains(run.Error(), "-no-plots") {
			t.Errorf("error %v", run)
		}
	}
	if found, _ := filepath.Glob("scripts/build/*/*"); len(found) > 0 {
		t.Errorf("the run has written %q", found)
	}
}

// TestNoPlots checks that figures are written where plots are not drawn.
func TestNoPlots(t *testing.T) {
	p := plotter{none: true}
	if err := p.prepare(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(t.TempDir(), "x")
	svg, err := p.draw(t.Context(), base, figure{Bars: &barChart{Title: "a title"}})
	if err != nil || svg != "" {
		t.Errorf("picture %q, %v", svg, err)
	}
	if text, err := os.ReadFile(base + ".json"); err != nil || !strings.Contains(string(text), "a title") {
		t.Errorf("figure %q, %v", text, err)
	}
}

// TestDrawFails checks that the words of a program that fails are passed on.
func TestDrawFails(t *testing.T) {
	dir := t.TempDir()
	t.Chdir("../..")
	var p plotter
	if err := p.prepare(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	_, err := p.draw(t.Context(), filepath.Join(dir, "x"), figure{Bars: &barChart{}})
	if err == nil || !strings.Contains(err.Error(), "no bars to draw") {
		t.Errorf("error %v", err)
	}
}
