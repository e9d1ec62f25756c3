package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Faults that would be a crash of Go's runtime, with the exit code of bad usage.

// SIGQUIT ends the run in order.
func TestQuit(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.tsv")
	cmd, stderr := startFed(t, out, "align", "--quiet", "--device", "cpu", "-b", "20K", "-o", out, "-")
	stop(t, cmd, syscall.SIGQUIT, exitFailed)
	expectMessage(t, stderr.String(), "stopped by signal: quit")
	expectWholeLines(t, readFile(t, out))
}

// With too few open files allowed there is one message, whatever is allowed: the
// run works or says why not. Below 7 Go's runtime can fail before main.
func TestFewDescriptors(t *testing.T) {
	small := filepath.Join(datasets(t), "small.seq")
	worked, failed := 0, 0
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err) // dash needs descriptors of its own
	}
	for limit := 7; limit <= 18; limit++ {
		dir := t.TempDir()
		out := filepath.Join(dir, "out.tsv")
		cmd := exec.Command("bash", "-c", fmt.Sprintf("ulimit -n %d; exec wfagpu align --quiet --device cpu --stats %s -o %s %s",
			limit, filepath.Join(dir, "stats"), out, small))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() // the exit code tells
		switch code := cmd.ProcessState.ExitCode(); code {
		case exitOK:
			worked++
			expectContent(t, out, readFile(t, filepath.Join(datasets(t), "small.expected.tsv")))
		case exitFailed, exitInput:
			failed++
			expectMessage(t, stderr.String(), "too many open files")
		default:
			t.Errorf("limit %d: exit code %d\n%.500s", limit, code, &stderr)
		}
	}
	if worked == 0 || failed == 0 {
		t.Errorf("%d runs worked and %d failed: the limits are not at the edge", worked, failed)
	}
}
