package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An interrupt leaves whole records in a file of any format, and the files that are
// listed, whether there was a file or not.
func TestInterruptedFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("timeout and pipes are those of Linux")
	}
	for _, tc := range []struct {
		name   string
		signal syscall.Signal
		old    bool // a file that is there
		twice  bool // the signal comes two times, as from timeout(1)
	}{
		{"out.bgz", syscall.SIGINT, false, false},
		{"out.gz", syscall.SIGTERM, true, false},
		{"out.gz", syscall.SIGINT, false, true},
		{"out.gz", syscall.SIGQUIT, true, true},
		{"out.zst", syscall.SIGINT, false, false},
		{"out.zst", syscall.SIGTERM, true, false},
		{"out.zst", syscall.SIGHUP, true, true},
		{"out.zst", syscall.SIGQUIT, false, false},
		{"out.tsv", syscall.SIGHUP, true, true},
		{"out.tsv", syscall.SIGTERM, false, true},
	} {
		t.Run(tc.name+" "+tc.signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			out := filepath.Join(dir, tc.name)
			written := out
			if tc.old {
				writeFiles(t, map[string]string{out: "old\n"})
			}
			cmd := exec.Command("wfagpu", "align", "--quiet", "--device", "cpu", "-b", "200K", "-o", out, "-")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			startFeeding(t, cmd)
			if tc.old {
				written = waitForPartial(t, dir)
			}
			waitForBytes(t, written)
			if err := cmd.Process.Signal(tc.signal); err != nil {
				t.Fatal(err)
			}
			if tc.twice {
				cmd.Process.Signal(tc.signal) // the process may have ended
			}
			want := exitSignal + int(tc.signal)
			if tc.signal == syscall.SIGQUIT {
				want = exitFailed
			}
			expectExit(t, cmd, want)
			text, cut := unpacked(t, out)
			if cut || text == "" {
				t.Errorf("%d bytes of text, cut: %t", len(text), cut)
			}
			expectWholeLines(t, text)
			expectFiles(t, dir, tc.name)
			expectMessage(t, stderr.String(), "stopped by signal: "+tc.signal.String())
		})
	}
}

// waitForPartial waits for the file that is to replace another one.
func waitForPartial(t *testing.T, dir string) string {
	t.Helper()
	for range 3000 {
		if found, err := filepath.Glob(filepath.Join(dir, "*.partial-*")); err != nil {
			t.Fatal(err)
		} else if len(found) == 1 {
			return found[0]
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no partial results")
	return ""
}

// What is written to a pipe that nobody opens, or nobody reads, holds up no interrupt
// in any format.
func TestInterruptedPipes(t *testing.T) {
	pairs, _ := manyRecords()
	for _, name := range []string{"f.gz", "f.zst", "f.bgz"} {
		for _, read := range []bool{false, true} {
			title := name + map[bool]string{false: " without a reader", true: " with a reader that sleeps"}[read]
			t.Run(title, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				fifo := filepath.Join(dir, name)
				mkfifo(t, fifo)
				cmd := exec.Command("wfagpu", "generate", "-n", "1000000", "-o", fifo)
				if !read {
					cmd = exec.Command("wfagpu", "align", "--device", "cpu", "--quiet", "-o", fifo, "-")
					cmd.Stdin = strings.NewReader(pairs)
				}
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if read {
					r, err := os.Open(fifo)
					if err != nil {
						t.Fatal(err)
					}
					defer r.Close()
					if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
						t.Fatal(err)
					}
				}
				settle(t, cmd)
				stop(t, cmd, syscall.SIGTERM, 143)
				expectMessage(t, stderr.String(), "stopped by signal: terminated")
			})
		}
	}
}

// Signals that come together are one, and a later one ends the process.
func TestLaterSignal(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, same := range []time.Duration{time.Hour, 0} {
		ended := make(chan int, 10)
		ctx, stop := interruptible(t.Context(), same, func(code int) { ended <- code })
		if err := self.Signal(syscall.SIGTERM); err != nil {
			t.Skip(err)
		}
		<-ctx.Done()
		if err := self.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if same > 0 {
			select {
			case code := <-ended:
				t.Errorf("the same signal ended the process with exit code %d", code)
			case <-time.After(100 * time.Millisecond):
			}
		} else if code := <-ended; code != 143 {
			t.Errorf("exit code %d", code)
		}
		stop()
	}
}
