package seqio

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// visitTargets collects the targets in a line each.
func visitTargets(list *[]string) TargetVisitor {
	return eachTarget(func(t Target) error {
		if t.Letters != nil && len(t.Letters) != t.Length {
			return errors.New("letters and length differ")
		}
		if t.Name == nil {
			*list = append(*list, fmt.Sprintf("#%d %d", t.Ordinal, t.Length))
		} else {
			*list = append(*list, fmt.Sprintf("%s %d", t.Name, t.Length))
		}
		return nil
	})
}

// eachTarget visits the targets of a group one by one.
func eachTarget(visit func(Target) error) TargetVisitor {
	return func(group []Target) (int, error) {
		for i, t := range group {
			if err := visit(t); err != nil {
				return i, err
			}
		}
		return len(group), nil
	}
}

// TestTargetsOf: the targets of all pairs before a fault, which is none of this function.
func TestTargetsOf(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, tc := range []struct {
		text  string
		pairs bool
		want  string
	}{
		{">a x\nAC\nGT\n>b\n>c\nA", false, "a 4, b 0, c 1"},
		{compress(t, ">a x\nAC\n", ">b\nA\n"), false, "a 2, b 1"},
		{"@a\nACG\n+\nIII\n@b\nA\n+\n@\n", false, "a 3, b 1"},
		{">a\nAC\n>b\nA-\n>c\nA\n", false, "a 2"},
		{"nothing\n", false, ""},
		{"", false, ""},
		{">ACGT\n<ACG\n>\n<\n>A\n<AC", true, "#1 3, #2 0, #3 2"},
		{">ACGT\n<ACG\n>A-\n<A\n>A\n<AC", true, "#1 3"},
		{"", true, ""},
	} {
		writeText(t, path, tc.text)
		for _, shard := range []Shard{{}, {2, 3}} {
			in := Inputs{Query: []string{"missing"}, Target: []string{path}, Shard: shard}
			if tc.pairs {
				in = Inputs{Pairs: []string{path}, Shard: shard}
			}
			var got []string
			if err := TargetsOf(in, visitTargets(&got)); err != nil || strings.Join(got, ", ") != tc.want {
				t.Errorf("%q: %q, %v; want %q", tc.text, got, err, tc.want)
			}
		}
	}
	// Queries and targets in turn, also from one file to the next.
	other := filepath.Join(dir, "g")
	for _, tc := range []struct{ first, second, want string }{
		{">a\nAC\n>b\nA\n>c\nACG\n", ">d\nACGT\n>e\nA\n>f\n", "b 1, d 4, f 0"},
		{"@a\nAC\n+\nII\n@b\nA\n+\nI\n", "@c\nAC\nG\n+\nIII\n@d\nACGT\n+\nIIII", "b 1, d 4"},
		{">a\nAC\n>b\nA\n>c\nA-G\n", ">d\nACGT\n>e\nA\n", "b 1"},
		{"", ">a\nAC\n>b\nA\n>c\nAC\n", "b 1"},
	} {
		writeText(t, path, tc.first)
		writeText(t, other, tc.second)
		var got []string
		in := Inputs{Query: []string{path, other}, Interleaved: true}
		if err := TargetsOf(in, visitTargets(&got)); err != nil || strings.Join(got, ", ") != tc.want {
			t.Errorf("%q, %q in turn: %q, %v; want %q", tc.first, tc.second, got, err, tc.want)
		}
	}
	// Blocks of a large file, in order.
	var text strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&text, ">ACGTACGTAC\n<%s\n", strings.Repeat("A", i%50))
	}
	writeText(t, path, text.String())
	n := int64(0)
	err := TargetsOf(Inputs{Pairs: []string{path}}, eachTarget(func(target Target) error {
		if target.Ordinal != n+1 || target.Length != int(n%50) {
			return fmt.Errorf("target %d is %+v", n+1, target)
		}
		n++
		return nil
	}))
	if err != nil || n != 200_000 {
		t.Errorf("%d targets, %v", n, err)
	}
}

func TestTargetsEnd(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, in := range []Inputs{{Pairs: []string{"-"}}, {Query: []string{path}, Target: []string{"-"}}} {
		if err := TargetsOf(in, nil); err != ErrTargetPipe {
			t.Errorf("%+v: %v", in, err)
		}
	}
	enough := errors.New("enough")
	stop := eachTarget(func(Target) error { return enough })
	writeText(t, path, ">A\n<A\n>A\n<A\n")
	if err := TargetsOf(Inputs{Pairs: []string{path}}, stop); !errors.Is(err, enough) || !strings.Contains(err.Error(), "f:1: record 1: ") {
		t.Errorf("pairs: %v", err)
	}
	writeText(t, path, ">a\nA\n")
	if err := TargetsOf(Inputs{Query: []string{path}, Target: []string{path}}, stop); !errors.Is(err, enough) {
		t.Errorf("FASTA: %v", err)
	}
}

func TestListedTargets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, tc := range []struct{ text, want, err string }{
		{">a x\nAC\nGT\n>b\n", "a 4, b 0", ""},
		{"a\t4\t3\t2\t3\nb\t0\t10\t0\t0\n", "a 4, b 0", ""},
		{"a\t4\r\n\r\nb\t70000000000", "a 4, b 70000000000", ""},
		{"@HD\tVN:1.6\n@SQ\tSN:a\tLN:4\n@RG\tID:x\n@SQ\tM5:1\tLN:5\tSN:b c\n", "a 4, b c 5", ""},
		{compress(t, "a\t4\n"), "a 4", ""},
		{"", "", ""},
		{"a\t4\nb\tx\n", "a 4", "f:2: record 2: want the name and the length"},
		{"a\t4\nb\t-1\n", "a 4", "f:2: record 2: want the name and the length"},
		{"a\t4\n" + strings.Repeat("b", 2<<20) + "\t1\n", "a 4", "f:2: record 2: the line has more than 1 MB"},
		{"a 4\n", "", "f:1: record 1: want the name and the length"},
		{"\t4\n", "", "f:1: record 1: want the name and the length"},
		{"@SQ\tSN:a\n", "", "f:1: record 1: want the name and the length"},
		{"@read\nACGT\n+\nIIII\n", "", "f:1: record 1: want the name and the length"},
		{">a\nA-\n", "", "f:2: record 1: sequence line position 2"},
	} {
		writeText(t, path, tc.text)
		var got []string
		err := ListedTargets(path, visitTargets(&got))
		if strings.Join(got, ", ") != tc.want || (err == nil) != (tc.err == "") || !strings.HasPrefix(message(t, err), tc.err) {
			t.Errorf("%.80q: %q, %v; want %q, %q", tc.text, got, err, tc.want, tc.err)
		}
	}
	if err := ListedTargets("-", nil); err == nil {
		t.Error("standard input is listed")
	}
}
