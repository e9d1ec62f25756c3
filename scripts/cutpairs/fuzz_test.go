package main

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"
)

// FuzzPAF: no text panics, every hit that is read can be cut from sequences of its
// lengths, and hits read back when written plainly.
func FuzzPAF(f *testing.F) {
	for _, s := range []string{
		"", "\n", "r1\t100",
		"r1\t100\t0\t90\t+\tc1\t1000\t200\t290\t88\t90\t60\ttp:A:P\tAS:i:150\n",
		"r1\t9\t1\t8\t-\tc\t20\t2\t9\t7\t7\t60\tAS:i:-3\ttp:A:P\r\nr1\t9\t0\t9\t-\tc\t20\t2\t9\t7\t7\t60\ttp:A:P\tAS:i:4",
		"r1\t9\t0\t9\t+\tc\t9\t0\t9\t9\t9\t60\ttp:A:S\nr2\t9\t9\t9\t+\tc\t9\t9\t9\t9\t9\t60\ttp:A:P\n",
		"r1\t9\t5\t2\t+\tc\t9\t0\t12\t9\t9\t60\ttp:A:P\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hits, err := readPAF(strings.NewReader(text))
		if err != nil {
			return
		}
		var plain strings.Builder
		for name, h := range hits {
			fmt.Fprintf(&plain, "%s\t%d\t%d\t%d\t%c\t%s\t%d\t%d\t%d\t0\t0\t0\tAS:i:%d\ttp:A:P\n",
				name, h.length, h.start, h.end, h.strand, h.target, h.targetLength, h.targetFrom, h.targetTo, h.score)
			const most = 1 << 12 // bases; speed finds more than length does
			if h.length > most || h.targetLength > most {
				continue
			}
			read, reference := bytes.Repeat([]byte("acgtN"), most/5+1)[:h.length], bytes.Repeat([]byte("TGC"), most/3+1)[:h.targetLength]
			query, target, at := rule{aligned: true}.cut(h, read, reference)
			if len(query) != h.end-h.start || len(target) != h.targetTo-h.targetFrom || at != h.targetFrom {
				t.Fatalf("%+v: the aligned parts have %d and %d bases, from %d", h, len(query), len(target), at)
			}
			query, target, at = rule{}.cut(h, read, reference)
			if len(query) != h.length || len(target) < h.targetTo-h.targetFrom || at > h.targetFrom || at < 0 || at+len(target) > h.targetLength {
				t.Fatalf("%+v: the whole read has %d bases, its target %d from %d", h, len(query), len(target), at)
			}
		}
		back, err := readPAF(strings.NewReader(plain.String()))
		if err != nil || !maps.Equal(back, hits) {
			t.Fatalf("%+v were read back as %+v, %v", hits, back, err)
		}
	})
}
