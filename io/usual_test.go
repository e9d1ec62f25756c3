package seqio

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// oddText makes a text of records most of which are usual, and others odd in one of many ways; some
// are faults.
func oddText(rng *rand.Rand, fasta bool) string {
	var text strings.Builder
	odd := rng.IntN(4) > 0
	for i := range rng.IntN(40) {
		n := rng.IntN(70)
		letters, values := strings.Repeat("ACGTNacgtn", 7)[:n], strings.Repeat("I!~@+#5", 10)[:n]
		name, end, plus := fmt.Sprintf("r%d", i), "\n", "+"
		kind := -1
		if odd && rng.IntN(8) == 0 {
			kind = rng.IntN(14)
		}
		switch kind {
		case 0:
			end = "\r\n"
		case 1:
			name += " a\tb"
		case 2:
			name = " " + name
		case 3:
			plus += name
		case 4:
			text.WriteString("\n\r\n")
		case 5:
			letters = letters[:n/2] + "\n" + letters[n/2:]
		case 6:
			values = values[:n/2] + "\n" + values[n/2:]
		case 7:
			letters += "A"
		case 8:
			values += "\n"
		case 9:
			letters = letters[:n/2] + "-" + letters[n/2:]
			values += "I"
		case 10:
			name = ""
		case 11:
			name += "\x00"
		case 12:
			name += "\rx"
		case 13:
			letters = "\n" + letters
		}
		if fasta {
			fmt.Fprintf(&text, ">%s%s%s%s", name, end, letters, end)
		} else {
			fmt.Fprintf(&text, "@%s%s%s%s%s%s%s%s", name, end, letters, end, plus, end, values, end)
		}
	}
	s := text.String()
	if odd && rng.IntN(3) == 0 {
		s = s[:rng.IntN(len(s)+1)]
	}
	return s
}

// TestUsualRecords: what is taken apart at once is a record of the format, with the same parts.
func TestUsualRecords(t *testing.T) {
	usual := 0
	for seed := range uint64(1000) {
		text := []byte(oddText(rand.New(rand.NewPCG(seed, 1)), false))
		for at := range text {
			if at > 0 && text[at-1] != '\n' {
				continue
			}
			data := text[at:]
			f := &framer{buf: data}
			if !f.takeUsual(data) {
				continue
			}
			usual++
			n, lines, bad := frameFastq(data, true)
			if bad != nil || n != f.framed || lines != f.lines || f.line != 4 || f.record != 1 {
				t.Fatalf("%q: %d bytes, %d lines; want %d, %d, %v", data, f.framed, f.lines, n, lines, bad)
			}
			want, _ := cutRecord(data[:n], nil)
			if p := f.parts; string(p.name) != string(want.name) || string(p.letters) != string(want.letters) || !bytes.Equal(p.qualities, want.qualities) {
				t.Fatalf("%q: %q, want %q", data, p, want)
			}
		}
	}
	if usual < 10_000 {
		t.Errorf("%d records are usual", usual)
	}
}

// TestTargetsOfMappedText: the targets of a plain file, which is mapped, are those of the same text
// that is not.
func TestTargetsOfMappedText(t *testing.T) {
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "plain"), filepath.Join(dir, "packed")
	list := func(path string) (all []string) {
		_, err := fileTargets(path, &targetGroup{visit: eachTarget(func(t Target) error {
			all = append(all, fmt.Sprintf("%s %s %d", t.Name, t.Letters, t.Length))
			if string(t.Name) == "r30" {
				return fmt.Errorf("r30")
			}
			return nil
		})})
		if err != nil {
			message := strings.ReplaceAll(err.Error(), path, "f")
			all = append(all, message)
		}
		return all
	}
	targets, errors := 0, 0
	for seed := range uint64(300) {
		text := oddText(rand.New(rand.NewPCG(seed, 2)), seed%2 == 0)
		writeText(t, plain, text)
		writeText(t, packed, compress(t, text))
		got, want := list(plain), list(packed)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %q\ngot  %q\nwant %q", seed, text, got, want)
		}
		targets += len(want)
		if len(want) > 0 && strings.HasPrefix(want[len(want)-1], "f:") {
			errors++
		}
	}
	if targets < 3000 || errors < 15 {
		t.Errorf("%d targets, %d errors", targets, errors)
	}
}
