//go:build linux || darwin

package seqio

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// A mapped reference that becomes shorter while it is read is an error, not a crash.
func TestMappedReferenceShrinks(t *testing.T) {
	path := files(t, ">c\n"+strings.Repeat(strings.Repeat("ACGT", 20)+"\n", 10_000))[0]
	src, err := openSource(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer closeSource(src)
	r, err := openReference(src, 1, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	defer r.release()
	if r.mapped == nil {
		t.Skip("the file cannot be mapped")
	}
	c, err := r.sequence([]byte("c"))
	if err != nil {
		t.Fatal(err)
	}
	p := &hitPairs{hits: &pafReader{src: &source{storedFile: storedFile{name: "hits"}}}}
	fetch := func(from int64) *hitJob {
		j := &hitJob{hits: []jobHit{{file: r, target: c, query: -1, from: from, to: from + 100, line: 3, number: 2}}}
		done := make(chan struct{})
		go func() {
			defer close(done)
			debug.SetPanicOnFault(true)
			j.complete(p)
		}()
		<-done
		return j
	}
	if j := fetch(700_000); j.err != nil || len(j.pairs) != 1 || len(j.pairs[0].Text) != 100 {
		t.Fatalf("%v, %v", j.pairs, j.err)
	}
	if err := os.Truncate(path, 10); err != nil {
		t.Fatal(err)
	}
	j := fetch(700_000)
	want := `hits:3: record 2: ` + path + `: sequence "c": the file has changed while it was read`
	if len(j.pairs) > 0 || j.err == nil || j.err.Error() != want {
		t.Errorf("%d pairs and %v, want %s", len(j.pairs), j.err, want)
	}
}

// Targets of mapped files end where a file becomes shorter, without a crash and without the files behind
// it.
func TestMappedTargetsShrink(t *testing.T) {
	for name, each := range map[string]string{"FASTQ": "@r%d\nACGT\n+\nIIII\n", "FASTA": ">r%d\nACGT\n", "pairs": ">ACGT\n<ACGT\tr%d\n", "pairs without names": ">ACGT%.0d\n<ACGT\n"} {
		var text strings.Builder
		const n = 300_000
		for i := range n {
			fmt.Fprintf(&text, each, i)
		}
		paths := files(t, text.String(), text.String())
		in := Inputs{Target: paths}
		if strings.HasPrefix(name, "pairs") {
			in = Inputs{Pairs: paths}
		}
		visited := 0
		err := TargetsOf(in, func(group []Target) (int, error) {
			if visited += len(group); visited == len(group) {
				if err := os.Truncate(paths[0], 100); err != nil {
					t.Fatal(err)
				}
			}
			return len(group), nil
		})
		if err != nil || visited == 0 || visited >= n {
			t.Errorf("%s: %d targets, %v", name, visited, err)
		}
	}
}
