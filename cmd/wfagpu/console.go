package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"
)

// Results go to standard output. Everything else goes to standard error, each line
// with the program's name in front.

// streams are the process's standard streams, or a test's stand-ins.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// isTerminal reports whether v is a terminal.
func isTerminal(v any) bool {
	if s, ok := v.(*stoppableWriter); ok {
		v = s.w
	}
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// reportError prints the error that ends the command, with its hints. A closed
// output pipe needs no message.
func reportError(w io.Writer, err error) {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return
	}
	fmt.Fprintf(w, "wfagpu: error: %v\n", err)
	var h *hintedError
	for ; errors.As(err, &h); err = h.err {
		fmt.Fprintf(w, "wfagpu: hint: %s\n", h.hint)
	}
}

// console writes the messages of a run: to standard error unless quiet, and to the
// log file if there is one. It is safe for concurrent use, as GPUs may be ready
// at any time.
type console struct {
	err   io.Writer
	log   io.Writer // nil: no log file
	quiet bool

	mu    sync.Mutex
	bar   *progress // nil: no progress bar
	shown int       // failed pairs named so far
}

// notice prints information. --quiet hides it.
func (c *console) notice(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.quiet {
		c.print(line)
	}
	c.logLine(line)
}

// problem prints an error that does not end the run. --quiet does not hide it.
func (c *console) problem(format string, args ...any) {
	line := "error: " + fmt.Sprintf(format, args...)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.print(line)
	c.logLine(line)
}

// shownProblems is how many pairs are named when many fail.
const shownProblems = 10

// pairProblem names a pair that failed, up to shownProblems of them. Calls must not
// be concurrent.
func (c *console) pairProblem(p pairProblem) {
	c.shown++
	switch {
	case c.shown <= shownProblems:
		c.problem("pair %d: %v", p.record, p.err)
	case c.shown == shownProblems+1:
		c.problem("more pairs fail; they are counted and not shown")
	}
}

// startBar shows a progress bar from now on.
func (c *console) startBar(bar *progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bar = bar
}

func (c *console) updateBar(pairs, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bar.update(pairs, bytes)
}

func (c *console) clearBar() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bar.clear()
}

func (c *console) print(line string) {
	c.bar.clear()
	fmt.Fprintf(c.err, "wfagpu: %s\n", line)
}

func (c *console) logLine(line string) {
	if c.log == nil {
		return
	}
	stamp := time.Now().Format(time.RFC3339)
	fmt.Fprintf(c.log, "%s %s\n", stamp, strings.TrimSpace(line))
}
