package seqio

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"wfagpu/align"
)

// readQualities reads a FASTQ text as queries, as many FASTA targets with them, in batches of
// few pairs, and returns name, letters and qualities of every query.
func readQualities(t *testing.T, text string, records int) ([]string, error) {
	t.Helper()
	dir := t.TempDir()
	query, target := dir+"/q", dir+"/t"
	writeText(t, query, text)
	writeText(t, target, strings.Repeat(">t\nACGT\n", records))
	r, err := Open(Inputs{Query: []string{query}, Target: []string{target}, Qualities: true}, nil, Limits{Pairs: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []string
	for {
		var b align.Batch
		err := r.ReadBatch(&b)
		for i := range b.Pairs {
			p := &b.Pairs[i]
			if len(b.Origins) == 0 {
				got = append(got, fmt.Sprintf("%s %s", p.PatternName, p.Pattern))
				continue
			}
			o := b.Origins[i]
			if o.QueryLength != len(p.Pattern) || o.TargetLength != 4 || o.MapQ != align.UnknownMapQ || o.Qualities == nil {
				t.Errorf("the origin of %s is %+v", p.PatternName, o)
			}
			got = append(got, fmt.Sprintf("%s %s %s", p.PatternName, p.Pattern, o.Qualities))
		}
		if err == io.EOF {
			return got, nil
		}
		if err != nil {
			return got, err
		}
	}
}

// TestQualities: they are those of the file, whatever the lines look like; '@' and '+' at the
// start of a line are values as others are.
func TestQualities(t *testing.T) {
	long := strings.Repeat("ACGTTGCA", 40_000) // longer than the buffers
	values := strings.Repeat("@I+5@@#~", 40_000)
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"plain":       {"@a x\nACG\n+\nI!~\n@b\nAC\n+b\n@@\n", []string{"a ACG I!~", "b AC @@"}},
		"no last end": {"@a\nACG\n+\n@+>", []string{"a ACG @+>"}},
		"CRLF":        {"@a\r\nACG\r\n+\r\n@AB\r\n@b\r\nA\r\n+\r\n+\r\n", []string{"a ACG @AB", "b A +"}},
		"wrapped":     {"@a\nAC\nGT\n+\n@I\n@#\n@b\nA\n+\n@\n@c\nACG\nT\n+\n+\n@@\n5\n", []string{"a ACGT @I@#", "b A @", "c ACGT +@@5"}},
		"wrapped late": {"@a\nAC\n+\n@I\n@b\nA\nC\n+\n@\n@\n@c\nA\n+\n@\n",
			[]string{"a AC @I", "b AC @@", "c A @"}},
		"empty":      {"@a\n\n+\n\n@b\n+\n@c\nA\n+\n@\n@d\n\n+\n\n@e\n\n+\n\n", []string{"a  ", "b  ", "c A @", "d  ", "e  "}},
		"only empty": {"@a\n\n+\n\n", []string{"a  "}},
		"FASTA":      {">a\nACG\n>b\nA\n", []string{"a ACG", "b A"}},
		"long":       {"@a\n" + long + "\n+\n" + values + "\n@b\nA\n+\n@\n", []string{"a " + long + " " + values, "b A @"}},
	} {
		got, err := readQualities(t, tc.text, len(tc.want))
		if err != nil || strings.Join(got, "\n") != strings.Join(tc.want, "\n") {
			t.Errorf("%s: got %.200q, %v\nwant %.200q", name, got, err, tc.want)
		}
	}
}

// TestQualitiesOfManyRecords: batches that move in memory keep them.
func TestQualitiesOfManyRecords(t *testing.T) {
	var text strings.Builder
	var want []string
	for i := range 5000 {
		n := i % 97
		letters, values := strings.Repeat("ACGT", 25)[:n], strings.Repeat("@AZ!", 25)[:n]
		fmt.Fprintf(&text, "@r%d\n%s\n+\n%s\n", i, letters, values)
		want = append(want, fmt.Sprintf("r%d %s %s", i, letters, values))
	}
	got, err := readQualities(t, text.String(), 5000)
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%d of %d records, %v, or other values", len(got), len(want), err)
	}
}

