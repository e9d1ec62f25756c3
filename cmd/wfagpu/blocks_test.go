package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFileAndPipeAgree: a file on disk, which is read in blocks, and the same
// text from a pipe give the same results, and the same error after them.
func TestFileAndPipeAgree(t *testing.T) {
	pairs := strings.Repeat(">ACGTACGTACGTACGTACGT\n<ACGTACGTCGTACGTACGTT\n\n>ACG\n<\n", 60_000) // some 10 blocks
	path := filepath.Join(t.TempDir(), "pairs.seq")
	for name, tc := range map[string]struct {
		text string
		code int
		err  string
	}{
		"good":      {pairs, exitOK, ""},
		"bad":       {pairs + ">ACG\n<A-G\n" + pairs, exitInput, ":300002: record 120001: target position 2: '-' is not a sequence letter\n"},
		"cut short": {pairs + ">ACG\n", exitInput, ":300001: record 120001: the file ends after a line >QUERY: its line <TARGET is missing\n"},
	} {
		if err := os.WriteFile(path, []byte(tc.text), 0o666); err != nil {
			t.Fatal(err)
		}
		align := func(input string) string {
			var out, stderr bytes.Buffer
			args := []string{"align", "--quiet", "--device", "cpu", "-b", "300K", input}
			code := run(t.Context(), args, streams{in: strings.NewReader(tc.text), out: &out, err: &stderr})
			if code != tc.code || !strings.HasSuffix(stderr.String(), tc.err) {
				t.Errorf("%s, %s: exit code %d, %s", name, input, code, &stderr)
			}
			return out.String()
		}
		file, pipe := align(path), align("-")
		if want := 120_000; file != pipe || tc.code != exitOK && strings.Count(file, "\n") != want {
			t.Errorf("%s: %d lines from a file, %d from a pipe, or not the same", name, strings.Count(file, "\n"), strings.Count(pipe, "\n"))
		}
	}
}
