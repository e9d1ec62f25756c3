package main

import (
	"context"
	"fmt"

	"wfagpu/align"
)

// anyseqTable1 has the published figures of Table 1, GCUPS of global alignments with
// linear gaps: for each set the libraries with the five devices of "score only" and then of
// "traceback". The CPU is two Xeon with AVX-512 and 32 threads.
var anyseqTable1 = []struct {
	set  string
	rows [][]string
}{
	{"125 bp", [][]string{
		{"AnySeq/GPU", "", "1142", "1877", "2459", "2909", "", "641", "997", "1282", "1461"},
		{"AnySeq 1", "208", "261", "382", "", "", "148", "177", "242", "", ""},
		{"GASAL 2", "", "126", "198", "233", "289", "", "92", "147", "164", "198"},
		{"NVBIO", "", "134", "209", "228", "278", "", "25", "31", "39", "47"},
		{"SeqAn", "219", "", "", "", "", "133", "", "", "", ""},
	}},
	{"512 bp", [][]string{
		{"AnySeq/GPU", "", "1712", "2775", "3268", "3754", "", "1012", "1613", "1892", "2123"},
		{"AnySeq 1", "206", "241", "336", "", "", "125", "164", "219", "", ""},
		{"GASAL 2", "", "48", "82", "97", "116", "", "35", "60", "71", "84"},
		{"NVBIO", "", "39", "54", "92", "107", "", "21", "32", "39", "46"},
		{"SeqAn", "214", "", "", "", "", "134", "", "", "", ""},
	}},
	{"PacBio", [][]string{
		{"AnySeq/GPU", "", "1297", "1719", "2310", "2511", "", "578", "971", "1138", "1213"},
		{"AnySeq 1", "192", "212", "296", "", "", "111", "147", "206", "", ""},
		{"GASAL 2", "", "40", "61", "76", "89", "", "28", "51", "59", "69"},
		{"SeqAn", "208", "", "", "", "", "124", "", "", "", ""},
	}},
}

var anyseqDevices = []string{"AVX-512", "GV100", "RTX 3090", "A100", "MI100"}

// The long reads of the paper have 21,223 letters on average and meet a sequence of 135
// million; a part of one is enough for a rate.
const anyseqLong, anyseqGenome = 21_223, 1_000_000

func (c *anyseqConfig) table1(ctx context.Context) error {
	heads := []string{"set", "library"}
	for _, result := range []string{"score", "traceback"} {
		for _, d := range append(anyseqDevices, c.ours()) {
			heads = append(heads, result+", "+d)
		}
	}
	c.heading("Table 1: global, linear gaps, GCUPS", heads...)
	for i, set := range anyseqTable1 {
		for _, published := range set.rows {
			cells := append([]string{set.set}, published[:6]...)
			cells = append(append(cells, ""), published[6:]...)
			line(c.w, append(cells, ""))
		}
		r := anyseqRow{pattern: 125, text: 125, gap: anyseqGaps[0]}
		switch i {
		case 1:
			r.pattern, r.text = 512, 512
		case 2:
			r.pattern, r.text = anyseqLong, anyseqGenome
		}
		cells := append([]string{set.set, "wfagpu"}, make([]string, 12)...)
		for k := range 2 {
			r.scoreOnly = k == 0
			rate, err := c.rate(ctx, r)
			if err != nil {
				return err
			}
			cells[2+6*k+5] = gcups(rate)
		}
		line(c.w, cells)
	}
	return nil
}

// table2 compares the best rate of Figure 4b with what the instructions of a cell allow.
func (c *anyseqConfig) table2(ctx context.Context) error {
	c.heading("Table 2: global, affine gaps, the best rate over lengths, TCUPS", "", "V100", "RTX 3090", "A100", "MI100", c.ours())
	line(c.w, []string{"peak by the instructions of a cell", "1.40", "2.55", "2.78", "3.29", fmt.Sprintf("%.2f", anyseqPeak)})
	best := 0.0
	for _, length := range anyseqLengths {
		rate, err := c.rate(ctx, anyseqRow{pattern: length, text: length, gap: anyseqGaps[1], scoreOnly: true})
		if err != nil {
			return err
		}
		best = max(best, rate/1e3)
	}
	line(c.w, []string{"achieved", "1.33", "2.09", "2.49", "2.82", fmt.Sprintf("%.2f", best)})
	line(c.w, []string{"efficiency", "95 %", "82 %", "89 %", "86 %", fmt.Sprintf("%.0f %%", 100*best/anyseqPeak)})
	return nil
}

// anyseqPeak is that of an H200, in TCUPS: 132 SMs issue 64 lanes a clock of the integer
// pipe at 1.98 GHz, and two cells take five such instructions.
const anyseqPeak = 132 * 64 * 1.98e9 / 5 * 2 / 1e12

var anyseqLengths = []int{128, 256, 512, 1024, 2048, 4096}

// figure3 measures all spans, gaps and results of pairs of 125 letters. The figure's values
// are not printed in the paper, but for those in the text of section 4.3.
func (c *anyseqConfig) figure3(ctx context.Context) error {
	c.heading("Figure 3: 125 bp, GCUPS", "span", "gaps", "result", "published in the text", c.ours())
	for _, scoreOnly := range []bool{true, false} {
		for _, gap := range anyseqGaps {
			for _, s := range anyseqSpans {
				rate, err := c.rate(ctx, anyseqRow{pattern: 125, text: 125, span: s.span, gap: gap, scoreOnly: scoreOnly})
				if err != nil {
					return err
				}
				result, published := "score", ""
				if !scoreOnly {
					result = "traceback"
					if s.span == align.Local && gap.name == "affine" {
						published = "AnySeq/GPU 757 and GASAL 2 124 on an A100, CPU 82"
					}
				}
				line(c.w, []string{s.name, gap.name, result, published, gcups(rate)})
			}
		}
	}
	return nil
}

// figure4 measures lengths. The figure's values are not printed in the paper, but for the
// largest of b, in Table 2, and that of a at 512, in Table 1.
func (c *anyseqConfig) figure4(ctx context.Context) error {
	heads := []string{"scores alone, TCUPS"}
	for _, length := range anyseqLengths {
		heads = append(heads, fmt.Sprint(length))
	}
	c.heading("Figure 4: by the length of the reads", append(heads, "published, A100")...)
	for _, part := range []struct {
		name, published string
		span            align.Span
		gap             anyseqGap
	}{
		{"a) global, linear", "3.27 at 512", align.Global, anyseqGaps[0]},
		{"b) global, affine", "2.49 at most", align.Global, anyseqGaps[1]},
		{"c) local, affine", "", align.Local, anyseqGaps[1]},
	} {
		cells := []string{part.name}
		for _, length := range anyseqLengths {
			rate, err := c.rate(ctx, anyseqRow{pattern: length, text: length, span: part.span, gap: part.gap, scoreOnly: true})
			if err != nil {
				return err
			}
			cells = append(cells, gcups(rate/1e3))
		}
		line(c.w, append(cells, part.published))
	}
	return nil
}
