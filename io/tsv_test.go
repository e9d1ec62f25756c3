package seqio

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
)

func mustParse(t testing.TB, text string) cigar.CIGAR {
	t.Helper()
	c, err := cigar.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAppendTSV(t *testing.T) {
	b := &align.Batch{
		First: 99,
		Pairs: []align.Pair{
			{},
			{PatternName: []byte("read/1"), TextName: []byte("chr1:5-9")},
			{PatternName: []byte("read\tx y"), TextName: []byte("chr 1")},
			{PatternName: []byte("r"), TextName: []byte("t")},
		},
		Results: []align.Result{
			{},
			{Score: 12, CIGAR: mustParse(t, "3=1X100=2I")},
			{Score: 1234567, CIGAR: mustParse(t, "3D")},
			{Err: errors.New("gave up")},
		},
	}
	tests := []struct {
		o    TSVOptions
		want string
	}{
		{TSVOptions{}, "99\t99\t0\t*\nread/1\tchr1:5-9\t12\t3=1X100=2I\nread\tchr\t1234567\t3D\nr\tt\t*\t*\n"},
		{TSVOptions{Style: cigar.Classic}, "99\t99\t0\t*\nread/1\tchr1:5-9\t12\t104M2I\nread\tchr\t1234567\t3D\nr\tt\t*\t*\n"},
		{TSVOptions{ScoreOnly: true}, "99\t99\t0\nread/1\tchr1:5-9\t12\nread\tchr\t1234567\nr\tt\t*\n"},
	}
	for _, tc := range tests {
		if got := string(AppendTSV([]byte("#\n"), b, tc.o)); got != "#\n"+tc.want {
			t.Errorf("%+v:\n got %q\nwant %q", tc.o, got, "#\n"+tc.want)
		}
		header := TSVHeader(tc.o)
		for line := range strings.Lines(tc.want) {
			if strings.Count(line, "\t") != strings.Count(header, "\t") {
				t.Errorf("%q has not the columns of %q", line, header)
			}
		}
	}
}

// TestTSVNumbersPairs: pairs without names are counted from First on.
func TestTSVNumbersPairs(t *testing.T) {
	for _, first := range []int64{1, 95, 99_000, 999_999_999} {
		b := &align.Batch{First: first, Pairs: make([]align.Pair, 1200), Results: make([]align.Result, 1200)}
		var want strings.Builder
		for i := range b.Pairs {
			fmt.Fprintf(&want, "%d\t%[1]d\t0\n", first+int64(i))
		}
		if got := string(AppendTSV(nil, b, TSVOptions{ScoreOnly: true})); got != want.String() {
			t.Errorf("from %d on:\n got %q\nwant %q", first, got, want.String())
		}
	}
}

// tsvBatch is like a batch of 150 bp reads.
func tsvBatch(t testing.TB) *align.Batch {
	c := mustParse(t, "23=1X61=1D12=1X52=")
	b := &align.Batch{First: 1000000}
	for range 10000 {
		b.Pairs = append(b.Pairs, align.Pair{})
		b.Results = append(b.Results, align.Result{Score: 8, CIGAR: c})
	}
	return b
}

func TestAppendTSVDoesNotAllocate(t *testing.T) {
	b := tsvBatch(t)
	dst := AppendTSV(nil, b, TSVOptions{})
	if n := testing.AllocsPerRun(10, func() { dst = AppendTSV(dst[:0], b, TSVOptions{}) }); n != 0 {
		t.Errorf("%v allocations a batch", n)
	}
}

func BenchmarkAppendTSV(b *testing.B) {
	batch := tsvBatch(b)
	var dst []byte
	for b.Loop() {
		dst = AppendTSV(dst[:0], batch, TSVOptions{})
	}
	b.SetBytes(int64(len(dst)))
	b.ReportMetric(float64(len(batch.Pairs))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpairs/s")
}
