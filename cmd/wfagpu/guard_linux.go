package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Go's runtime ends the process with a trace and exit code 2 if the system refuses
// memory or threads, and nothing in the process can prevent it. Where a limit makes that
// likely, the run is a child process, and its parent says what has happened. The
// child's messages go past the parent to standard error; what the runtime prints
// goes to the parent.

const (
	guardedVariable = "WFAGPU_GUARD" // names the parent to the child
	guardedStderr   = 3              // the child's descriptor for messages
	fewThreads      = 512            // a limit below it is likely to be reached
	mostTrace       = 64 << 10
)

// guarded returns the limits that make a crash likely, in words; "" if there are none.
func guarded() string {
	var limits []string
	for _, l := range []struct {
		resource int
		name     string
	}{{unix.RLIMIT_AS, "ulimit -v"}, {unix.RLIMIT_DATA, "ulimit -d"}} {
		var limit unix.Rlimit
		if unix.Getrlimit(l.resource, &limit) == nil && limit.Cur != unix.RLIM_INFINITY {
			limits = append(limits, fmt.Sprintf("memory (%s) is %d KiB", l.name, limit.Cur>>10))
		}
	}
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NPROC, &limit) == nil && limit.Cur < fewThreads && os.Geteuid() != 0 {
		limits = append(limits, fmt.Sprintf("processes and threads (ulimit -u) is %d", limit.Cur))
	}
	for _, path := range []string{"/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"} {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && n < fewThreads {
			limits = append(limits, fmt.Sprintf("threads (%s) is %d", path, n))
		}
	}
	return strings.Join(limits, ", ")
}

// guard runs the command line in a child process if a limit calls for it, and ends
// with its exit code. Otherwise it returns, with the child's standard error in std if
// this is the child.
func guard(std *streams) {
	if os.Getenv(guardedVariable) == strconv.Itoa(os.Getppid()) {
		std.err = os.NewFile(guardedStderr, os.Stderr.Name())
		return
	}
	limits := guarded()
	if limits == "" {
		return
	}
	// The child gets SIGTERM when the thread that has started it ends.
	runtime.LockOSThread()
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = os.Args
	cmd.Env = append(os.Environ(), guardedVariable+"="+strconv.Itoa(os.Getpid()))
	cmd.Stdin, cmd.Stdout, cmd.ExtraFiles = os.Stdin, os.Stdout, []*os.File{os.Stderr}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	trace := &head{most: mostTrace}
	cmd.Stderr = trace
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	if err := cmd.Start(); err != nil {
		signal.Stop(signals)
		runtime.UnlockOSThread()
		return // the run may still fit
	}
	go func() {
		for s := range signals {
			cmd.Process.Signal(s)
		}
	}()
	err := cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		reportError(std.err, err)
		os.Exit(exitFailed)
	} else if ok && exit.ExitCode() < 0 {
		os.Exit(exitSignal + int(exit.Sys().(syscall.WaitStatus).Signal()))
	}
	code := cmd.ProcessState.ExitCode()
	if code != exitUsage || trace.text.Len() == 0 {
		std.err.Write(trace.text.Bytes()) // of a driver, for example
		os.Exit(code)
	}
	err = crash(trace.text.Bytes(), limits)
	if err == nil {
		std.err.Write(trace.text.Bytes())
		os.Exit(exitFailed)
	}
	reportError(std.err, err)
	os.Exit(exitCode(err))
}

// crash is the error that the runtime's last words stand for, nil if none of the limits
// is the cause.
func crash(trace []byte, limits string) error {
	has := func(words ...string) bool {
		for _, w := range words {
			if bytes.Contains(trace, []byte(w)) {
				return true
			}
		}
		return false
	}
	switch {
	case has("pthread_create failed", "failed to create new OS thread"):
		return withHint(fmt.Errorf("the system refuses a thread: the limit of %s", limits), "a smaller --threads takes fewer")
	case has("out of memory", "cannot allocate memory", "failed to reserve"):
		return withHint(fmt.Errorf("the system refuses memory: the limit of %s", limits), "smaller --threads, --memory, --host-memory and --batch-bases take less")
	}
	return nil
}

// head keeps the first bytes that are written to it.
type head struct {
	most int
	text bytes.Buffer
}

func (h *head) Write(p []byte) (int, error) {
	h.text.Write(p[:min(len(p), h.most-h.text.Len())])
	return len(p), nil
}