func TestQualitiesOutOfRange(t *testing.T) {
	for text, want := range map[string]string{
		"@a\nAC\n+\nII\n@b\nACG\n+\nI\x80I\n":    "q:8: record 2: quality value 2: byte 0x80 is outside '!' to '~'",
		"@a\nAC\nG\n+\nII\nI\n@b\nACG\n+\nII \n": "q:7: record 2: quality value 3: byte 0x20 is outside '!' to '~'",
	} {
		got, err := readQualities(t, text, 2)
		if len(got) != 1 || err == nil || message(t, err) != want {
			t.Errorf("%q: %q, %v; want one record and %q", text, got, message(t, err), want)
		}
	}
}

// TestQualitiesOfWrappedRecords: lines of values that start with '@', wherever the buffers end.
func TestQualitiesOfWrappedRecords(t *testing.T) {
	var text strings.Builder
	var want []string
	for i := range 6000 {
		lines := 2 + i%5
		fmt.Fprintf(&text, "@r%d\n%s+\n%s", i, strings.Repeat("ACGTACG\n", lines), strings.Repeat("@I@@+!~\n", lines))
		want = append(want, fmt.Sprintf("r%d %s %s", i, strings.Repeat("ACGTACG", lines), strings.Repeat("@I@@+!~", lines)))
	}
	got, err := readQualities(t, text.String(), len(want))
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%d of %d records, %v, or other values", len(got), len(want), err)
	}
}

// TestHiddenHeaders: of a record, bio sees one line that starts with '@'.
func TestHiddenHeaders(t *testing.T) {
	for text, want := range map[string]string{
		"@a\nACG\n+\n@@I\n":                  "@a\nACG\n+\nA@I\n",
		"@a\r\nAC\r\nG\r\n+@\r\n@I\r\n@\r\n": "@a\r\nAC\r\nG\r\n+@\r\nAI\r\nA\r\n",
		"@a\nAC\n+\n\n@\nI\n":                "@a\nAC\n+\n\nA\nI\n",
		"@a\n\n+\n":                          "@a\n\n+\n",
		"@a\n+\n":                            "@a\n+\n",
	} {
		record := []byte(text)
		hideHeaders(record)
		if string(record) != want {
			t.Errorf("%q: %q, want %q", text, record, want)
		}
	}
	src, err := openSource("-", strings.NewReader("@a\nAC\nG\n+\n@@\n@\n@b\nA\n+\n@\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := src.start(); err != nil {
		t.Fatal(err)
	}
	f, err := openFastx(src)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if _, err := f.fromBio(); err != nil {
		t.Fatal(err)
	}
	if got := string(f.framer.buf); got != "@a\nAC\nG\n+\nA@\nA\n@b\nA\n+\nA\n" {
		t.Errorf("bio reads %q", got)
	}
}

// TestBadQuality: every byte at every place of values of all lengths around those of words.
func TestBadQuality(t *testing.T) {
	for n := range 75 {
		s := []byte(strings.Repeat("!~I#", 20)[:n])
		if got := badQuality(s); got != -1 {
			t.Fatalf("%q: %d", s, got)
		}
		for i := range s {
			keep := s[i]
			for b := range 256 {
				want := -1
				if b < '!' || b > '~' {
					want = i
				}
				if s[i] = byte(b); badQuality(s) != want {
					t.Fatalf("%q: %d, want %d", s, badQuality(s), want)
				}
			}
			s[i] = keep
		}
	}
	s := []byte(strings.Repeat("I", 70))
	for i := range s[1:] {
		s[i], s[i+1] = 0xff, 0x80 // what one does to the next one must not hide it
		if got := badQuality(s); got != i {
			t.Fatalf("two at %d: %d", i, got)
		}
		s[i] = 'I'
	}
}
