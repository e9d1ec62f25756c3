package sam

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
	seqio "wfagpu/io"
	"wfagpu/io/formattest"
)

// headerOf returns the header of the whole targets of a batch.
func headerOf(t testing.TB, b *align.Batch, wholes []formattest.Whole) string {
	t.Helper()
	targets := NewTargets("file", true)
	for i, w := range wholes {
		if name := b.Pairs[i].TextName; name != nil {
			if err := targets.Add(name, []byte(w.Target), len(w.Target)); err != nil {
				t.Fatal(err)
			}
		} else {
			targets.addNumbered(b.First+int64(i), len(w.Target))
		}
	}
	if !targets.Settle() {
		t.Fatal("a name came twice that was taken for new")
	}
	var text strings.Builder
	if err := targets.WriteHeader(&text, Program{"wfagpu", "1", "wfagpu a\tb"}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestReplay: every record fits the whole sequences, whatever part of them is aligned.
func TestReplay(t *testing.T) {
	for seed := range uint64(5) {
		b, wholes := formattest.MixedBatch(t, seed, 200)
		text, err := Append([]byte(headerOf(t, b, wholes)), b, Options{MD: seed%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		s, err := formattest.ParseSAM(string(text))
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Records) != len(wholes) || len(s.Targets) != len(wholes) || s.Command != "wfagpu a b" {
			t.Fatalf("seed %d: %d records, %d targets, command %q", seed, len(s.Records), len(s.Targets), s.Command)
		}
		for i, r := range s.Records {
			w, o := wholes[i], b.Origins[i]
			c, begin, end, err := r.Replay(w.Query, w.Target, formattest.Defaults)
			if err != nil || begin != w.Place.TextBegin || end != w.Place.TextEnd {
				t.Fatalf("seed %d: %+v: %v, at %d to %d\n%s\n%s", seed, r, err, begin, end, w.Query, w.Target)
			}
			flags := [3]bool{r.Flag&16 != 0, r.Flag&256 != 0, r.Flag&2048 != 0}
			if want := [3]bool{o.Reverse, o.Secondary, o.Supplementary}; flags != want || r.Flag&^(16|256|2048) != 0 || r.MapQ != int(o.MapQ) {
				t.Fatalf("seed %d: %+v: want %+v", seed, r, o)
			}
			if strings.Contains(r.CIGAR, "H") && !w.HardClipped || r.Tags["AS:i"] != strconv.Itoa(-c.Penalty) || (r.Tags["MD:Z"] != "") != (seed%2 == 0) {
				t.Fatalf("seed %d: %+v: hard clips, AS other than %d, or MD", seed, r, -c.Penalty)
			}
			want := w.Qualities
			if want == "" {
				want = "*"
			}
			if r.Qualities != want {
				t.Fatalf("seed %d: qualities %q, want %q", seed, r.Qualities, want)
			}
			if s.Targets[r.Target] != len(w.Target) {
				t.Fatalf("seed %d: @SQ of %s has %d letters, want %d", seed, r.Target, s.Targets[r.Target], len(w.Target))
			}
		}
	}
}

// TestUnmapped: pairs without an alignment to the target keep their query, as it was read.
func TestUnmapped(t *testing.T) {
	origin := align.Origin{QueryLength: 6, TargetLength: 9, Reverse: true, MapQ: 60, Secondary: true, Query: []byte("AACGTU"), Qualities: []byte("123456")}
	short := align.Origin{QueryLength: 6, TargetLength: 9, Reverse: true, MapQ: 60}
	forward := align.Origin{QueryLength: 4, TargetLength: 9, MapQ: 60, Qualities: []byte("abcd")}
	none := align.Origin{Reverse: true}
	b := &align.Batch{
		First:   1,
		Pairs:   []align.Pair{{Pattern: []byte("ACGT"), Text: []byte("ACGT")}, {Pattern: []byte("ACNk")}, {Pattern: []byte("ACGT"), Text: []byte("A")}, {Text: []byte("A")}},
		Origins: []align.Origin{origin, short, forward, none},
		Results: []align.Result{{Err: errors.New("gave up")}, {CIGAR: formattest.CIGAR(t, "4I")}, {Score: align.Beyond, Place: align.Place{PatternEnd: 4, TextEnd: 1}}, {}},
	}
	got, err := Append(nil, b, Options{MD: true})
	want := "1\t4\t*\t0\t0\t*\t*\t0\t0\tAACGTT\t654321\n" +
		"2\t4\t*\t0\t0\t*\t*\t0\t0\tmNGT\t*\n" +
		"3\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tabcd\n" +
		"4\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n"
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
	if got, err := Append(nil, b, Options{Leave: []bool{true, true, false, true}}); err != nil || strings.Count(string(got), "\n") != 1 || got[0] != '3' {
		t.Errorf("of the third alone: %q, %v", got, err)
	}
}

// TestTags: MD and NM as samtools calmd computes them.
func TestTags(t *testing.T) {
	for _, tc := range []struct{ cigar, query, target, nm, md string }{
		{"4=", "ACGT", "acgu", "0", "4"},
		{"1X2=1X", "ACGT", "TCGA", "2", "0T2A0"},
		{"2=1X1=", "ACGT", "ACnT", "1", "2N1"},
		{"2=2D2=", "ACGT", "ACttGT", "2", "2^TT2"},
		{"2=2D1X1=", "ACGT", "ACTTAT", "3", "2^TT0A1"},
		{"2=2I2=", "ACTTGT", "ACGT", "2", "4"},
		{"1D1I1D3=", "GCGT", "ATCGT", "3", "0^A0^T3"},
		{"1D4=1D", "ACGT", "TACGTA", "2", "0^T4^A0"},
		{"4=", "ANGN", "ANGN", "2", "1N1N0"},
		{"4=", "ARGK", "ARGK", "0", "4"},
		{"3=", "EEL", "EEL", "3", "0E0E0L0"},
		{"4=", "ACGU", "acgT", "0", "4"},
		{"1=1X1D1=", "uAG", "TUUG", "2", "1T0^T1"},
		{"4D", "", "ACGT", "4", "0^ACGT0"},
	} {
		p := align.Pair{Pattern: []byte(tc.query), Text: []byte(tc.target)}
		b := &align.Batch{First: 1, Pairs: []align.Pair{p}}
		b.PrepareResults()
		b.Results[0].CIGAR, b.Results[0].Score = formattest.CIGAR(t, tc.cigar), 3
		for _, similarity := range []bool{false, true} {
			got, err := Append(nil, b, Options{MD: true, Similarity: similarity})
			score := "-3"
			if similarity {
				score = "3"
			}
			want := "\tNM:i:" + tc.nm + "\tAS:i:" + score + "\tMD:Z:" + tc.md + "\n"
			if letters := "\t" + strings.NewReplacer("U", "T", "u", "t").Replace(tc.query) + "\t*\t"; tc.query != "" && !strings.Contains(string(got), letters) {
				t.Errorf("%q, want %q", got, letters)
			}
			if err != nil || !strings.HasSuffix(string(got), want) {
				t.Errorf("%s of %s with %s: got %q, %v, want %q at its end", tc.cigar, tc.query, tc.target, got, err, want)
			}
		}
	}
}

// TestFaults: what SAM cannot hold is an error after the records before it.
func TestFaults(t *testing.T) {
	targets := NewTargets("t.fai", true)
	if err := targets.Add([]byte("chr1"), nil, 4); err != nil {
		t.Fatal(err)
	}
	good := align.Pair{Pattern: []byte("ACGT"), Text: []byte("ACGT"), PatternName: []byte("r"), TextName: []byte("chr1")}
	for _, tc := range []struct {
		change func(p *align.Pair)
		want   string
	}{
		{func(p *align.Pair) { p.PatternName = []byte(strings.Repeat("x", 255)) }, "record 8: the query name has 255 bytes, and SAM takes 254"},
		{func(p *align.Pair) { p.PatternName = []byte("r\x1f") }, `record 8: the query name "r\x1f" has a control character, which SAM does not take`},
		{func(p *align.Pair) { p.PatternName = []byte("@r") }, `record 8: the query name "@r" starts with '@', as a header line of SAM does`},
		{func(p *align.Pair) { p.PatternName = []byte(" ") }, "record 8: a name is empty"},
		{func(p *align.Pair) { p.Pattern = []byte("AC*T") }, "record 8: the query has the letter '*', which SAM has not"},
		{func(p *align.Pair) { p.TextName = []byte("chr2") }, `record 8: target "chr2" is not in t.fai, from which the @SQ lines are`},
		{func(p *align.Pair) { p.Text = []byte("ACG") }, `record 8: target "chr1" has 3 letters, and 4 in t.fai, from which the @SQ lines are`},
	} {
		bad := good
		tc.change(&bad)
		b := &align.Batch{First: 7, Pairs: []align.Pair{good, bad, good}}
		b.PrepareResults()
		for i := range b.Results {
			b.Results[i].CIGAR = formattest.CIGAR(t, "4=")
		}
		got, err := Append(nil, b, Options{Targets: targets})
		if r, ok := errors.AsType[*seqio.RecordError](err); !ok || r.Error() != tc.want || strings.Count(string(got), "\n") != 1 {
			t.Errorf("got %q, %v; want one record and %q", got, err, tc.want)
		}
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	b, _ := formattest.MixedBatch(t, 1, 100)
	dst, _ := Append(nil, b, Options{MD: true})
	if n := testing.AllocsPerRun(10, func() { dst, _ = Append(dst[:0], b, Options{MD: true}) }); n != 0 {
		t.Errorf("%v allocations a batch", n)
	}
}

// TestLongOperations: samtools takes lengths below 2^28 alone.
func TestLongOperations(t *testing.T) {
	const n = cigar.MaxLen + 5
	target := make([]byte, n+1) // whose letters nobody looks at
	target[0] = 'A'
	b := &align.Batch{First: 1, Pairs: []align.Pair{{Pattern: []byte("A"), Text: target}}}
	b.PrepareResults()
	b.Results[0].CIGAR = cigar.CIGAR{}.Append('=', 1).Append('D', n)
	for _, style := range []cigar.Style{cigar.Extended, cigar.Classic} {
		got, err := Append(nil, b, Options{Style: style})
		want := "\t1=268435455D5D\t"
		if style == cigar.Classic {
			want = "\t1M268435455D5D\t"
		}
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%q, %v", got, err)
		}
	}
}
