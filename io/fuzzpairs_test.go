package seqio

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inStep reads two texts as a query and a target file.
func inStep(t testing.TB, in Inputs, query, target string, lim Limits) ([]pair, error) {
	t.Helper()
	in.Query, in.Target = []string{"query"}, []string{"target"}
	r := &Reader{limits: lim.withDefaults(), in: in}
	for _, file := range []struct{ name, text string }{{"query", query}, {"target", target}} {
		src, err := openSource("-", strings.NewReader(file.text))
		if err != nil {
			t.Fatal(err)
		}
		src.name = file.name
		r.sources = append(r.sources, src)
	}
	r.sized = r.sources
	defer r.Close()
	return drain(t, r, lim)
}

// zip is what inStep has to return, from the records of each file read alone: the
// pairs, and the error, nil at a clean end.
func zip(t testing.TB, check NameCheck, query, target string) (pairs []pair, noted, err string) {
	t.Helper()
	qNames, queries, qErr := fastxRecords(t, query)
	tNames, targets, tErr := fastxRecords(t, target)
	both := min(len(queries), len(targets))
	for i := range both {
		q, x := qNames[i], tNames[i]
		for _, mate := range []string{"/1", "/2"} {
			if rest, ok := strings.CutSuffix(qNames[i], mate); ok && rest != "" {
				q = rest
			}
			if rest, ok := strings.CutSuffix(tNames[i], mate); ok && rest != "" {
				x = rest
			}
		}
		if q != x && check != NamesIgnored && noted == "" {
			noted = fmt.Sprintf("record %d: the name %.80q differs from %.80q", i+1, tNames[i], qNames[i])
			if check == NamesEqual {
				return pairs, "", noted
			}
		}
		pairs = append(pairs, pair{qNames[i], queries[i], tNames[i], targets[i]})
	}
	switch {
	case len(queries) == both && qErr != io.EOF:
		err = strings.Replace(qErr.Error(), "stdin", "query", 1)
	case len(targets) == both && tErr != io.EOF:
		err = strings.Replace(tErr.Error(), "stdin", "target", 1)
	case len(targets) > both:
		err = fmt.Sprintf("query ends after %s, target has more: record %d", count(int64(both), "record"), both+1)
	case len(queries) > both:
		err = fmt.Sprintf("target ends after %s, query has more: record %d", count(int64(both), "record"), both+1)
	}
	return pairs, noted, err
}

// FuzzPairs: two files in step give the records of each, in pairs of any batch, with
// the first name that differs and the first error.
func FuzzPairs(f *testing.F) {
	for _, s := range [][2]string{
		{"", ""}, {">a\nAC\n", ">a\nAC\n"}, {">a/1\nAC\n>b\nA\n", "@a/2\nA\n+\nI\n@c\nA\n+\nI\n"}, {">a\nA\nC\n>b\n", ">a\nA"},
		{">a\nA\n>b\nA1\n", ">a\nA\n>b\nC\n>c\nG\n"}, {">a\nA\n", "@a\nAC\n+\nI\n"}, {"@a\nA\n+\nI\n@b", ">/1\nA\n>b\n"}, {">a\n<C\n", "\x1f\x8b"},
	} {
		for _, check := range []uint8{0, 1, 2} {
			f.Add(s[0], s[1], check, uint8(1), uint8(0))
			f.Add(s[0], s[1], check, uint8(200), uint8(3))
		}
	}
	f.Fuzz(func(t *testing.T, query, target string, check, bases, pairs uint8) {
		var notes []string
		in := Inputs{Names: NameCheck(check % 3), Note: func(note error) {
			if _, ok := note.(*NameError); ok {
				notes = append(notes, note.Error())
			}
		}}
		want, noted, wantErr := zip(t, in.Names, query, target)
		got, err := inStep(t, in, query, target, Limits{Bases: int(bases), Pairs: int(pairs)})
		if !slices.Equal(got, want) || (err == nil) != (wantErr == "") || err != nil && !strings.Contains(err.Error(), wantErr) {
			t.Fatalf("got %q, %v\nwant %q, %s", got, err, want, wantErr)
		}
		if noted == "" && len(notes) > 0 || noted != "" && (len(notes) != 1 || !strings.Contains(notes[0], noted)) {
			t.Fatalf("noted %q, want %q", notes, noted)
		}
	})
}

