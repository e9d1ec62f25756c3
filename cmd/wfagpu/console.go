package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Results go to standard output. Everything else goes to standard error, each line
// with the program's name in front.

// streams are the process's standard streams, or a test's stand-ins.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// reportError prints the error that ends the command, with its hints. A closed
// output pipe needs no message, and what has been printed no second one.
func reportError(w io.Writer, err error) {
	if _, printed := err.(*logError); err == nil || printed || readerGone(err) {
		return
	}
	fmt.Fprintf(w, "wfagpu: error: %s\n", errorText(err))
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
	done  func()    // ends the redrawing of bar
	shown int       // failed pairs named so far

	logErr error // the first failure of the log file
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

// startBar starts the progress bar. It is redrawn on a timer, so that it moves while a
// large pair is aligned; read returns the number of input bytes read so far.
func (c *console) startBar(bar *progress, read func() int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bar = bar
	ended := make(chan struct{})
	c.done = sync.OnceFunc(func() { close(ended) })
	go func() {
		ticks := time.NewTicker(progressInterval)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				c.updateBar(-1, read())
			case <-ended:
				return
			}
		}
	}()
}

// updateBar shows what has been done; pairs below 0 are those of the last call.
func (c *console) updateBar(pairs, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bar.update(pairs, bytes)
}

// clearBar takes the bar away for good.
func (c *console) clearBar() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bar.clear()
	c.bar = nil
	if c.done != nil {
		c.done()
	}
}

func (c *console) print(line string) {
	c.bar.clear()
	fmt.Fprintf(c.err, "wfagpu: %s\n", printable(line))
}

func (c *console) logLine(line string) {
	if c.log == nil || c.logErr != nil {
		return
	}
	stamp := time.Now().Format(time.RFC3339)
	if _, c.logErr = fmt.Fprintf(c.log, "%s %s\n", stamp, printable(strings.TrimSpace(line))); c.logErr != nil {
		c.print("error: " + (&logError{c.logErr}).Error())
	}
}

// logEnd records in the log file how the run ended; standard error gets the same from
// run. It returns what orLogFailure does.
func (c *console) logEnd(err error) error {
	c.mu.Lock()
	if _, known := err.(*logError); err != nil && !known {
		c.logLine("error: " + errorText(err))
	}
	c.mu.Unlock()
	return c.orLogFailure(err)
}

// orLogFailure returns the error of the run or, if there is none, that of the log file.
func (c *console) orLogFailure(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && c.logErr != nil {
		return &logError{c.logErr}
	}
	return err
}
