package seqio

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
)

// files writes texts to files and returns their names.
func files(t testing.TB, texts ...string) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i, text := range texts {
		paths = append(paths, filepath.Join(dir, fmt.Sprint("file", i+1)))
		writeText(t, paths[i], text)
	}
	return paths
}

// Several files are read as one, whatever the batches.
func TestSeveralFiles(t *testing.T) {
	text := seqText(3000)
	cut := strings.Index(text[len(text)/3:], ">") + len(text)/3
	want, err := readFiles(t, Limits{}, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, lim := range []Limits{{}, {Bases: 300}, {Pairs: 7}, {Bases: minBlockRoom}} {
		got, err := readAll(t, Inputs{Pairs: files(t, text[:cut], "", compress(t, text[cut:]), "\n\n")}, nil, lim)
		equalPairs(t, fmt.Sprint(lim), got, want)
		if err != nil {
			t.Error(err)
		}
	}
	in := Inputs{Query: files(t, ">a\nA\n>b\nC", "", "@c\nGG\n+\nII\n"), Target: files(t, ">a\nAA\n", ">b\nCC\n>c\nG\n")}
	for _, lim := range []Limits{{}, {Pairs: 1}} {
		got, err := readAll(t, in, nil, lim)
		equalPairs(t, "FASTA and FASTQ", got, []pair{{"a", "A", "a", "AA"}, {"b", "C", "b", "CC"}, {"c", "GG", "c", "G"}})
		if err != nil {
			t.Error(err)
		}
	}
	// Only the query with quality values has some.
	in.Qualities = true
	placed, _, err := readPlaced(t, in, nil, Limits{})
	if err != nil || len(placed) != 3 || placed[0].qualities != "" || placed[2].qualities != "II" {
		t.Errorf("qualities: %+v, %v", placed, err)
	}
}

// Faults in one of several files name it, and what is before them is delivered.
func TestSeveralFilesErrors(t *testing.T) {
	for _, tc := range []struct {
		in    Inputs
		pairs int
		want  string
	}{
		{Inputs{Pairs: files(t, ">A\n<C\n", ">A\n<C\n>A\n")}, 2, "file2:3: record 2: the file ends after a line >QUERY"},
		{Inputs{Pairs: files(t, ">A\n<C\n>A\n", "<C\n")}, 1, "file1:3: record 2: the file ends after a line >QUERY"},
		{Inputs{Query: files(t, ">a\nA\n", ">b\nA1\n"), Target: files(t, ">a\nA\n>b\nA\n")}, 1, "file2:2: record 1: sequence line position 2"},
		{Inputs{Query: files(t, ">a\nA\n", "BAM\x01"), Target: files(t, ">a\nA\n>b\nA\n")}, 1, "file2:1: record 1: found BAM"},
		{Inputs{Query: files(t, ">a\nA\n", ">b\nA\n"), Target: files(t, ">a\nA\n")}, 1, "file1 ends after 1 record, "},
	} {
		for _, lim := range []Limits{{}, {Pairs: 1}} {
			got, err := readAll(t, tc.in, nil, lim)
			if len(got) != tc.pairs || err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v: %d pairs and %v, want %d and %s", tc.in, len(got), err, tc.pairs, tc.want)
			}
		}
	}
}