// FuzzBlocks: a pairs file that is read in blocks of any size gives the pairs and
// the error that it gives when it is read in one go.
func FuzzBlocks(f *testing.F) {
	const good = ">ACGT\n<ACG\n>A\n<\n>\n<GGTTA\n"
	for _, s := range []string{good + good, strings.ReplaceAll(good+good, "\n", "\r\n"), good + "\n\r\n" + good, good + ">A\n>C\n" + good, good + ">A-C\n<ACC\n" + good, good + ">A", good + "\r\r\n" + good} {
		f.Add(s, uint8(3), uint8(9), uint8(2), uint8(1), uint8(4))
		f.Add(s, uint8(11), uint8(40), uint8(5), uint8(4), uint8(100))
	}
	path := filepath.Join(f.TempDir(), "pairs")
	f.Fuzz(func(t *testing.T, text string, size, room, step, tail, pairs uint8) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		lim := Limits{Bases: 1 << 12}
		want, _, wantErr := readShape(t, path, lim, shape{})
		sh := shape{1 + int(size), 1 + int(tail), 2 + int(size) + int(room), 1 + int(step), int(tail), 1 + int(pairs)}
		got, _, err := readShape(t, path, lim, sh)
		if !slices.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("in blocks %+v: %q, %v\nin one go: %q, %v", sh, got, err, want, wantErr)
		}
	})
}

// FuzzDamagedGzip: compressed pairs that are cut, and followed by anything, give
// pairs of the whole text only, and an error unless nothing is missing.
func FuzzDamagedGzip(f *testing.F) {
	const named = 1 << 15 // of cut: the second member has a header with a name
	f.Add(">ACGT\n<ACG\n", ">A\n<C\n", uint16(1000), "")
	f.Add(">ACGT\n<ACG\n", "", uint16(20), "")
	f.Add(">ACGT\n<AC", "G\n", uint16(60), "abc")
	for cut := range 10 {
		f.Add(">A\n<C\n", ">A\n<C\n", uint16(40+4*cut)|named, "")
	}
	f.Add(">A\n<C\n", ">A\n<C\n", uint16(1000), "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
	f.Fuzz(func(t *testing.T, first, second string, cut uint16, tail string) {
		want, wantErr := readAll(t, Inputs{Pairs: []string{"-"}}, strings.NewReader(first+second), Limits{})
		if wantErr != nil {
			t.Skip("not pairs")
		}
		stored := compress(t, first)
		border := len(stored)
		if cut&named == 0 {
			stored += compress(t, second)
		} else {
			var member strings.Builder
			w := gzip.NewWriter(&member)
			w.Name, w.Comment, w.Extra = "second.seq", "a comment", []byte("BC\x02\x00\x1b\x00")
			if _, err := io.WriteString(w, second); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			stored += member.String()
		}
		left := min(int(cut&^named), len(stored))
		got, err := readAll(t, Inputs{Pairs: []string{"-"}}, strings.NewReader(stored[:left]+tail), Limits{})
		switch {
		case left == len(stored) && tail == "":
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%q, %v, want %q", got, err, want)
			}
		case tail == "" && left == border: // as if there were no second member
		case tail == "" && left > 1 && err == nil:
			t.Fatalf("%d of %d bytes are accepted: %q", left, len(stored), got)
		case tail == "" && (len(got) > len(want) || !slices.Equal(got, want[:len(got)])):
			t.Fatalf("%q, %v, which are not pairs of %q", got, err, want)
		}
	})
}
