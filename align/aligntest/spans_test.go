package aligntest_test

import (
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Every code path meets the definition of spans.
func TestSpans(t *testing.T) {
	for _, level := range align.Levels() {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			aligntest.RunSpans(t, func(t testing.TB, o align.Options) aligntest.Engine {
				o.Level, o.Threads = level, 1
				return newEngine(t, o)
			})
		})
	}
}

// FuzzSpans holds every span and scoring to the definition, on every code path, with plenty of
// memory and with none.
func FuzzSpans(f *testing.F) {
	f.Add([]byte("TTGATTACAGG"), []byte("CCGATACACC"), byte(3), byte(4), byte(6), byte(1), byte(1), uint16(0x1234), byte(0))
	f.Add([]byte("ACACACAC"), []byte("CACACA"), byte(1), byte(2), byte(0), byte(1), byte(0), uint16(0xf0f0), byte(0x91))
	f.Add([]byte("GGACGT"), []byte("GGACCCCCCC"), byte(2), byte(1), byte(3), byte(2), byte(1), uint16(0), byte(0x52))
	f.Fuzz(func(t *testing.T, pattern, text []byte, span, x, o, e, match byte, free uint16, more byte) {
		pattern, text = pattern[:min(len(pattern), 50)], text[:min(len(text), 50)]
		for _, s := range [][]byte{pattern, text} {
			if slices.Contains(s, 0) || slices.Contains(s, 0xff) {
				t.Skip("0x00 and 0xff are not letters")
			}
		}
		opts := align.Options{
			Span: align.Span(span % 4), Match: int(match), Threads: 1,
			Penalties: align.Penalties{Mismatch: max(1, int(x)), GapOpen: int(o), GapExtend: max(1, int(e))},
		}
		if more&1 > 0 && e > 1 && o < 255 { // the second cost of gaps
			opts.LongGap = align.Gap{Open: min(255, int(o)+1+int(more>>4)), Extend: 1 + (int(e)-2)*int(more>>2&3)/3}
		}
		number := func(i int) int {
			n := int(free >> (4 * i) & 15)
			if n == 15 {
				return align.FreeAll
			}
			return n
		}
		opts.Free = align.Free{PatternBegin: number(0), PatternEnd: number(1), TextBegin: number(2), TextEnd: number(3)}
		if opts.Span == align.Extension {
			opts.ZDrop = int(more >> 1)
		}
		if opts.Span > align.EndsFree {
			opts.Match = max(1, opts.Match)
		}
		oracle := aligntest.Of(opts)
		if opts.Span != align.EndsFree {
			oracle.Free = align.Free{}
		}
		want := oracle.Align(pattern, text)
		for _, opts.Level = range align.Levels() {
			for _, opts.Memory = range []int{0, 1} {
				for _, opts.ScoreOnly = range []bool{false, true} {
					b := &align.Batch{Pairs: []align.Pair{{Pattern: pattern, Text: text}}}
					if err := newEngine(t, opts).AlignBatch(t.Context(), b); err != nil {
						t.Fatal(err)
					}
					if err := aligntest.SameResult(opts, &b.Pairs[0], b.Results[0], want); err != nil {
						t.Fatalf("%+v: %v", opts, err)
					}
				}
			}
		}
	})
}
