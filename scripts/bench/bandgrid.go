package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"wfagpu/align"
)

// The grid of the paper's Supplement S5, and below it the automatic band.
var (
	bands   = []int{16, 32, 64, 128, 256, 512, 1024, 0}
	lambdas = []int{5, 10, 25, 50, 100, 200}
)

func bandName(band int) string {
	if band == 0 {
		return "auto"
	}
	return fmt.Sprint(band)
}

func bandNames() (names []string) {
	for _, band := range bands {
		names = append(names, bandName(band))
	}
	return names
}

func lambdaNames() (names []string) {
	for _, lambda := range lambdas {
		names = append(names, fmt.Sprint(lambda))
	}
	return names
}

// grid is a set with its results by band and lambda.
type grid struct {
	approxSet
	exact float64 // milliseconds a pair
	cells [][]approxCell
}

// column returns one figure of every cell.
func (g *grid) column(pick func(approxCell) float64) [][]float64 {
	values := make([][]float64, len(g.cells))
	for i, row := range g.cells {
		for _, c := range row {
			values[i] = append(values[i], pick(c))
		}
	}
	return values
}

// runMap measures and draws a map of every set.
func (m *bandmap) runMap(ctx context.Context) error {
	var text strings.Builder
	m.measuredOn(&text)
	tsv, err := os.Create(filepath.Join(m.out, "bandmap.tsv"))
	if err != nil {
		return err
	}
	defer tsv.Close()
	fmt.Fprintln(tsv, "set\tdevice\tpenalties\tthreads\tband\tlambda\tpairs\trecall_pct\texcess_pct\tms_per_pair\texact_ms_per_pair\taligned_exactly_pct\tleft_to_cpu_pct")
	err = m.each(func(s approxSet) error {
		g, err := m.measure(ctx, s)
		if err != nil {
			return err
		}
		if err := g.writeTSV(tsv, m); err != nil {
			return err
		}
		return m.show(ctx, &text, g)
	})
	if err != nil {
		return err
	}
	return m.write("bandmap.md", text.String())
}

func (m *bandmap) measure(ctx context.Context, s approxSet) (*grid, error) {
	fmt.Fprintf(os.Stderr, "bench: %s: %d pairs\n", s.title, len(s.pairs))
	w := m.workload(s.pairs)
	g := &grid{approxSet: s}
	var err error
	if g.exact, err = m.exact(ctx, w); err != nil {
		return nil, err
	}
	for _, band := range bands {
		var row []approxCell
		for _, lambda := range lambdas {
			c, err := m.cell(ctx, align.Approx{Band: band, Lambda: lambda}, w)
			if err != nil {
				return nil, fmt.Errorf("band %s, lambda %d: %w", bandName(band), lambda, err)
			}
			row = append(row, c)
		}
		g.cells = append(g.cells, row)
	}
	return g, nil
}

// show draws a set's maps and writes its tables.
func (m *bandmap) show(ctx context.Context, w io.Writer, g *grid) error {
	unit, per := m.unit()
	times := g.column(func(c approxCell) float64 { return per * c.ms })
	recalls := g.column(func(c approxCell) float64 { return c.recall })
	fmt.Fprintf(w, "\n### %s\n\n%s pairs; exact alignment takes %s %s a pair.\n", g.title, grouping(len(g.pairs)), figures(per*g.exact), unit)
	m.table(w, "Recall in %", recalls, percent)
	m.table(w, "Excess in %", g.column(func(c approxCell) float64 { return c.excess }), percent)
	m.table(w, "Time a pair in "+unit, times, figures)
	g.notes(w)
	for _, p := range []struct {
		name, title string
		label       func(float64) string
		values      [][]float64
		log         bool
	}{
		{"recall", "Recall, % of pairs", percent, recalls, false},
		{"time", "Time a pair in " + unit, figures, times, true},
	} {
		h := heatMap{
			Title: p.title + ": " + g.title, XLabel: "λ, scores between moves of the band", YLabel: "β, diagonals",
			Columns: lambdaNames(), Rows: bandNames(), Cells: labelled(p.values, p.label), Log: p.log,
		}
		svg, err := m.plotter.draw(ctx, filepath.Join(m.out, "bandmap-"+g.name+"-"+p.name), figure{HeatMap: &h})
		if err != nil {
			return err
		}
		link, err := m.page.picture(svg)
		if err != nil {
			return err
		}
		if link != "" {
			fmt.Fprintf(w, "![%s](%s)\n", p.title, link)
		}
	}
	return nil
}

// labelled pairs every value with its text.
func labelled(values [][]float64, label func(float64) string) [][]mapCell {
	cells := make([][]mapCell, len(values))
	for i, row := range values {
		for _, v := range row {
			cells[i] = append(cells[i], mapCell{Value: v, Label: label(v)})
		}
	}
	return cells
}

func (m *bandmap) table(w io.Writer, title string, values [][]float64, format func(float64) string) {
	fmt.Fprintf(w, "\n%s:\n\n", title)
	line(w, append([]string{"β \\ λ"}, lambdaNames()...))
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", 1+len(lambdas)))
	for i, name := range bandNames() {
		cells := []string{name}
		for _, v := range values[i] {
			cells = append(cells, format(v))
		}
		line(w, cells)
	}
}

// notes adds the shares of exact alignments and fallbacks.
func (g *grid) notes(w io.Writer) {
	var given, auto, left float64
	for i, row := range g.cells {
		for _, c := range row {
			if bands[i] != 0 {
				given = max(given, c.exactly)
			} else {
				auto = max(auto, c.exactly)
			}
			left = max(left, c.left)
		}
	}
	fmt.Fprintf(w, "\nPairs aligned exactly after all, in %%, at most: at a given β %s, at the automatic one %s.", percent(given), percent(auto))
	if left > 0 {
		fmt.Fprintf(w, " CPU fallback: %s %%.", percent(left))
	}
	fmt.Fprint(w, "\n\n")
}

// percent formats a percentage; it rounds neither up to 100 nor down to 0.
func percent(v float64) string {
	switch {
	case v == 0 || v == 100:
		return fmt.Sprintf("%.0f", v)
	case v < 0.01:
		return "<0.01"
	case v < 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.1f", math.Floor(10*v)/10)
}

func (g *grid) writeTSV(w io.Writer, m *bandmap) error {
	device := "cpu"
	if m.gpu {
		device = "gpu"
	}
	for i, row := range g.cells {
		for j, c := range row {
			_, err := fmt.Fprintf(w, "%s\t%s\t%v\t%d\t%s\t%d\t%d\t%.3f\t%.5f\t%.6g\t%.6g\t%.3f\t%.3f\n", g.title, device, m.penalties, m.threads,
				bandName(bands[i]), lambdas[j], len(g.pairs), c.recall, c.excess, c.ms, g.exact, c.exactly, c.left)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
