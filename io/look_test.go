package seqio

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
)

// notes reads two texts and returns what is odd in them, and the last error.
func notes(t *testing.T, names NameCheck, query, target string) (got []string, pairs int, err error) {
	t.Helper()
	t.Chdir(t.TempDir())
	for path, text := range map[string]string{"q": query, "t": target} {
		if err := os.WriteFile(filepath.Clean(path), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := Inputs{Query: []string{"q"}, Target: []string{"t"}, Names: names, Note: func(err error) { got = append(got, err.Error()) }}
	all, err := readAll(t, in, nil, Limits{Pairs: 2})
	return got, len(all), err
}

func TestEmptyRecordsAreNoted(t *testing.T) {
	const two, three = ">1\nAC\n>2\nG\n", ">1\nAC\n>2\nG\n>3\nT\n"
	for _, tc := range []struct {
		name, query, target string
		want                []string
	}{
		{"none", two, two, nil},
		{"cut after a header", ">1\nAC\n>2\n", two,
			[]string{"q:3: record 2: the file ends after this header; it may be cut short", "q: 1 of 2 records has no sequence; the first is record 2, line 3"}},
		{"cut within a header", three, ">1\nAC\n>2\nA\n>",
			nil},
		{"empty in the middle", ">1\n>2\n\n>3\nA\n", three,
			[]string{"q: 2 of 3 records have no sequence; the first is record 1, line 1"}},
		{"wrapped, empty", ">1\nA\nC\n>2\n>3\nA\n", three,
			[]string{"q: 1 of 3 records has no sequence; the first is record 2, line 4"}},
		{"wrapped, cut after a header", three, ">1\nA\nC\n\n>2\nA\nC\n>3", []string{
			"t:8: record 3: the file ends after this header; it may be cut short", "t: 1 of 3 records has no sequence; the first is record 3, line 8"}},
		{"empty FASTQ record at the end", "@1\nA\n+\nI\n@2\n\n+\n\n", two,
			[]string{"q: 1 of 2 records has no sequence; the first is record 2, line 5"}},
	} {
		got, _, err := notes(t, NamesIgnored, tc.query, tc.target)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: noted %q, want %q (%v)", tc.name, got, tc.want, err)
		}
	}
}

// TestEmptyRecordsBeforeAnError: the notices come before the error, and speak of
// the pairs read by then.
func TestEmptyRecordsBeforeAnError(t *testing.T) {
	got, pairs, err := notes(t, NamesIgnored, ">1\n>2\nAC\n>3\nA1\n", ">1\nA\n>2\nAC\n>3\nA\n")
	if len(got) != 1 || got[0] != "q: 1 of 2 records has no sequence; the first is record 1, line 1" || pairs != 2 || err == nil {
		t.Errorf("noted %q, %d pairs, %v", got, pairs, err)
	}
	got, _, err = notes(t, NamesIgnored, ">1\nA\n>2\n", ">1\nA\n>2\nAC\n>3\nA\n")
	if _, ok := errors.AsType[*UnevenError](err); !ok || len(got) != 2 || !strings.Contains(got[0], "q:3: record 2: the file ends after this header") {
		t.Errorf("noted %q, %v", got, err)
	}
}

func TestNames(t *testing.T) {
	const query = "@r1/1 x\nAC\n+\nII\n@r2/1\nG\n+\nI\n@r3/1\nG\n+\nI\n"
	const differs = `t:7: record 3: the name "r4" differs from "r3/1" in q:9`
	for _, tc := range []struct {
		name, target string
		check        NameCheck
		notes        []string
		pairs        int
		err          string
	}{
		{"equal", ">r1/2 y\nA\n>r2\nA\n>r3/1\nA\n", NamesEqual, nil, 3, ""},
		{"ignored", ">a\nA\n>b\nA\n>c\nA\n", NamesIgnored, nil, 3, ""},
		{"first differs", ">a\nA\n>b\nA\n>c\nA\n", NamesNoted, []string{`t:1: record 1: the name "a" differs from "r1/1" in q:1`}, 3, ""},
		{"a target is lost", ">r1\nA\nC\n\n>r2\nA\n>r4\nA\n", NamesNoted, []string{differs}, 3, ""},
		{"a target is lost, refused", ">r1\nA\nC\n\n>r2\nA\n>r4\nA\n", NamesEqual, nil, 2, differs},
		{"another suffix", ">r1/3\nA\n>r2\nA\n>r3\nA\n", NamesEqual, nil, 0, `t:1: record 1: the name "r1/3" differs from "r1/1" in q:1`},
		{"control characters", ">r1\x1b[1m\nA\n>r2\nA\n>r3\nA\n", NamesEqual, nil, 0, `t:1: record 1: the name "r1\x1b[1m" differs from "r1/1" in q:1`},
		{"a long name", ">" + strings.Repeat("a", 1000) + "\nA\n>r2\nA\n>r3\nA\n", NamesEqual, nil, 0,
			fmt.Sprintf("t:1: record 1: the name %q differs from \"r1/1\" in q:1", strings.Repeat("a", 80))},
	} {
		got, pairs, err := notes(t, tc.check, query, tc.target)
		if !slices.Equal(got, tc.notes) || pairs != tc.pairs || message(t, err) != tc.err {
			t.Errorf("%s: noted %q, %d pairs, %v", tc.name, got, pairs, err)
		}
	}
}

// TestLinesOfRecords: line numbers are right for records that bio delivers far
// ahead of them, too.
func TestLinesOfRecords(t *testing.T) {
	var query, target strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&query, ">%d\nAC\nGT\n\n", i)
		fmt.Fprintf(&target, "@%d\nAC\n+\nII\n", i)
	}
	target.WriteString("@x\nA\n+\nI\n")
	query.WriteString(">y\nA\n")
	_, _, err := notes(t, NamesEqual, query.String(), target.String())
	if want := `t:20001: record 5001: the name "x" differs from "y" in q:20001`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestNamesOfPairsFile: pairs of a pairs file have no names to compare.
