package whole

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testBlock has n pairs whose records and results name it.
func testBlock(name string, n int) *block {
	b := &block{name: name, squares: float64(n)}
	for i := range n {
		b.records = append(b.records, fmt.Appendf(nil, ">%s%d\n<%s\n", name, i, strings.Repeat("T", i)))
		b.want = append(b.want, fmt.Appendf(nil, "%d\t%s%d", 10+i, name, i))
	}
	return b
}

func order(in input) string {
	var all []string
	for i := range in.pairs {
		b, j := in.at(i)
		all = append(all, fmt.Sprint(b.name, j))
	}
	return strings.Join(all, " ")
}

func TestOrder(t *testing.T) {
	a, b := repeat(testBlock("a", 3), 5), repeat(testBlock("b", 2), 2)
	for _, c := range []struct {
		in   input
		want string
	}{
		{a, "a0 a1 a2 a0 a1"},
		{concat(b, a, b), "b0 b1 a0 a1 a2 a0 a1 b0 b1"},
		{interleave(a, b), "a0 b0 a1 a2 a0 b1 a1"},
		{interleave(b), "b0 b1"},
	} {
		if got := order(c.in); got != c.want {
			t.Errorf("order %s, want %s", got, c.want)
		}
	}
	if got := concat(a, b).squares(); got != 5+2 {
		t.Errorf("squares %v, want 7", got)
	}
}

// The pieces of a file are those of its pairs, one after the other.
func TestWrite(t *testing.T) {
	in := interleave(repeat(testBlock("a", 7), 1000), repeat(testBlock("b", 40), 333))
	file := filepath.Join(t.TempDir(), "in.seq")
	if err := in.write(file); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for i := range in.pairs {
		b, j := in.at(i)
		want.Write(b.records[j])
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() || in.bytes() != int64(len(got)) {
		t.Errorf("%d bytes that differ from the %d wanted; bytes() is %d", len(got), want.Len(), in.bytes())
	}
}

// output is what the program should print.
func output(in input, scoreOnly bool) string {
	var all strings.Builder
	for i := range in.pairs {
		b, j := in.at(i)
		result := string(b.want[j])
		if scoreOnly {
			result, _, _ = strings.Cut(result, "\t")
		}
		fmt.Fprintf(&all, "%d\t%d\t%s\n", i+1, i+1, result)
	}
	return all.String()
}

func TestVerify(t *testing.T) {
	in := interleave(repeat(testBlock("a", 3), 50), repeat(testBlock("b", 2), 20))
	good := output(in, false)
	lines := strings.SplitAfter(good, "\n")
	change := func(n int, old, new string) string {
		changed := append([]string{}, lines...)
		changed[n-1] = strings.Replace(lines[n-1], old, new, 1)
		if changed[n-1] == lines[n-1] {
			t.Fatalf("line %q has no %q", lines[n-1], old)
		}
		return strings.Join(changed, "")
	}
	b, j := in.at(29)
	cigar := fmt.Sprint(b.name, j)
	for _, c := range []struct {
		name, text string
		scoreOnly  bool
		want       string // the error
	}{
		{"good", good, false, ""},
		{"scores", output(in, true), true, ""},
		{"a CIGAR", change(30, cigar+"\n", "x\n"), false, "1 of 70 lines differ from the CPU engine's, 0 of them in the score; the first is line 30"},
		{"a score", change(70, "\t1", "\t2"), false, "1 of 70 lines differ from the CPU engine's, 1 of them in the score; the first is line 70"},
		{"a name", change(1, "1\t1\t", "1\t2\t"), false, "1 of 70 lines differ from the CPU engine's, 1 of them in the score; the first is line 1"},
		{"one too few", strings.Join(lines[:69], ""), false, "69 lines for 70 pairs"},
		{"one too many", good + "71\t71\t1\tx\n", false, "71 lines for 70 pairs"},
		{"scores for CIGARs", output(in, true), false, "70 of 70 lines differ from the CPU engine's, 0 of them in the score; the first is line 1"},
		{"no last newline", strings.TrimSuffix(good, "\n"), false, "line 70: EOF"},
		{"empty", "", false, "0 lines for 70 pairs"},
	} {
		file := filepath.Join(t.TempDir(), "out.tsv")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := in.verify(file, c.scoreOnly); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: error %q, want %q", c.name, got, c.want)
		}
		if c.scoreOnly {
			continue
		}
		// An output that was cut short may have fewer lines, but whole ones.
		n, err := wholeLines(file, in)
		if short := c.want == "" || strings.HasPrefix(c.name, "one too few") || c.name == "empty"; (err == nil) != short {
			t.Errorf("%s: whole lines %d, error %v", c.name, n, err)
		}
		other := filepath.Join(t.TempDir(), "good.tsv")
		if err := os.WriteFile(other, []byte(good), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := sameFiles(file, other); (err == nil) != (c.text == good) {
			t.Errorf("%s: the same file: %v", c.name, err)
		}
	}
}
