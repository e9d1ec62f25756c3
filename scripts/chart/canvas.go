package main

import (
	"errors"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette holds colours that also differ in lightness: those of Okabe and Ito,
// some of them darkened.
var palette = []color.Color{
	color.RGBA{0xd5, 0x5e, 0x00, 0xff},
	color.RGBA{0x00, 0x72, 0xb2, 0xff},
	color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{0xe6, 0x9f, 0x00, 0xff},
	color.RGBA{0x56, 0xb4, 0xe9, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff},
	color.RGBA{0x50, 0x50, 0x50, 0xff},
	color.RGBA{0xb0, 0xa0, 0x30, 0xff},
	color.RGBA{0xb0, 0xb0, 0xb0, 0xff},
	color.RGBA{0x70, 0x40, 0x20, 0xff},
}

// newPlot returns a plot with letters that are legible at the width of a page.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font = face(13)
	p.Title.Padding = 8
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = face(12)
		axis.Label.Padding = 4
		axis.Tick.Label.Font = face(11)
	}
	return p
}

func face(size vg.Length) font.Font {
	return font.Font{Typeface: plot.DefaultFont.Typeface, Variant: "Sans", Size: size}
}

// small is the style of text inside a plot and beside it.
func small(h text.Handler) text.Style {
	return text.Style{Color: color.Black, Font: face(11), Handler: h}
}

// save draws on a canvas for each file, of the format that its suffix names.
func save(width, height vg.Length, files []string, paint func(draw.Canvas)) error {
	for _, file := range files {
		format := strings.TrimPrefix(filepath.Ext(file), ".")
		c, err := draw.NewFormattedCanvas(width, height, format)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		canvas := draw.New(c)
		canvas.SetColor(color.White)
		canvas.Fill(canvas.Rectangle.Path())
		paint(draw.Crop(canvas, 6, -10, 6, -6))
		f, err := os.Create(file)
		if err != nil {
			return err
		}
		_, err = c.WriteTo(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
