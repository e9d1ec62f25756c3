package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stopSignals are the signals that end a run in order, and its exit codes.
var stopSignals = map[syscall.Signal]int{syscall.SIGHUP: 129, syscall.SIGINT: 130, syscall.SIGTERM: 143}

// stop sends a signal and checks that the command ends at once with this exit code.
func stop(t *testing.T, cmd *exec.Cmd, signal syscall.Signal, code int) {
	t.Helper()
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	expectExit(t, cmd, code)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("%v: ended after %v", signal, took)
	}
}

// longPause lets a process reach the call that blocks it.
const longPause = time.Second

// settle waits until a command that has been started is in main, where the first
// thing is to ignore SIGPIPE, and gives it the time to go on from there.
func settle(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	status := fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(status)
		if err != nil { // no Linux
			break
		}
		_, rest, _ := strings.Cut(string(text), "SigIgn:\t")
		ignored, _, _ := strings.Cut(rest, "\n")
		mask, err := strconv.ParseUint(ignored, 16, 64)
		if err != nil {
			t.Fatalf("%s: %v", status, err)
		}
		if mask>>(syscall.SIGPIPE-1)&1 == 1 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the command does not start")
		}
	}
	time.Sleep(longPause)
}

// A pipe that nobody reads holds up no interrupt (`| sleep 30`), even if it takes
// the messages, too (`2>&1 | sleep 30`).
func TestInterruptWhileWriting(t *testing.T) {
	pairs := filepath.Join(t.TempDir(), "pairs.seq")
	wfagpu(t, append([]string{"generate", "-o", pairs}, manyPairs...)...)
	align := []string{"align", "--device", "cpu", "-b", "1M", pairs}
	zipped := filepath.Join(t.TempDir(), "out.gz")
	if err := os.Symlink("/dev/stdout", zipped); err != nil {
		t.Skip(err)
	}
	generate := append([]string{"generate"}, manyPairs...)
	for _, tc := range []struct {
		name      string
		args      []string
		signal    syscall.Signal
		mixStderr bool
	}{
		{"align", align, syscall.SIGHUP, false},
		{"align", align, syscall.SIGINT, false},
		{"align", align, syscall.SIGTERM, false},
		{"align with messages", align, syscall.SIGINT, true},
		{"align, named", append(align[:len(align):len(align)], "-o", "/dev/stdout"), syscall.SIGTERM, false},
		{"align, gzip", append(align[:len(align):len(align)], "-o", zipped), syscall.SIGTERM, false},
		{"generate", generate, syscall.SIGINT, false},
		{"generate with messages", generate, syscall.SIGTERM, true},
	} {
		t.Run(tc.name+" "+tc.signal.String(), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("wfagpu", tc.args...)
			var stderr bytes.Buffer
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			cmd.Stdout, cmd.Stderr = w, &stderr
			if tc.mixStderr {
				cmd.Stderr = w
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			w.Close()
			if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			settle(t, cmd)
			stop(t, cmd, tc.signal, stopSignals[tc.signal])
			if !tc.mixStderr && !strings.HasSuffix(stderr.String(), "wfagpu: error: stopped by signal: "+tc.signal.String()+"\n") {
				t.Errorf("stderr: %s", &stderr)
			}
		})
	}
}

// Nor does a named pipe that nobody opens.
func TestInterruptWhileOpeningOutput(t *testing.T) {
	small := filepath.Join(datasets(t), "small.seq")
	align := []string{"align", "--quiet", "--device", "cpu", small, "-o", os.DevNull}
	for name, args := range map[string][]string{
		"output":   {"align", "--quiet", "--device", "cpu", small, "-o"},
		"stats":    append(align[:len(align):len(align)], "--stats"),
		"log":      append(align[:len(align):len(align)], "--log-file"),
		"generate": {"generate", "-n", "10", "-o"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("wfagpu", append(args, makeFIFO(t))...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			settle(t, cmd)
			stop(t, cmd, syscall.SIGTERM, 143)
			if got := stderr.String(); got != "wfagpu: error: stopped by signal: terminated\n" {
				t.Errorf("stderr %q", got)
			}
		})
	}
}

// A hangup ends the run as an interrupt does: a compressed file is whole.
func TestHangupLeavesWholeGzip(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.tsv.gz")
	cmd, _ := startFed(t, out, "align", "-b", "20K", "--device", "cpu", "-o", out, "-")
	stop(t, cmd, syscall.SIGHUP, 129)
	packed, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("the gzip file: %v", err)
	}
	expectWholeLines(t, string(text))
	expectFiles(t, dir, "out.tsv.gz")
}

// Under nohup a hangup does nothing.
func TestNohup(t *testing.T) {
	cmd := exec.Command("sh", "-c", `trap "" HUP; exec wfagpu align --quiet --device cpu -b 20K -`)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	settle(t, cmd)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	if _, err := io.WriteString(stdin, pair); err != nil && !errors.Is(err, syscall.EPIPE) {
		t.Error(err)
	}
	stdin.Close()
	expectExit(t, cmd, exitOK)
	if stdout.String() != pairLine {
		t.Errorf("stdout %q", &stdout)
	}
}

// A pair of two gigabases takes long to make, and holds up no signal.
func TestInterruptWhileGenerating(t *testing.T) {
	cmd := exec.Command("wfagpu", "generate", "-l", "2000000000", "-n", "1", "-o", os.DevNull)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	settle(t, cmd)
	start := time.Now()
	stop(t, cmd, syscall.SIGTERM, 143)
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("ended after %v", took)
	}
}