func TestNamesOfPairsFile(t *testing.T) {
	in := Inputs{Pairs: []string{"-"}, Names: NamesEqual, Note: func(err error) { t.Error(err) }}
	r, err := Open(in, strings.NewReader(">A\n<\n>C\n<C\n"), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var b align.Batch
	if err := r.ReadBatch(&b); err != nil || len(b.Pairs) != 2 {
		t.Errorf("%d pairs, %v", len(b.Pairs), err)
	}
}

// TestPlacesInSeveralFiles: messages name the file at hand, and number the records of each file from 1.
func TestPlacesInSeveralFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for path, text := range map[string]string{
		"two": ">a\nA\n>b\nC\n", "three": ">c\nA\n>d\nC\n>e\nG\n", "four": ">c\nA\n>d\nC\n>e\nG\n>f\nT\n", "differs": ">c\nA\n>x\nC\n>e\nG\n",
		"empty": ">a\n\n>b\n", "bad": ">c\nA\n>d\nC1\n>e\nG\n", "byname": ">a\nA\n>b\nC\n>c\nA\n>d\nC\n>e\nG\n",
	} {
		writeText(t, path, text)
	}
	for _, tc := range []struct {
		name          string
		query, target []string
		names         NameCheck
		byName        bool
		notes         []string
		err           string
	}{
		{"uneven", []string{"two", "three"}, []string{"two", "four"}, NamesIgnored, false, nil,
			"three ends after 3 records, four has more: record 4, line 7"},
		{"names", []string{"two", "three"}, []string{"two", "differs"}, NamesEqual, false, nil,
			`differs:3: record 2: the name "x" differs from "d" in three:3`},
		{"malformed", []string{"two", "bad"}, []string{"two", "three"}, NamesIgnored, false, nil, "bad:4: record 2: "},
		{"empty", []string{"empty", "three"}, []string{"two", "three"}, NamesIgnored, false, []string{
			"empty:3: record 2: the file ends after this header; it may be cut short",
			"empty: 2 of 5 records of 2 files have no sequence; the first is record 1, line 1"}, ""},
		{"no target of the name", []string{"two", "differs"}, []string{"byname"}, NamesEqual, true, nil,
			`differs:3: record 2: there is no target of the name "x"`},
	} {
		var got []string
		in := Inputs{Query: tc.query, Target: tc.target, Names: tc.names, ByName: tc.byName, Note: func(err error) { got = append(got, err.Error()) }}
		_, err := readAll(t, in, nil, Limits{Pairs: 2})
		if !slices.Equal(got, tc.notes) || (err == nil) != (tc.err == "") || err != nil && !strings.HasPrefix(err.Error(), tc.err) {
			t.Errorf("%s: noted %q, %v, want %q, %s", tc.name, got, err, tc.notes, tc.err)
		}
	}
}
