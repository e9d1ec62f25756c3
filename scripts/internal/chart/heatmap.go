package chart

import (
	"errors"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// HeatMap is a table whose cells are the darker the larger their numbers are.
type HeatMap struct {
	Title, XLabel, YLabel string
	Columns, Rows         []string             // the first row is the lowest
	Values                [][]float64          // [row][column]; an empty cell where it is not a number
	Label                 func(float64) string // writes a value
	// Log shades by the logarithm, for values that differ by orders of
	// magnitude.
	Log bool
}

// Save draws the map into files.
func (h HeatMap) Save(files ...string) error {
	lo, hi := h.limits()
	if lo > hi {
		return errors.New("chart: no cells to draw")
	}
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
	for _, row := range h.Values {
		for _, v := range row {
			if !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
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
	for i, row := range h.Values {
		for j, v := range row {
			if math.IsNaN(v) {
				continue
			}
			fill, ink := shade(h.share(v))
			c.SetColor(fill)
			c.Fill(vg.Rectangle{
				Min: vg.Point{X: x(float64(j)-0.5) + 0.5, Y: y(float64(i)-0.5) + 0.5},
				Max: vg.Point{X: x(float64(j)+0.5) - 0.5, Y: y(float64(i)+0.5) - 0.5},
			}.Path())
			style := h.style
			style.Color = ink
			style.XAlign, style.YAlign = text.XCenter, text.YCenter
			c.FillText(style, vg.Point{X: x(float64(j)), Y: y(float64(i))}, h.Label(v))
		}
	}
}

// share is where between the extremes a value lies, 0 to 1.
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

// shade goes from nearly white to dark blue, with letters to be seen on it.
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
