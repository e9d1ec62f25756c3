package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

func TestProgressShowsPairsRateAndShare(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, 2_000_000)
	p.start = time.Now().Add(-2 * time.Second)
	p.update(30_000, 1_000_000)
	for _, want := range []string{"30000 pairs, 15.0 k pairs/s", "50%", "1.0/2.0 MB"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %q", want, out.String())
		}
	}
	// The next update comes too soon to be drawn.
	drawn := out.Len()
	p.update(30_001, 1_000_001)
	if out.Len() != drawn {
		t.Errorf("drew %q at once", out.String()[drawn:])
	}
}

func TestProgressOfUnknownSize(t *testing.T) {
	for _, size := range []int64{-1, 0} {
		var out bytes.Buffer
		p := newProgress(&out, size)
		p.start = time.Now().Add(-2 * time.Second)
		p.update(30_000, 1_000_000)
		if !strings.Contains(out.String(), "30000 pairs") || strings.Contains(out.String(), "%") {
			t.Errorf("size %d: drew %q", size, out.String())
		}
	}
}

func TestNoProgress(t *testing.T) {
	var p *progress
	p.update(1, 1)
	p.clear() // neither may need a bar
}

// drawnLines are the lines that a terminal has shown, each as drawn, without the
// sequences that clear it.
func drawnLines(drawn string) []string {
	drawn = strings.NewReplacer("\x1b[0K", "", "\x1b[2K", "").Replace(drawn)
	return strings.FieldsFunc(drawn, func(r rune) bool { return r == '\r' || r == '\n' })
}

// No line is as wide as the terminal, and what matters comes first.
func TestProgressOnNarrowTerminals(t *testing.T) {
	for columns := 1; columns <= 120; columns++ {
		for _, size := range []int64{2_000_000_000, -1} {
			var out bytes.Buffer
			p := newProgressOn(&out, func() int { return columns }, size)
			p.start = time.Now().Add(-2000 * time.Second)
			p.update(30_000_000, 1_000_000_000)
			p.clear()
			const want = "30000000 pairs, 15.0 k pairs/s"
			lines := drawnLines(out.String())
			if len(lines) == 0 && columns > 1 {
				t.Errorf("%d columns: nothing is drawn", columns)
			}
			for _, line := range lines {
				if n := utf8.RuneCountInString(line); n >= columns {
					t.Errorf("%d columns: %d are drawn: %q", columns, n, line)
				}
				if columns > len(want)+2 && !strings.Contains(line, want) {
					t.Errorf("%d columns: %q", columns, line)
				}
				if strings.Contains(line, "pairs,") && !strings.Contains(line, want) {
					t.Errorf("%d columns: a rate is cut: %q", columns, line)
				}
			}
			if size > 0 && columns >= 100 && !strings.Contains(out.String(), "|████████████            |") {
				t.Errorf("%d columns: no whole bar in %q", columns, out.String())
			}
			if !strings.HasSuffix(out.String(), "\x1b[2K\r") {
				t.Errorf("%d columns: the line is not cleared: %q", columns, out.String())
			}
		}
	}
}

// A run that is at one pair for long shows that it is not dead, even when all of
// the input has been read.
func TestProgressDuringOnePair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out lockedBuffer
		p := newProgress(&out, 2_000_000)
		p.start = time.Now().Add(-95 * time.Second)
		con := &console{}
		con.startBar(p, func() int64 { return 2_000_000 })
		waitFor(t, func() bool { return strings.Contains(out.String(), "0 pairs, 95 s  99%") })
		waitFor(t, func() bool { return strings.Contains(out.String(), "0 pairs, 96 s  99%") })

		con.updateBar(7, 2_000_000)
		con.mu.Lock()
		p.moved = time.Now().Add(-30 * time.Second)
		con.mu.Unlock()
		waitFor(t, func() bool { return strings.Contains(out.String(), "7 pairs, the last 30 s ago  99%") })

		con.clearBar()
		drawn := out.String()
		time.Sleep(2 * progressInterval)
		if out.String() != drawn {
			t.Errorf("drawn after its end: %q", out.String()[len(drawn):])
		}
	})
}

func TestRates(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.00001234: "0.000012", 0.0083: "0.0083", 0.05: "0.050", 0.99: "0.99", 1: "1.0", 12.34: "12.3",
		9999: "9999.0", 15000: "15.0 k", 2.5e6: "2.50 M",
	} {
		if got := thousands(v); got != want {
			t.Errorf("%g: %q, want %q", v, got, want)
		}
	}
	for _, tc := range []struct {
		pairs   int64
		seconds float64
		want    string
	}{
		{1, 120, "1 pair, 10 bases in 120.000 s, 0.0083 pairs/s; "},
		{0, 0.5, "0 pairs, 10 bases in 0.500 s, 0 pairs/s; "},
	} {
		r := report{Pairs: tc.pairs, Bases: 10, Seconds: tc.seconds, PairsPerS: float64(tc.pairs) / tc.seconds}
		if got := r.summary(); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// lockedBuffer is read while it is written.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it did not happen")
}
