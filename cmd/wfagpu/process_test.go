package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// These tests need a process of their own: signals, and pipes that close.

// datasets returns the directory of the committed samples.
func datasets(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../datasets")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// expectExit waits for the command and checks its exit code.
func expectExit(t *testing.T, cmd *exec.Cmd, want int) {
	t.Helper()
	timer := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != want {
		t.Errorf("exit code %d (%v), want %d", code, cmd.ProcessState, want)
	}
}

// feed writes equal pairs to w until nobody reads them any more.
func feed(w io.Writer) {
	block := []byte(strings.Repeat(">ACGTACGTACGTACGTACGT\n<ACGTACGTACGTACGTACGT\n", 1000))
	for {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

// startFed starts wfagpu, which reads pairs of feed from its standard input, and waits until
// it has written to the file out.
func startFed(t *testing.T, out string, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	cmd, stderr = exec.Command("wfagpu", args...), new(bytes.Buffer)
	cmd.Stderr = stderr
	startFeeding(t, cmd)
	waitForBytes(t, out)
	return cmd, stderr
}

// startFeeding starts a command with the pairs of feed on its standard input.
func startFeeding(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go feed(stdin)
}

// expectWholeLines checks that text is nothing but result lines of feed.
func expectWholeLines(t *testing.T, text string) {
	t.Helper()
	if text != "" && !strings.HasSuffix(text, "\t20=\n") {
		t.Errorf("the output ends in half a record: %q", text[max(0, len(text)-60):])
	}
}

func TestInterruptWhileAligning(t *testing.T) {
	for _, tc := range []struct {
		signal syscall.Signal
		code   int
	}{
		{syscall.SIGINT, 130},
		{syscall.SIGTERM, 143},
	} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out.tsv")
		cmd, stderr := startFed(t, out, "align", "-b", "20K", "-o", out, "--stats", filepath.Join(dir, "stats.json"), "-")
		if err := cmd.Process.Signal(tc.signal); err != nil {
			t.Fatal(err)
		}
		expectExit(t, cmd, tc.code)
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		expectWholeLines(t, string(text))
		if !strings.Contains(stderr.String(), "wfagpu: error: stopped by signal: "+tc.signal.String()) {
			t.Errorf("stderr: %s", stderr)
		}
		expectFiles(t, dir, "out.tsv", "stats.json")
	}
}

// A pipe that says nothing must not keep the command from stopping, whether
// it has been opened already or not.
func TestInterruptWhileWaitingForInput(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	mkfifo(t, fifo)
	for _, input := range []string{"-", fifo} {
		cmd := exec.Command("wfagpu", "align", "-o", filepath.Join(dir, "out.tsv"), input)
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cmd.StdinPipe(); err != nil { // stays open and silent
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The notice about the engine shows that signals are being handled.
		lines := bufio.NewScanner(stderr)
		if !lines.Scan() {
			t.Fatalf("%s: no notice on stderr: %v", input, lines.Err())
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		var last string
		for lines.Scan() {
			last = lines.Text()
		}
		expectExit(t, cmd, 130)
		if last != "wfagpu: error: stopped by signal: interrupt" {
			t.Errorf("%s: last message %q", input, last)
		}
		expectFiles(t, dir, "fifo")
	}
}

// `wfagpu align x.seq | head -1` is no error to talk about.
func TestReaderOfOutputGoesAway(t *testing.T) {
	cmd := exec.Command("wfagpu", "align", "--quiet", "-b", "20K", "-")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	startFeeding(t, cmd)
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || line != "1\t1\t0\t20=\n" {
		t.Errorf("first line %q, %v", line, err)
	}
	stdout.Close()
	expectExit(t, cmd, 141)
	if stderr.Len() > 0 {
		t.Errorf("stderr: %s", &stderr)
	}
}

func TestFullDisk(t *testing.T) {
	const device = "/dev/full"
	if _, err := os.Stat(device); err != nil {
		t.Skip("this system has no /dev/full")
	}
	full, err := os.OpenFile(device, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	small := filepath.Join(datasets(t), "small.seq")
	for _, tc := range []struct {
		name string
		args []string
	}{
		{"standard output", []string{"align", "--quiet", small}},
		{"file", []string{"align", "--quiet", "-o", device, small}},
		{"generated pairs", []string{"generate", "-n", "10"}},
	} {
		cmd := exec.Command("wfagpu", tc.args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		expectExit(t, cmd, 1)
		if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "no space left on device") {
			t.Errorf("%s: stderr %q, want one line that says why", tc.name, got)
		}
	}
	if info, err := os.Stat(device); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Errorf("%s is no device any more: %v", device, err)
	}
}

// waitForBytes waits until the file is there and holds something.
func waitForBytes(t *testing.T, path string) {
	t.Helper()
	for range 3000 {
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("nothing has been written to %s", path)
}

// expectFiles checks that a directory holds these files, in sorted order, and
// no others.
func expectFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the directory holds %q, want %q", got, want)
	}
}
