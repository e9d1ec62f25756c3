package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// spent is what commands took, in seconds.
type spent struct {
	wall float64   // from the start of the first one to the end of all
	cpu  []float64 // user and system time of each
}

// least keeps the lower of both times.
func (s *spent) least(other spent) {
	if s.cpu == nil {
		*s = other
		return
	}
	s.wall = min(s.wall, other.wall)
	for i := range s.cpu {
		s.cpu[i] = min(s.cpu[i], other.cpu[i])
	}
}

// tools runs commands in a directory.
type tools struct {
	dir     string
	program string // wfagpu
	widen   string // whole-reads.awk
	threads string
}

// pipe runs commands, each of which reads what the one before it writes. The last one writes to a
// file, unless the name is empty. All must succeed.
func (t *tools) pipe(ctx context.Context, output string, commands ...[]string) (spent, error) {
	var running []*exec.Cmd
	messages := make([]bytes.Buffer, len(commands))
	var input *os.File
	var failed error
	start := time.Now()
	for i, c := range commands {
		out, next, err := t.destination(i == len(commands)-1, output)
		if err == nil {
			cmd := exec.CommandContext(ctx, c[0], c[1:]...)
			cmd.Dir, cmd.Stderr = t.dir, &messages[i]
			if input != nil { // a nil *os.File is not a nil io.Reader
				cmd.Stdin = input
			}
			if out != nil {
				cmd.Stdout = out
			}
			if err = cmd.Start(); err == nil {
				running = append(running, cmd)
			}
		}
		closeAll(input, out)
		if input = next; err != nil {
			failed = fmt.Errorf("%s: %w", strings.Join(c, " "), err)
			break
		}
	}
	closeAll(input)
	var s spent
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w: %s", strings.Join(commands[i], " "), err, bytes.TrimSpace(messages[i].Bytes())))
		}
		s.cpu = append(s.cpu, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	}
	s.wall = time.Since(start).Seconds()
	return s, failed
}

// closeAll closes files, as far as there are any. They are ends of pipes, or written by others.
func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// destination is where a command writes, and what the next one reads.
func (t *tools) destination(last bool, output string) (out, next *os.File, err error) {
	switch {
	case !last:
		next, out, err = os.Pipe()
	case output != "":
		out, err = os.Create(t.path(output))
	}
	return out, next, err
}

// run runs a command that writes a file, or none.
func (t *tools) run(ctx context.Context, output string, command ...string) error {
	_, err := t.pipe(ctx, output, command)
	return err
}
