package main

import (
	"strings"
	"testing"
)

// Where a limit makes Go's runtime end the process, there is one message, and the exit
// code of a failed run.
func TestRefusedMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes more address space than the limit")
	}
	// The child has begun to write when there is something to read.
	const start = "mkfifo f; wfagpu generate -n 2000000000 > f & exec 3< f; head -c 1 <&3 > /dev/null; "
	const limit = "ulimit -v 2500000; "
	for _, tc := range []struct {
		name, script string
		code         int
		stderr       []string
	}{
		// A gigabyte of text, and as much again while the record grows.
		{"a long pair", "wfagpu generate -n 1 -l 500000000 -e 0 -o /dev/null", exitFailed, []string{
			"wfagpu: error: the system refuses memory: the limit of memory (ulimit -v) is 2500000 KiB",
			"wfagpu: hint: smaller --threads, --memory, --host-memory and --batch-bases take less",
		}},
		{"a pair beyond the limit", "wfagpu generate -n 1 -l 7000000000 -e 0 -o /dev/null", exitFailed, []string{
			"wfagpu: error: a pair of 7000000000 bases takes at least 28 GB of memory, and there are 3 GB",
		}},
		{"bad usage", "wfagpu align --foo", exitUsage, []string{
			"wfagpu: error: unknown flag: --foo",
			"wfagpu: hint: see 'wfagpu align --help'",
		}},
		{"bad input", "wfagpu align --quiet missing", exitInput, []string{"wfagpu: error: open missing: no such file or directory"}},
		{"a run", "wfagpu generate -n 10 | wfagpu align --quiet --device cpu | wc -l | grep -qx 10", exitOK, nil},
		{"a pipe that closes", "{ wfagpu generate -n 100000; echo $? > code; } | head -n 1 > /dev/null; exit $(cat code)", exitPipe, nil},
		{"a signal", start + "kill -TERM $!; wait $!", 143, []string{"wfagpu: error: stopped by signal: terminated"}},
		{"the end of the parent", start + "kill -KILL $!; cat <&3 > /dev/null; wait $! 2> /dev/null", 137, []string{"wfagpu: error: stopped by signal: terminated"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, stderr := shell(t, t.TempDir(), limit+tc.script)
			want := strings.Join(append(tc.stderr, ""), "\n")
			if code != tc.code || stderr != want {
				t.Errorf("exit code %d, want %d; stderr %.500q, want %q", code, tc.code, stderr, want)
			}
		})
	}
}

func TestCrash(t *testing.T) {
	for trace, want := range map[string]string{
		"runtime: out of memory: cannot allocate 8388608-byte block (20512768 in use)\nfatal error: out of memory\n":           "the system refuses memory: the limit of X",
		"fatal error: failed to reserve page summary memory\n":                                                                 "the system refuses memory: the limit of X",
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\n":                               "the system refuses a thread: the limit of X",
		"fakecgo: pthread_create failed: 11\nSIGABRT: abort\n":                                                                 "the system refuses a thread: the limit of X",
		"runtime: failed to create new OS thread (have 9 already; errno=11)\nruntime: may need to increase max user processes": "the system refuses a thread: the limit of X",
		"panic: runtime error: index out of range":                                                                             "",
	} {
		got := ""
		if err := crash([]byte(trace), "X"); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", trace, got, want)
		}
	}
}
