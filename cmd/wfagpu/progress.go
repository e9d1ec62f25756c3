package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressInterval keeps a slow remote terminal from delaying the alignment.
const progressInterval = 250 * time.Millisecond

// progress draws one line with the pairs done, their rate, the input bytes
// read and, where the input's size is known, the time left. A nil progress
// draws nothing.
type progress struct {
	bar   *progressbar.ProgressBar
	start time.Time
	last  time.Time
}

// newProgress draws on w; size is the input's length in bytes, -1 if unknown.
func newProgress(w io.Writer, size int64) *progress {
	if size == 0 {
		size = -1 // the bar does not accept 0
	}
	bar := progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(24),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(size > 0),
		progressbar.OptionSetRenderBlankState(false),
		progressbar.OptionUseANSICodes(true),
		// No redrawing from a timer's goroutine: update is the only caller.
		progressbar.OptionSetSpinnerChangeInterval(0),
	)
	return &progress{bar: bar, start: time.Now()}
}

// update shows pairs finished and input bytes read, at most once per
// progressInterval.
func (p *progress) update(pairs, bytes int64) {
	if p == nil || time.Since(p.last) < progressInterval {
		return
	}
	p.last = time.Now()
	rate := float64(pairs) / p.last.Sub(p.start).Seconds()
	p.bar.Describe(fmt.Sprintf("%d pairs, %s pairs/s", pairs, thousands(rate)))
	// An error from the terminal does not end the run.
	_ = p.bar.Set64(bytes)
}

// clear removes the line from the terminal.
func (p *progress) clear() {
	if p != nil {
		_ = p.bar.Clear()
	}
}

// thousands formats a rate with a decimal unit.
func thousands(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.2f M", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.1f k", v/1e3)
	}
	return fmt.Sprintf("%.1f", v)
}
