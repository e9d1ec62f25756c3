package page

import (
	"fmt"

	"wfagpu/cmd/wfagpu/internal/tally"
)

// chart is a histogram in SVG with the table of its figures. The fields are for the
// template.
type chart struct {
	ID, Title, Text, Caption string
	XLabel, YLabel           string
	Bars                     []bar
	XTicks, YTicks           []tick
	Median                   *tick
	Heading                  bool // the title is printed, since there are several charts
	Table                    *table
}

// bar is a rectangle: across in percent, down in pixels.
type bar struct {
	X, Width, Y, Height string
	Tip                 string
	Apart               bool // from the axis
}

// table has a head, and numbers in all columns but the first.
type table struct {
	Title string
	Head  []string
	Rows  [][]string
	Words bool // in place of numbers
}

const plotHeight = 170.0

// distribution is what a chart shows.
type distribution struct {
	id, title string
	hist      *tally.Hist
	axis      *axis
	xLabel    string
	item      string             // what is counted, such as "pair"
	text      func(v int) string // a value in a sentence
	mean      string
	// logCounts is a logarithmic axis of counts, and most its largest count, if a
	// neighbouring chart has it.
	logCounts bool
	most      int64
}

// counts are those of all bars.
func (d *distribution) counts() []int64 {
	var n []int64
	for _, v := range d.axis.intervals() {
		n = append(n, d.hist.Between(v.from, v.to))
	}
	return n
}

// draw makes the chart of at least one value.
func (d *distribution) draw() *chart {
	intervals, counts := d.axis.intervals(), d.counts()
	most := 0
	for i, n := range counts {
		if n > counts[most] {
			most = i
		}
	}
	up := newCountAxis(max(d.most, counts[most]), d.logCounts)
	c := &chart{
		ID: d.id, Title: d.title, XLabel: d.xLabel, YLabel: plural(d.item),
		XTicks: d.axis.ticks(), YTicks: up.ticks(),
		Table: &table{Title: d.title, Head: []string{d.xLabel, plural(d.item), "share", "running share"}},
	}
	if d.logCounts {
		c.YLabel += ", log scale"
	}
	if d.axis.log {
		c.XLabel += ", log scale"
	}
	var before int64
	for i, v := range intervals {
		if counts[i] == 0 {
			continue
		}
		before += counts[i]
		x, width := d.axis.span(v)
		height := max(up.height(counts[i]), 1)
		of := share(counts[i], d.hist.Count())
		c.Bars = append(c.Bars, bar{
			X: coordinate(x), Width: coordinate(width), Y: coordinate(plotHeight - height), Height: coordinate(height),
			Tip:   fmt.Sprintf("%s: %s, %s", d.axis.text(v), noun(counts[i], d.item), of),
			Apart: v.place != inside,
		})
		c.Table.Rows = append(c.Table.Rows, []string{d.axis.text(v), integer(counts[i]), of, share(before, d.hist.Count())})
	}
	c.Median = d.median()
	c.Caption = d.caption()
	c.Text = fmt.Sprintf("Histogram of %s with %d bars. The highest bar, %s, has %s.",
		noun(d.hist.Count(), d.item), len(c.Bars), d.axis.text(intervals[most]), noun(counts[most], d.item))
	return c
}

// median marks the median, unless it lies in a bar apart.
func (d *distribution) median() *tick {
	median := d.hist.Quantile(0.5)
	x := d.axis.at(float64(median))
	if x < 0 || x > 100 || median == 0 && d.axis.zero {
		return nil
	}
	anchor := "middle"
	if x < 15 {
		anchor = "start"
	} else if x > 85 {
		anchor = "end"
	}
	return &tick{X: coordinate(x), Label: "median " + d.text(median), Anchor: anchor}
}

// caption says the figures that the chart is about.
func (d *distribution) caption() string {
	h := d.hist
	first, last := h.Min(), h.Max()
	low, high := h.Quantile(0.05), h.Quantile(0.95)
	if d.axis.mirrored {
		first, last, low, high = last, first, high, low
	}
	switch {
	case h.Count() == 1:
		return fmt.Sprintf("1 %s: %s.", d.item, d.text(first))
	case first == last:
		return fmt.Sprintf("%s, all %s.", noun(h.Count(), d.item), d.text(first))
	}
	return fmt.Sprintf("%s: median %s, mean %s, from %s to %s; nine of ten from %s to %s.",
		noun(h.Count(), d.item), d.text(h.Quantile(0.5)), d.mean, d.text(first), d.text(last), d.text(low), d.text(high))
}
