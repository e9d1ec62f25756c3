package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// expectMessage checks that stderr has exactly one line of error, and that it
// holds want.
func expectMessage(t *testing.T, stderr, want string) {
	t.Helper()
	var errors []string
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "wfagpu: error: ") {
			errors = append(errors, line)
		} else if !strings.HasPrefix(line, "wfagpu: ") {
			t.Errorf("stray line on stderr: %q", line)
		}
	}
	if len(errors) != 1 || !strings.Contains(errors[0], want) {
		t.Errorf("errors %q, want one with %q", errors, want)
	}
}

func expectContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	} else if string(got) != want {
		t.Errorf("%s holds %q, want %q", path, got, want)
	}
}

func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Clean(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
