package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// figure is the input of scripts/chart, a module of its own that draws plots.
// The fields of the two kinds are documented there.
type figure struct {
	Bars    *barChart `json:"bars,omitempty"`
	HeatMap *heatMap  `json:"heat_map,omitempty"`
}

type barChart struct {
	Title  string      `json:"title"`
	YLabel string      `json:"y_label"`
	Groups []string    `json:"groups"`
	Series []barSeries `json:"series"`
}

type barSeries struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

type heatMap struct {
	Title   string      `json:"title"`
	XLabel  string      `json:"x_label"`
	YLabel  string      `json:"y_label"`
	Columns []string    `json:"columns"`
	Rows    []string    `json:"rows"`
	Cells   [][]mapCell `json:"cells"`
	Log     bool        `json:"log"`
}

type mapCell struct {
	Value float64 `json:"value"`
	Label string  `json:"label"`
}

// chartModule is the source of the program that draws, from the repository's
// root.
const chartModule = "scripts/chart"

// plotter draws figures with the program chart.
type plotter struct {
	none    bool
	program string
}

func (p *plotter) flags(f *flag.FlagSet) {
	f.BoolVar(&p.none, "no-plots", false, "write the figures as JSON and draw no plots")
	f.StringVar(&p.program, "chart", "", "`program` that draws the plots (default: chart beside this program, or else built from "+chartModule+")")
}

// prepare finds the program, or builds it into dir, so that a run that cannot
// draw fails before it measures.
func (p *plotter) prepare(ctx context.Context, dir string) error {
	if p.none || p.program != "" {
		return nil
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "chart")
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			p.program = beside
			return nil
		}
	}
	built, err := buildChart(ctx, dir)
	if err != nil {
		return fmt.Errorf("no program to draw plots with: %w; name one with -chart (make bench-binaries builds build/chart), or use -no-plots", err)
	}
	p.program = built
	return nil
}

func buildChart(ctx context.Context, dir string) (string, error) {
	if _, err := os.Stat(filepath.Join(chartModule, "go.mod")); err != nil {
		return "", err
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", err
	}
	program, err := filepath.Abs(filepath.Join(dir, "chart"))
	if err != nil {
		return "", err
	}
	if text, err := exec.CommandContext(ctx, "go", "-C", chartModule, "build", "-o", program, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go -C %s build: %w\n%s", chartModule, err, strings.TrimSpace(string(text)))
	}
	return program, nil
}

// draw writes base.json and draws it into base.svg and base.png. It returns the
// name of the SVG, or "" with -no-plots.
func (p *plotter) draw(ctx context.Context, base string, f figure) (svg string, err error) {
	text, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(base+".json", append(text, '\n'), 0o644); err != nil {
		return "", err
	}
	if p.none {
		return "", nil
	}
	if p.program == "" {
		return "", errors.New("draw comes before prepare")
	}
	out, err := exec.CommandContext(ctx, p.program, base+".json", base+".svg", base+".png").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", p.program, err, strings.TrimSpace(string(out)))
	}
	return base + ".svg", nil
}
