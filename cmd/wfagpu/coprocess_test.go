package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"testing"
	"time"
)

// TestCoprocess: a program that writes a pair, waits for its result, and writes
// the next one, gets them all while the pipe stays open.
func TestCoprocess(t *testing.T) {
	for _, args := range [][]string{
		{"align", "--quiet", "--device", "cpu", "-"},
		{"align", "--quiet", "-j", "1", "--header"},
	} {
		cmd := exec.Command("wfagpu", args...)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
		results := bufio.NewReader(stdout)
		for i := range 20 {
			if _, err := io.WriteString(stdin, pair); err != nil {
				t.Fatal(err)
			}
			if i == 0 && len(args) > 4 && args[4] == "--header" {
				if _, err := results.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			line, err := results.ReadString('\n')
			if want := fmt.Sprintf("%d\t%d\t2\t3=1X\n", i+1, i+1); err != nil || line != want {
				t.Fatalf("%v: result %d is %q, %v, want %q", args, i+1, line, err, want)
			}
		}
		timer.Stop()
		stdin.Close()
		if rest, err := io.ReadAll(results); err != nil || len(rest) > 0 {
			t.Errorf("%v: the output ends with %q, %v", args, rest, err)
		}
		expectExit(t, cmd, exitOK)
	}
}
