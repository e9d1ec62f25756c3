package main

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// HeatMap is a table whose cells are darker the larger their values are.
type HeatMap struct {
	Title   string   `json:"title"`
	XLabel  string   `json:"x_label"`
	YLabel  string   `json:"y_label"`
	Columns []string `json:"columns"`
	Rows    []string `json:"rows"`  // the first row is the lowest
	Cells   [][]Cell `json:"cells"` // [row][column]
	// Log shades by the logarithm of the values, which differ by orders of
	// magnitude.
	Log bool `json:"log"`
}

// Cell is a value and its text.
type Cell struct {
	Value float64 `json:"value"`
	Label string  `json:"label"`
}

// Save draws the map into files.
func (h HeatMap) Save(files ...string) error {
	if len(h.Rows) == 0 || len(h.Columns) == 0 {
		return errors.New("no cells to draw")
	}
	if len(h.Cells) != len(h.Rows) {
		return fmt.Errorf("%d rows of cells for %d rows", len(h.Cells), len(h.Rows))
	}
	for i, row := range h.Cells {
		if len(row) != len(h.Columns) {
			return fmt.Errorf("row %q has %d cells for %d columns", h.Rows[i], len(row), len(h.Columns))
		}
	}
	lo, hi := h.limits()
	p := newPlot(h.Title)
	p.X.Label.Text, p.Y.Label.Text = h.XLabel, h.YLabel
	p.NominalX(h.Columns...)
	p.NominalY(h.Rows...)
	p.X.Min, p.X.Max = -0.5, float64(len(h.Columns))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(h.Rows))-0.5
	p.X.Padding, p.Y.Padding = 0, 0
	p.Add(cells{HeatMap: h, lo: lo, hi: hi, style: small(p.TextHandler)})
	width := vg.Length(110 + 62*len(h.Columns))
	height := vg.Length(90 + 30*len(h.Rows))
	return save(width, height, files, p.Draw)
}

func (h HeatMap) limits() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, row := range h.Cells {
		for _, c := range row {
			lo, hi = min(lo, c.Value), max(hi, c.Value)
		}
	}
	return lo, hi
}

type cells struct {
	HeatMap
	lo, hi float64
	style  text.Style
}

// Plot implements plot.Plotter.
func (h cells) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, row := range h.Cells {
		for j, cell := range row {
			fill, ink := shade(h.share(cell.Value))
			c.SetColor(fill)
			c.Fill(vg.Rectangle{
				Min: vg.Point{X: x(float64(j)-0.5) + 0.5, Y: y(float64(i)-0.5) + 0.5},
				Max: vg.Point{X: x(float64(j)+0.5) - 0.5, Y: y(float64(i)+0.5) - 0.5},
			}.Path())
			style := h.style
			style.Color = ink
			style.XAlign, style.YAlign = text.XCenter, text.YCenter
			c.FillText(style, vg.Point{X: x(float64(j)), Y: y(float64(i))}, cell.Label)
		}
	}
}

// share is the position of a value between the extremes, 0 to 1.
func (h cells) share(v float64) float64 {
	lo, hi := h.lo, h.hi
	if h.Log && lo > 0 {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(v)
	}
	if lo == hi {
		return 0
	}
	return (v - lo) / (hi - lo)
}

// shade returns a colour from nearly white to dark blue, and a colour of text
// that contrasts with it.
func shade(share float64) (fill, ink color.Color) {
	light, dark := [3]float64{0xf2, 0xf6, 0xfb}, [3]float64{0x0b, 0x3c, 0x73}
	var rgb [3]uint8
	for i := range rgb {
		rgb[i] = uint8(math.Round(light[i] + share*(dark[i]-light[i])))
	}
	ink = color.Black
	if share > 0.5 {
		ink = color.White
	}
	return color.RGBA{rgb[0], rgb[1], rgb[2], 0xff}, ink
}
