package seqio

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/shenwei356/bio/seqio/fastx"
)

// FuzzReadSeq: no text panics, batch limits change neither the pairs nor the
// error, and what was read reads back when written plainly.
func FuzzReadSeq(f *testing.F) {
	for _, s := range []string{"", "\n", ">A\n<C\n", ">A\r\n<C", ">\n<\n\n>AC\n<ACG", "<A\n>C\n", ">A\n>C\n", ">r\nACGT\n", ">A1\n<C\n", "\xef\xbb\xbf>A\n<C\n", "\x1f\x8b\x08\x00", ">A\n<C\n>G", packZstd(f, ">A\n<C\n"), packZstd(f, ">AC\n<C\n")[:9]} {
		f.Add(s, uint8(1), uint8(1))
		f.Add(s, uint8(7), uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, bases, pairs uint8) {
		want, wantErr := readAll(t, Inputs{Pairs: []string{"-"}}, strings.NewReader(text), Limits{Bases: 1 << 12})
		lim := Limits{Bases: int(bases), Pairs: int(pairs)}
		got, err := readAll(t, Inputs{Pairs: []string{"-"}}, strings.NewReader(text), lim)
		if !slices.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%+v: %q, %v\nwith wide limits: %q, %v", lim, got, err, want, wantErr)
		}
		var plain strings.Builder
		for _, p := range want {
			fmt.Fprintf(&plain, ">%s\n<%s\n", p.query, p.target)
		}
		back, err := readAll(t, Inputs{Pairs: []string{"-"}}, strings.NewReader(plain.String()), lim)
		if err != nil || !slices.Equal(back, want) {
			t.Fatalf("%q was read back as %q, %v", want, back, err)
		}
	})
}

// fastxRecords reads one FASTA or FASTQ text to its end.
func fastxRecords(t testing.TB, text string) (names, letters []string, err error) {
	return fastxRecordsBy(t, text, (*fastxFile).next)
}

// fastxRecordsBy does so by bio alone, or by both ways.
func fastxRecordsBy(t testing.TB, text string, next func(*fastxFile) (record, error)) (names, letters []string, err error) {
	s, err := openSource("-", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.start(); err != nil {
		return nil, nil, err
	}
	defer s.closePacked()
	f, err := openFastx(s)
	if err != nil {
		return nil, nil, err
	}
	defer f.close()
	for {
		r, err := next(f)
		if err != nil {
			return names, letters, err
		}
		names, letters = append(names, string(r.name)), append(letters, string(r.letters))
	}
}

// fromBioAlone leaves nothing to the framer, not even files without a record,
// which bio does not bear.
func fromBioAlone(f *fastxFile) (record, error) {
	if f.framer.record == 0 {
		return record{}, io.EOF
	}
	return f.fromBio()
}

// FuzzFastx: no text panics or makes bio disagree with the framer, records are
// the same with as without it, and what was read reads back when written plainly,
// as FASTA and as FASTQ.
func FuzzFastx(f *testing.F) {
	for _, s := range []string{"", "\n\n", ">a\nACGT\n", ">a", ">a\r\nAC\r\nGT", "@a\nAC\n+\nII\n", "@a\nAC\n+\n@I\n@b\nA\n+\n@", "@a\nA\nC\n+\n@\n@\n",
		"@a\nACG\nT\n+\n@b\nC\n", "@a\nAC\n+\nI", "@a\nACGT", "@a\n\n+\n\n@b\n+\n", ">\nA\n", "> a\nA\n", ">a\n>b\n>c\nA", "\n\r\n>a\nA\n\n\n>b", ">a\n<C\n", "\x1f\x8b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names, letters, err := fastxRecords(t, text)
		if err != nil && strings.Contains(err.Error(), "bio/fastx") {
			t.Fatal(err)
		}
		bioNames, bioLetters, bioErr := fastxRecordsBy(t, text, fromBioAlone)
		if !slices.Equal(bioNames, names) || !slices.Equal(bioLetters, letters) || fmt.Sprint(bioErr) != fmt.Sprint(err) {
			t.Fatalf("%q %q, %v\nby bio: %q %q, %v", names, letters, err, bioNames, bioLetters, bioErr)
		}
		var fasta, fastq strings.Builder
		for i, l := range letters {
			if badLetter([]byte(l)) >= 0 || len(firstWord([]byte(names[i]))) == 0 {
				t.Fatalf("accepted record %q %q", names[i], l)
			}
			fmt.Fprintf(&fasta, ">%s\n%s\n", names[i], l)
			fmt.Fprintf(&fastq, "@%s\n%s\n+\n%s\n", names[i], l, strings.Repeat("@", len(l)))
		}
		for _, plain := range []string{fasta.String(), fastq.String()} {
			n, l, err := fastxRecords(t, plain)
			if fmt.Sprint(err) != "EOF" || !slices.Equal(n, names) || !slices.Equal(l, letters) {
				t.Fatalf("%q %q were read back as %q %q, %v", names, letters, n, l, err)
			}
		}
	})
}

// TestBioStillNeedsTheFramer keeps the reasons for the framer on record. When a
// new version of bio reports one of these, its entry can go.
func TestBioStillNeedsTheFramer(t *testing.T) {
	for _, text := range []string{
		"@a\nACGT\n+\nII\n@b\n@c\nA\n+\nI\n", // a quality line filled up with a header
		"@a\nACG",                            // cut within the sequence
		"@a",                                 // cut within the header
	} {
		r, err := fastx.NewReaderFromIO(nil, bytes.NewReader([]byte(text)), bioNames)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Read(); err != nil {
			t.Errorf("%q: bio reports %v", text, err)
		}
		r.Close()
		if _, _, err := fastxRecords(t, text); err == nil || err.Error() == "EOF" {
			t.Errorf("%q is accepted", text)
		}
	}
}
