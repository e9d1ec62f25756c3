package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary stand in for the command: scripts, and tests
// that need a real process, find it in PATH as "wfagpu".
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "wfagpu" && signal.Ignored(syscall.SIGHUP) {
		// Under nohup the commands of the tests would not end at a hangup: what a program handles is not
		// ignored by those that it starts.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	testscript.Main(m, map[string]func(){"wfagpu": main})
}

// TestScripts runs each testdata/*.txtar, one scenario per file.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("DATASETS", datasets(t))
			// The scripts are about the CPU, on machines with a GPU, too.
			env.Setenv("CUDA_VISIBLE_DEVICES", "")
			// Under the race detector a process would sleep for a second
			// before it ends.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
	})
}

// exits is the script command "exits CODE COMMAND...": it runs the command and
// fails unless it ends with that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}
