package main

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars are bars in groups: a group for each set measured, and in it a bar for
// each series. The value axis is logarithmic: rates differ by orders of
// magnitude.
type Bars struct {
	Title  string   `json:"title"`
	YLabel string   `json:"y_label"`
	Groups []string `json:"groups"`
	Series []Series `json:"series"`
}

// Series are the bars of one colour.
type Series struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"` // one for each group; 0 draws no bar
}

// Save draws the bars into files.
func (b Bars) Save(files ...string) error {
	for _, s := range b.Series {
		if len(s.Values) != len(b.Groups) {
			return fmt.Errorf("series %q has %d values for %d groups", s.Name, len(s.Values), len(b.Groups))
		}
	}
	lo, hi := b.limits()
	if len(b.Groups) == 0 || lo > hi {
		return errors.New("no bars to draw")
	}
	p := newPlot(b.Title)
	p.Y.Scale = plot.LogScale{}
	p.Y.Tick.Marker = powers{}
	// Below the lowest bar, so that it can be seen.
	p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(lo/1.5))), math.Pow(10, math.Ceil(math.Log10(hi)))
	if p.Y.Min == p.Y.Max {
		p.Y.Max *= 10
	}
	p.X.Min, p.X.Max = -0.5, float64(len(b.Groups))-0.5
	p.NominalX(b.Groups...)
	p.X.Padding, p.Y.Padding = 4, 4
	p.Add(rules{})

	legend := plot.NewLegend()
	legend.TextStyle = small(p.TextHandler)
	legend.ThumbnailWidth = 14
	legend.Padding = 4
	legend.Top, legend.Left = true, true
	for i, s := range b.Series {
		bar := bars{series: s, at: i, of: len(b.Series), fill: palette[i%len(palette)]}
		p.Add(bar)
		legend.Add(s.Name, bar)
	}
	group := len(b.Series)*11 + 30
	for _, name := range b.Groups { // side by side below the bars
		group = max(group, 7*len(name)+8)
	}
	width := vg.Length(220 + len(b.Groups)*group)
	return save(width, 330, files, func(c draw.Canvas) {
		beside := legend.Rectangle(c).Size().X + 16
		p.Draw(draw.Crop(c, 20, -beside, 0, 0))
		// Not the axis' own label, for which gonum reserves room at a place
		// that is wrong on a logarithmic axis.
		label := p.Y.Label.TextStyle
		label.Rotation = math.Pi / 2
		label.XAlign, label.YAlign = text.XCenter, text.YTop
		c.FillText(label, vg.Point{X: c.Min.X, Y: c.Center().Y}, b.YLabel)
		// As high as the plot's area begins, below its title.
		legend.Draw(draw.Crop(c, c.Size().X-beside+16, 0, 0, -24))
	})
}

func (b Bars) limits() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range b.Series {
		for _, v := range s.Values {
			if v > 0 {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	return lo, hi
}

// bars are those of one series.
type bars struct {
	series Series
	at, of int
	fill   color.Color
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	const share = 0.84 // of a group's width; the rest is between groups
	width := share / float64(b.of)
	for i, v := range b.series.Values {
		if v <= 0 {
			continue
		}
		left := float64(i) - share/2 + float64(b.at)*width
		c.SetColor(b.fill)
		c.Fill(vg.Rectangle{
			Min: vg.Point{X: x(left), Y: c.Min.Y},
			Max: vg.Point{X: x(left + 0.94*width), Y: y(v)},
		}.Path())
	}
}

// Thumbnail implements plot.Thumbnailer.
func (b bars) Thumbnail(c *draw.Canvas) {
	c.SetColor(b.fill)
	c.Fill(c.Rectangle.Path())
}

// rules are lines across the plot at the powers of ten.
type rules struct{}

// Plot implements plot.Plotter.
func (rules) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	style := draw.LineStyle{Color: color.Gray{0xdd}, Width: 0.5}
	for v := p.Y.Min; v <= p.Y.Max; v *= 10 {
		c.StrokeLine2(style, c.Min.X, y(v), c.Max.X, y(v))
	}
}

// powers puts ticks at the powers of ten and, without a label, between them.
type powers struct{}

// Ticks implements plot.Ticker.
func (powers) Ticks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	for v := lo; v <= hi*1.0001; v *= 10 {
		ticks = append(ticks, plot.Tick{Value: v, Label: short(v)})
		for i := 2.0; i < 10 && i*v < hi; i++ {
			ticks = append(ticks, plot.Tick{Value: i * v})
		}
	}
	return ticks
}

// short writes a power of ten.
func short(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= 0.999*unit.size {
			return strconv.Itoa(int(math.Round(v/unit.size))) + " " + unit.name
		}
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
