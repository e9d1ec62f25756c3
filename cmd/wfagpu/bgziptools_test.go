package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Results in .gz are for htslib's tools: bgzip makes an index and reads from the middle,
// tabix finds a record. zstd reads those in .zst.
func TestOtherToolsReadResults(t *testing.T) {
	pairs, results := manyRecords()
	dir := t.TempDir()
	in := filepath.Join(dir, "pairs.seq")
	writeFiles(t, map[string]string{in: pairs})
	command := func(t *testing.T, name string, args ...string) string {
		t.Helper()
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v", name, args, err)
		}
		return string(out)
	}
	for _, name := range []string{"r.tsv.gz", "r.bgz", "r.tsv.zst"} {
		wfagpu(t, "align", "--quiet", "--device", "cpu", "-o", filepath.Join(dir, name), in)
	}
	t.Run("bgzip", func(t *testing.T) {
		command(t, "bgzip", "-r", "r.tsv.gz")
		if got := command(t, "bgzip", "-b", "100000", "-s", "1000", "r.tsv.gz"); got != results[100_000:101_000] {
			t.Errorf("from the middle: %q", got)
		}
		if got := command(t, "bgzip", "-dc", "r.bgz"); got != results {
			t.Errorf("%d bytes, want %d", len(got), len(results))
		}
	})
	t.Run("tabix", func(t *testing.T) {
		command(t, "tabix", "-0", "-s", "1", "-b", "3", "-e", "3", "r.tsv.gz")
		if got, want := command(t, "tabix", "r.tsv.gz", "7777"), strings.Split(results, "\n")[7776]+"\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
	t.Run("gzip", func(t *testing.T) {
		if got := command(t, "gzip", "-dc", "r.tsv.gz"); got != results {
			t.Errorf("%d bytes, want %d", len(got), len(results))
		}
	})
	t.Run("zstd", func(t *testing.T) {
		if got := command(t, "zstd", "-dc", "r.tsv.zst"); got != results {
			t.Errorf("%d bytes, want %d", len(got), len(results))
		}
	})
}
