package paf

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

// TestReplay: every line fits the whole sequences, whatever part of them is aligned.
func TestReplay(t *testing.T) {
	for seed := range uint64(5) {
		b, wholes := formattest.MixedBatch(t, seed, 200)
		text, err := Append([]byte("before\n"), b, Options{CS: seed%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:]
		if len(lines) != len(wholes) {
			t.Fatalf("seed %d: %d lines of %d pairs", seed, len(lines), len(wholes))
		}
		for i, line := range lines {
			r, err := formattest.ParsePAF(line)
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, line, err)
			}
			w, o := wholes[i], b.Origins[i]
			c, err := r.Replay(w.Query, w.Target, formattest.Defaults)
			if err != nil {
				t.Fatalf("seed %d: %s: %v\n%s\n%s", seed, line, err, w.Query, w.Target)
			}
			place := align.Place{PatternBegin: r.QueryStart, PatternEnd: r.QueryEnd, TextBegin: r.TargetStart, TextEnd: r.TargetEnd}
			if place != w.Place || r.Reverse != o.Reverse || r.MapQ != int(o.MapQ) {
				t.Fatalf("seed %d: %s: want %+v, %+v", seed, line, w.Place, o)
			}
			if r.Tags["AS:i"] != strconv.Itoa(-c.Penalty) || (r.Tags["tp:A"] == "S") != o.Secondary {
				t.Fatalf("seed %d: %s: want AS %d", seed, line, -c.Penalty)
			}
			query, target := strconv.Itoa(95+i), strconv.Itoa(95+i)
			if p := b.Pairs[i]; p.PatternName != nil {
				query, target = string(p.PatternName), string(p.TextName)
			}
			if r.Query != query || r.Target != target || (r.Tags["cs:Z"] != "") != (seed%2 == 0) {
				t.Fatalf("seed %d: %s: names or cs", seed, line)
			}
		}
	}
}

func TestLine(t *testing.T) {
	b := &align.Batch{
		First: 9,
		Pairs: []align.Pair{
			{Pattern: []byte("ACGTU"), Text: []byte("ACCTTGG"), PatternName: []byte("r x"), TextName: []byte("t")},
			{Pattern: []byte("A"), Text: []byte("A")},
			{Pattern: []byte("A"), Text: []byte("A")},
			{Pattern: []byte("A"), Text: []byte("A")},
			{},
			{Pattern: []byte("AC"), Text: []byte("")},
		},
		Results: []align.Result{
			{Score: 7, CIGAR: formattest.CIGAR(t, "2=1X2=2D")},
			{Score: 0, CIGAR: formattest.CIGAR(t, "1=")},
			{Score: align.Beyond},
			{Err: errors.New("gave up")},
			{},
			{Score: 5, CIGAR: formattest.CIGAR(t, "2I")},
		},
	}
	for i := range b.Results {
		b.Results[i].Place = b.Pairs[i].Whole()
	}
	const (
		first = "r\t5\t0\t5\t+\tt\t7\t0\t7\t4\t7\t255\tNM:i:3\tAS:i:%s\tde:f:0.3333\tcg:Z:%s\n"
		empty = "14\t2\t0\t2\t+\t14\t0\t0\t0\t0\t2\t255\tNM:i:2\tAS:i:%s\tde:f:1.0000\tcg:Z:2I\n"
		equal = "10\t1\t0\t1\t+\t10\t1\t0\t1\t1\t1\t255\tNM:i:0\tAS:i:0\tde:f:0.0000\tcg:Z:1%s\n"
	)
	fill := func(text string, values ...string) string {
		for _, v := range values {
			text = strings.Replace(text, "%s", v, 1)
		}
		return text
	}
	for _, tc := range []struct {
		o    Options
		want string
	}{
		{Options{}, fill(first, "-7", "2=1X2=2D") + fill(equal, "=") + fill(empty, "-5")},
		{Options{Style: cigar.Classic, Similarity: true}, fill(first, "7", "5M2D") + fill(equal, "M") + fill(empty, "5")},
		{Options{Leave: []bool{false, true, true, true, true, true}}, fill(first, "-7", "2=1X2=2D")},
		{Options{CS: true, Leave: []bool{true, false, false, false, false, true}}, strings.TrimSuffix(fill(equal, "="), "\n") + "\tcs:Z::1\n"},
	} {
		got, err := Append(nil, b, tc.o)
		if err != nil || string(got) != tc.want {
			t.Errorf("%+v:\n got %q, %v\nwant %q", tc.o, got, err, tc.want)
		}
	}
}

// TestStarInCS: the letter '*' has no place in cs, but in all else.
func TestStarInCS(t *testing.T) {
	b := &align.Batch{First: 5, Pairs: []align.Pair{{Pattern: []byte("A"), Text: []byte("A")}, {Pattern: []byte("M*"), Text: []byte("M")}}}
	b.PrepareResults()
	b.Results[0].CIGAR, b.Results[1].CIGAR = formattest.CIGAR(t, "1="), formattest.CIGAR(t, "1=1I")
	if text, err := Append(nil, b, Options{}); err != nil || strings.Count(string(text), "\n") != 2 {
		t.Errorf("without cs: %q, %v", text, err)
	}
	text, err := Append(nil, b, Options{CS: true})
	if r, ok := errors.AsType[*seqio.RecordError](err); !ok || r.Record != 6 || strings.Count(string(text), "\n") != 1 {
		t.Errorf("with cs: %q, %v; want the first line, and record 6", text, err)
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	b, _ := formattest.MixedBatch(t, 1, 100)
	dst, _ := Append(nil, b, Options{CS: true})
	if n := testing.AllocsPerRun(10, func() { dst, _ = Append(dst[:0], b, Options{CS: true}) }); n != 0 {
		t.Errorf("%v allocations a batch", n)
	}
}
