package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// Pairs whose alignment has no columns have no line in PAF, and the summary and --stats count them.
func TestEmptyAlignments(t *testing.T) {
	const pairs = ">AAAA\n<CCCC\n>ACGT\n<ACGT\n>\n<\n>AAAA\n<\n"
	for _, tc := range []struct {
		flags        []string
		empty, lines int
	}{
		{[]string{"--span", "local", "--match", "2", "-O", "paf"}, 3, 1},
		{[]string{"--span", "extension", "--match", "2"}, 3, 4},
		{[]string{"-O", "paf"}, 1, 3},
		{[]string{"-g", "edit", "--max-distance", "2"}, 1, 4},
		{[]string{"--score-only"}, 0, 4},
	} {
		stats := filepath.Join(t.TempDir(), "stats.json")
		got := runOn(t, noGPUs, pairs, append([]string{"align", "--stats", stats}, tc.flags...)...)
		var r report
		if err := json.Unmarshal([]byte(readFile(t, stats)), &r); err != nil {
			t.Fatal(err)
		}
		if got.code != 0 || r.Empty != int64(tc.empty) || strings.Count(got.stdout, "\n") != tc.lines {
			t.Errorf("%v: exit code %d, %d empty alignments, want %d, lines %q", tc.flags, got.code, r.Empty, tc.empty, got.stdout)
		}
		if text := "; " + count(r.Empty, "empty alignment"); strings.Contains(got.stderr, text) != (tc.empty > 0) {
			t.Errorf("%v: summary %q", tc.flags, got.stderr)
		}
	}
}