func TestInterleaved(t *testing.T) {
	in := Inputs{Interleaved: true, Query: files(t, ">a/1\nA\n>a/2\nAA\n>b\nC\n", "@b\nCC\n+\nII\n"), Names: NamesEqual, Qualities: true}
	want := []pair{{"a/1", "A", "a/2", "AA"}, {"b", "C", "b", "CC"}}
	for _, lim := range []Limits{{}, {Pairs: 1}, {Bases: 1}} {
		got, err := readAll(t, in, nil, lim)
		equalPairs(t, fmt.Sprint(lim), got, want)
		if err != nil {
			t.Error(err)
		}
	}
	// A query's values stay when its target is the first of another block.
	long := strings.Repeat("ACGT", blockText/12)
	in.Query = files(t, strings.Repeat(fmt.Sprintf("@r\n%s\n+\n%s\n", long, strings.Repeat("I", len(long))), 10))
	placed, _, err := readPlaced(t, in, nil, Limits{Pairs: 2})
	if err != nil || len(placed) != 5 {
		t.Fatal(len(placed), err)
	}
	for _, p := range placed {
		if p.query != long || p.target != long || len(p.qualities) != len(long) {
			t.Fatal("a pair is damaged")
		}
	}
	for text, want := range map[string]string{
		">a\nA\n>a\nC\n>b\nG\n": "file1:5: record 3: the input ends after a query: its target is missing",
		">a\nA\n>b\nC\n":        `file1:3: record 2: the name "b" differs from "a" in `,
		">a\nA\n>a\nC1\n":       "file1:4: record 2: sequence line position 2",
	} {
		in.Query = files(t, text)
		if _, err := readAll(t, in, nil, Limits{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Targets are found by name whatever their order, and pairs are in the order of the
// queries.
func TestByName(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	var queries, targets []record
	var want []pair
	for i := range 3000 {
		name := fmt.Appendf(nil, "%d.read", i)
		q, x := []byte(strings.Repeat("A", i%50)), []byte(strings.Repeat("C", i%70))
		queries = append(queries, record{name: name, letters: q, qualities: q})
		targets = append(targets, record{name: name, letters: x, qualities: x})
		want = append(want, pair{string(name), string(q), string(name), string(x)})
	}
	rng.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	half := len(targets) / 2
	query := fastq(queries, "\n")
	for name, texts := range map[string][]string{
		"FASTA":             {fasta(targets, 30, "\n")},
		"FASTQ":             {fastq(targets, "\r\n")},
		"gzip and bgzip":    {compress(t, fasta(targets[:half], 30, "\n")), bgzip(t, fastq(targets[half:], "\n"))},
		"a last line short": {strings.TrimSuffix(fasta(targets, 100, "\n"), "\n")},
	} {
		in := Inputs{ByName: true, Query: files(t, query), Target: files(t, texts...), Names: NamesEqual}
		got, err := readAll(t, in, nil, Limits{Bases: 1000})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d pairs, %v", name, len(got), err)
		}
		if len(texts) == 1 {
			in.Target = []string{"-"}
			got, err := readAll(t, in, strings.NewReader(texts[0]), Limits{})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s from standard input: %d pairs, %v", name, len(got), err)
			}
		}
	}
	in := Inputs{ByName: true, Query: []string{"-"}, Target: files(t, fasta(targets, 60, "\n")), Names: NamesEqual}
	got, err := readAll(t, in, strings.NewReader(query), Limits{})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("queries from standard input: %d pairs, %v", len(got), err)
	}
}

// Records without a counterpart are counted, or are an error; names that are there twice
// are one always.
func TestByNameErrors(t *testing.T) {
	for _, tc := range []struct {
		query, target string
		names         NameCheck
		pairs         int
		notes         string
		err           string
	}{
		{">a\nA\n>x\nC\n>b\nG\n>y\nC\n", ">b\nG\n>a\nA\n>z\nG\n", NamesNoted, 2,
			`2 of 4 queries without a target: the first is file1:3: record 2: there is no target of the name "x"; 1 of 3 targets without a query: the first is "z", record 3 of file1`, ""},
		{">x\nC\n>a\nA\n", ">a\nA\n>z\nG\n", NamesIgnored, 1, "", ""},
		{">a\nA\n>x\nC\n", ">a\nA\n", NamesEqual, 1, "", `file1:3: record 2: there is no target of the name "x"`},
		{">a\nA\n", ">z\nA\n>a\nA\n", NamesEqual, 1, "", `1 of 2 targets without a query: the first is "z", record 1 of file1`},
		{">a\nA\n>b\nC\n", ">b\nG\n>a\nA\n>b\nC\n", NamesIgnored, 1, "", `file1:3: record 2: the target "b": two records have that name: record 1 of file1, and record 3 of file1`},
		{">a\nA\n>a\nC\n", ">a\nA\n", NamesIgnored, 1, "", `file1:3: record 2: the name "a": its target, record 1 of file1, is that of an earlier query`},
		{">a\nA\n", ">a\nA\n>b\nA-\n", NamesIgnored, 0, "", `file1:4: record 2: sequence line position 2`},
		{"", "", NamesEqual, 0, "", ""},
	} {
		in := Inputs{ByName: true, Query: files(t, tc.query), Target: files(t, tc.target), Names: tc.names}
		got, notes, err := readPlaced(t, in, nil, Limits{})
		clean := strings.NewReplacer(filepath.Dir(in.Query[0])+"/", "", filepath.Dir(in.Target[0])+"/", "")
		if said := clean.Replace(strings.Join(notes, "; ")); len(got) != tc.pairs || said != tc.notes {
			t.Errorf("%q, %q: %d pairs and notes %s; want %d and %s", tc.query, tc.target, len(got), said, tc.pairs, tc.notes)
		}
		if text := fmt.Sprint(err); tc.err == "" && err != nil || tc.err != "" && !strings.Contains(clean.Replace(text), tc.err) {
			t.Errorf("%q, %q: %v, want %s", tc.query, tc.target, err, tc.err)
		}
	}
}

func TestFirstNumber(t *testing.T) {
	r, err := Open(Inputs{Pairs: []string{"-"}, FirstNumber: 41}, strings.NewReader(">A\n<A\n>A\n<A\n>A\n<A\n"), Limits{Pairs: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b align.Batch
	for _, want := range []int64{41, 43} {
		if err := r.ReadBatch(&b); err != nil || b.First != want {
			t.Errorf("First is %d, %v; want %d", b.First, err, want)
		}
	}
	if err := r.ReadBatch(&b); err != io.EOF {
		t.Error(err)
	}
}
