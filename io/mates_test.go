package seqio

import (
	"fmt"
	"strings"
	"testing"
)

// Mates in two files, or in turn in one, are told apart by the names of their hits.
func TestHitsOfMates(t *testing.T) {
	const n = 2000
	file := func(suffix string, mate int) string {
		var b strings.Builder
		for i := range n {
			if mate == 0 || mate == 1 {
				fmt.Fprintf(&b, "@m%d%s\nAAAC\n+\nIIII\n", i, strings.ReplaceAll(suffix, "k", "1"))
			}
			if mate == 0 || mate == 2 {
				fmt.Fprintf(&b, "@m%d%s\nGGGC\n+\nIIII\n", i, strings.ReplaceAll(suffix, "k", "2"))
			}
		}
		return b.String()
	}
	hits := func(suffix string) string {
		var b strings.Builder
		for i := range n {
			for k := 1; k <= 2; k++ {
				if (i+k)%5 > 0 { // some mates have none
					fmt.Fprintf(&b, "m%d%s\t4\t0\t4\t+\tc\t4\t0\t4\t4\t4\t60\n", i, strings.ReplaceAll(suffix, "k", fmt.Sprint(k)))
				}
			}
		}
		return b.String()
	}
	reverse := func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		var b strings.Builder
		for i := len(lines) - 1; i >= 0; i-- {
			b.WriteString(lines[i])
		}
		return b.String()
	}
	for _, names := range [][2]string{{"/k", "/k"}, {"", "/k"}, {"/k", "/k/k"}} {
		for _, queries := range [][]string{{file(names[0], 1), file(names[0], 2)}, {file(names[0], 0)}} {
			for _, text := range []string{hits(names[1]), reverse(hits(names[1]))} {
				in := Inputs{Hits: "-", Query: files(t, queries...), Target: files(t, ">c\nACGT\n")}
				got, _, err := readPlaced(t, in, strings.NewReader(text), Limits{Pairs: 100})
				if err != nil || len(got) != strings.Count(text, "\n") {
					t.Fatalf("%q, %d files: %d pairs, %v", names, len(queries), len(got), err)
				}
				for _, p := range got {
					want := map[bool]string{true: "AAAC", false: "GGGC"}[strings.HasSuffix(p.qName, "/1")]
					if p.query != want {
						t.Fatalf("%q, %d files: %s has %s", names, len(queries), p.qName, p.query)
					}
				}
			}
		}
	}
	// Without such names nothing tells them apart.
	for _, queries := range [][]string{{file("", 1), file("", 2)}, {file("", 0)}} {
		in := Inputs{Hits: "-", Query: files(t, queries...), Target: files(t, ">c\nACGT\n")}
		got, _, err := readPlaced(t, in, strings.NewReader(hits("")), Limits{})
		if err == nil || len(got) > 0 || !strings.Contains(err.Error(), `stdin:1: record 1: the query "m0": two records in a row have that name, record 1 of `) {
			t.Errorf("names that are the same: %d pairs, %v", len(got), err)
		}
	}
}
