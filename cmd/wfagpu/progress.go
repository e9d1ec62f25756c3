package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressInterval keeps a slow remote terminal from delaying the alignment.
const progressInterval = 250 * time.Millisecond

const (
	// barColumns is the width of the bar itself, and textColumns that of the text
	// beside it, at most.
	barColumns  = 24
	textColumns = 73
	// spinnerColumns stand before the text if the size of the input is unknown.
	spinnerColumns = 2
	// quietTime is the time without a finished pair after which it is shown.
	quietTime = 2 * time.Second
)

// progress draws one line with the pairs done, their rate, the input bytes
// read and, where the input's size is known, the time left. A narrow terminal
// gets the first of these. A nil progress draws nothing.
type progress struct {
	bar     *progressbar.ProgressBar
	columns func() int // of the terminal, 0 if unknown
	size    int64
	start   time.Time
	last    time.Time // when it was drawn
	pairs   int64
	moved   time.Time // when pairs grew
}

// newProgress draws on w; size is the input's length in bytes, -1 if unknown.
func newProgress(w io.Writer, size int64) *progress {
	return newProgressOn(w, func() int { return terminalColumns(w) }, size)
}

// newProgressOn draws on a terminal whose columns may change.
func newProgressOn(w io.Writer, columns func() int, size int64) *progress {
	if size == 0 {
		size = -1 // the bar does not accept 0
	}
	width := barColumns
	if most := columns(); most > 0 {
		width = max(1, min(width, most-textColumns)) // the bar refuses 0
	}
	bar := progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(&clipper{w: w, columns: columns}),
		progressbar.OptionSetWidth(width),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(size > 0),
		progressbar.OptionSetRenderBlankState(false),
		progressbar.OptionUseANSICodes(true),
		// No redrawing from a timer's goroutine: update is the only caller.
		progressbar.OptionSetSpinnerChangeInterval(0),
	)
	now := time.Now()
	return &progress{bar: bar, columns: columns, size: size, start: now, moved: now}
}

// update shows pairs finished, or those of the last call if pairs is below 0, and
// input bytes read, at most once per progressInterval.
func (p *progress) update(pairs, bytes int64) {
	if p == nil {
		return
	}
	now := time.Now()
	if pairs > p.pairs {
		p.pairs, p.moved = pairs, now
	}
	if now.Sub(p.last) < progressInterval {
		return
	}
	p.last = now
	text := p.text(now)
	if most := p.columns(); most > 0 && spinnerColumns+len(text) >= most {
		// A rate that is cut before its unit would be another rate.
		text = count(p.pairs, "pair")
	}
	p.bar.Describe(text)
	// The input is read long before the last pair is aligned, and the library does not
	// redraw a full bar.
	if p.size > 0 {
		bytes = min(bytes, p.size-1)
	}
	// An error from the terminal does not end the run.
	_ = p.bar.Set64(bytes)
}

// text describes the pairs.
func (p *progress) text(now time.Time) string {
	idle := now.Sub(p.moved)
	switch {
	case p.pairs == 0:
		return fmt.Sprintf("0 pairs, %.0f s", now.Sub(p.start).Seconds())
	case idle >= quietTime:
		return fmt.Sprintf("%d pairs, the last %.0f s ago", p.pairs, idle.Seconds())
	}
	rate := float64(p.pairs) / now.Sub(p.start).Seconds()
	return fmt.Sprintf("%d pairs, %s pairs/s", p.pairs, thousands(rate))
}

// clear removes the line from the terminal.
func (p *progress) clear() {
	if p != nil {
		_ = p.bar.Clear()
	}
}

// thousands formats a rate with a decimal unit and at least two significant digits.
func thousands(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.2f M", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.1f k", v/1e3)
	case v >= 1:
		return fmt.Sprintf("%.1f", v)
	case v > 0:
		return strconv.FormatFloat(v, 'f', 1-int(math.Floor(math.Log10(v))), 64)
	}
	return "0"
}
