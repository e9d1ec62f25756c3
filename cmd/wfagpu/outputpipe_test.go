package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Outputs that are pipes, named by a path: the command must not be a reader of
// what it writes.

// manyPairs are arguments of generate that make more text than a pipe holds.
var manyPairs = []string{"-n", "20000", "-l", "150"}

// makeFIFO returns the path of a new named pipe.
func makeFIFO(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	mkfifo(t, path)
	return path
}

// pipeWriters are commands that write much to a path.
func pipeWriters(t *testing.T, path string) map[string][]string {
	t.Helper()
	pairs := filepath.Join(t.TempDir(), "pairs.seq")
	wfagpu(t, append([]string{"generate", "-o", pairs}, manyPairs...)...)
	return map[string][]string{
		"align":    {"align", "--quiet", "--device", "cpu", "-o", path, pairs},
		"generate": append([]string{"generate", "-o", path}, manyPairs...),
	}
}

// `-o /dev/stdout | head -n 1` ends as soon as head does.
func TestReaderOfNamedStdoutGoesAway(t *testing.T) {
	if _, err := os.Stat("/dev/stdout"); err != nil {
		t.Skip(err)
	}
	for name, args := range pipeWriters(t, "/dev/stdout") {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("wfagpu", args...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
				t.Error(err)
			}
			stdout.Close()
			expectExit(t, cmd, exitPipe)
			if stderr.Len() > 0 {
				t.Errorf("stderr: %s", &stderr)
			}
		})
	}
}

func TestReaderOfFIFOGoesAway(t *testing.T) {
	fifo := makeFIFO(t)
	for name, args := range pipeWriters(t, fifo) {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("wfagpu", args...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			reader, err := os.Open(fifo)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := bufio.NewReader(reader).ReadString('\n'); err != nil {
				t.Error(err)
			}
			reader.Close()
			expectExit(t, cmd, exitPipe)
		})
	}
}

// A named pipe without a reader waits for one, which gets everything.
func TestFIFOWaitsForItsReader(t *testing.T) {
	small := filepath.Join(datasets(t), "small.seq")
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"align": {[]string{"align", "--quiet", "--device", "cpu", small, "-o"}, readFile(t, filepath.Join(datasets(t), "small.expected.tsv"))},
		"generate": {[]string{"generate", "-n", "300", "-l", "150", "-e", "0.05", "--n-rate", "0.001", "--seed", "1", "-o"},
			readFile(t, small)},
		"stats": {[]string{"align", "--quiet", "--device", "cpu", small, "-o", os.DevNull, "--stats"}, ""},
		"log":   {[]string{"align", "--quiet", "--device", "cpu", small, "-o", os.DevNull, "--log-file"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			fifo := makeFIFO(t)
			cmd := exec.Command("wfagpu", append(tc.args, fifo)...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() { expectExit(t, cmd, exitOK); close(ended) }()
			select {
			case <-ended:
				t.Fatal("the command ended without a reader")
			case <-time.After(300 * time.Millisecond):
			}
			reader, err := os.Open(fifo)
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			text, err := io.ReadAll(reader)
			if err != nil || tc.want != "" && string(text) != tc.want || !strings.HasSuffix(string(text), "\n") {
				t.Errorf("%d bytes, %v, or not the results", len(text), err)
			}
			<-ended
		})
	}
}
