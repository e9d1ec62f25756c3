package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
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
