// Command wfagpu aligns pairs of sequences exactly under gap-affine penalties.
//
// main.go and root.go hold the entry point and the command tree; align.go is
// the main command and pipeline.go what it runs.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"wfagpu/gpu"
)

func main() {
	// A closed output pipe (`wfagpu align x.seq | head`) must be a write error,
	// so that the run ends in order; see exitPipe.
	signal.Ignore(syscall.SIGPIPE)
	std := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	if err := reserveDescriptors(); err != nil {
		reportError(std.err, err)
		os.Exit(exitCode(err))
	}
	guard(&std)
	opts := defaultAlignOptions()
	opts.setQueues = gpu.SetQueues
	// Both rely on the end of the process: Exit waits for nothing in the
	// background, such as a GPU that is still being opened.
	opts.engine.Background, opts.engine.LeaveOpen = true, true
	os.Exit(runWith(context.Background(), opts, os.Args[1:], std))
}

// runWith executes one command line, with defaults for `align`, and returns the exit status.
func runWith(ctx context.Context, align alignOptions, args []string, std streams) int {
	ctx, stop := interruptible(ctx, sameStop, os.Exit)
	defer stop()
	std.err = newStoppableWriter(ctx, std.err)
	align.args = args
	root := newRootCmd(std, align)
	// Help is printed without a look at errors.
	text := &firstFailure{w: std.out}
	root.SetOut(text)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = text.err
	}
	reportError(std.err, err)
	return exitCode(err)
}

// firstFailure is a stream that keeps its first error, and drops what follows.
type firstFailure struct {
	w   io.Writer
	err error
}

func (f *firstFailure) Write(text []byte) (n int, err error) {
	if f.err == nil {
		_, f.err = f.w.Write(text)
	}
	return len(text), f.err
}

// sameStop is how long further signals count as the first one: timeout(1) sends two,
// and a shell may repeat the terminal's.
const sameStop = time.Second

// interruptible returns a context that the first SIGINT, SIGTERM, SIGHUP or
// SIGQUIT cancels, with the signal as its cause. One that comes later than same
// calls exit.
func interruptible(parent context.Context, same time.Duration, exit func(code int)) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	ended := make(chan struct{})
	go func() {
		defer signal.Stop(signals)
		var first time.Time
		for {
			select {
			case s := <-signals:
				stop := &interruptError{signal: s.(syscall.Signal)}
				if first.IsZero() {
					first = time.Now()
					cancel(stop)
				} else if time.Since(first) > same {
					exit(exitCode(stop))
				}
			case <-ended:
				return
			}
		}
	}()
	return ctx, func() { cancel(nil); close(ended) }
}
