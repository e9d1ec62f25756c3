package seqio

import (
	"errors"
	"strings"
	"testing"

	"wfagpu/align"
)

// TestPlacesInColumns: lengths and places are those of the whole sequences.
func TestPlacesInColumns(t *testing.T) {
	b := &align.Batch{
		First: 1,
		Pairs: []align.Pair{
			{Pattern: []byte("ACGTAC"), Text: []byte("ACGTACGT")}, {Pattern: []byte("ACGTAC"), Text: []byte("ACGTACGT")},
			{Pattern: []byte("A")}, {Pattern: []byte("A")},
		},
		Origins: []align.Origin{
			{QueryLength: 20, QueryStart: 5, TargetLength: 900, TargetStart: 100},
			{QueryLength: 20, QueryStart: 5, TargetLength: 900, TargetStart: 100, Reverse: true},
			{QueryLength: 3, TargetLength: 7, Reverse: true}, {QueryLength: 3, TargetLength: 7},
		},
		Results: []align.Result{
			{CIGAR: mustParse(t, "3=1D1="), Place: align.Place{PatternBegin: 1, PatternEnd: 5, TextBegin: 2, TextEnd: 7}},
			{CIGAR: mustParse(t, "3=1D1="), Place: align.Place{PatternBegin: 1, PatternEnd: 5, TextBegin: 2, TextEnd: 7}},
			{Score: align.Beyond}, {Err: errors.New("gave up")},
		},
	}
	o := TSVOptions{Columns: []Column{QueryLength, QueryStart, QueryEnd, TargetLength, TargetStart, TargetEnd, Strand, Score, Identity, CSText}}
	want := "20\t6\t10\t900\t102\t107\t+\t0\t0.800000\t:3-a:1\n" +
		"20\t6\t10\t900\t102\t107\t-\t0\t0.800000\t:3-a:1\n" +
		"3\t*\t*\t7\t*\t*\t-\t-1\t*\t*\n" +
		"3\t*\t*\t7\t*\t*\t+\t*\t*\t*\n"
	b.Results[0].CIGAR, b.Results[1].CIGAR = mustParse(t, "3=1D1="), mustParse(t, "3=1D1=")
	b.Pairs[0].Pattern, b.Pairs[1].Pattern = []byte("xGTAGx"), []byte("xGTAGx")
	if got := string(AppendTSV(nil, b, o)); got != strings.ReplaceAll(want, "-a", "-c") {
		t.Errorf("got %q\nwant %q", got, want)
	}
	leave := TSVOptions{Columns: []Column{QueryName}, Leave: []bool{false, true, true, false}}
	if got := string(AppendTSV(nil, b, leave)); got != "1\n4\n" {
		t.Errorf("without two pairs: %q", got)
	}
	leave.Columns = nil
	if got := string(AppendTSV(nil, b, leave)); got != "1\t1\t0\t3=1D1=\n4\t4\t*\t*\n" {
		t.Errorf("usual columns without two pairs: %q", got)
	}
}

// TestIdentity: six digits, and 1 only for equal sequences.
func TestIdentity(t *testing.T) {
	for text, want := range map[string]string{
		"5=": "1.000000", "5X": "0.000000", "2=1X": "0.666667", "1=2X": "0.333334", "10000000=1X": "0.999999", "*": "*", "3=1I": "0.750000",
	} {
		if got := string(appendIdentity(nil, mustParse(t, text).Columns())); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestParseColumns(t *testing.T) {
	var names []string
	for _, c := range Columns() {
		names = append(names, c.String())
		if c.About() == "" {
			t.Errorf("nothing is said about %v", c)
		}
	}
	all, err := ParseColumns(strings.Join(names, ","))
	if err != nil || len(all) != len(Columns()) {
		t.Fatalf("%v, %v", all, err)
	}
	for i, c := range all {
		if c != Column(i) || c.Traced() != (c >= Identity) {
			t.Errorf("column %d is %v", i, c)
		}
	}
}
