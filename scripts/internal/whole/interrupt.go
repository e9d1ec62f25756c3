package whole

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"wfagpu/scripts/internal/report"
)

// interruptAfter are the times from the start of the process to the interrupt.
var interruptAfter = []time.Duration{700 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second}

// interrupt sends SIGINT while pairs of a million letters with 15 % errors are
// aligned, after some short ones. The file has the long pair so often that no engine
// gets to its end in time.
func (s *Session) interrupt(ctx context.Context) error {
	short, err := s.simulated(ctx, 40_000, 150, 0.05, 600)
	if err != nil {
		return err
	}
	long, err := unaligned(1_000_000, 0.15, 601)
	if err != nil {
		return err
	}
	in := concat(repeat(short, 40_000), repeat(long, 200))
	file, err := s.file("long.seq", in)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	for _, after := range interruptAfter {
		item := fmt.Sprintf("after %v", after)
		s.Fail(item, s.interruptOnce(ctx, item, file, after, in))
	}
	return nil
}

func (s *Session) interruptOnce(ctx context.Context, item, file string, after time.Duration, in input) error {
	out := s.path("out.tsv")
	os.Remove(out)
	defer os.Remove(out)
	p, err := s.start(ctx, s.Program, onDevice(s.Device, "-o", out, file)...)
	if err != nil {
		return err
	}
	time.Sleep(after)
	sent := time.Now()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		return fmt.Errorf("%w; it ended before the interrupt", err)
	}
	r, err := p.wait()
	gone := time.Since(sent).Seconds()
	if err != nil {
		return err
	}
	if r.exit != 130 {
		return fmt.Errorf("exit code %d, want 130: %s", r.exit, lastLine(r.stderr))
	}
	lines, err := wholeLines(out, in)
	if err != nil {
		return err
	}
	s.Printf("  interrupted %-22s %9.3f s until it was gone, %d whole lines: %s\n", item, gone, lines, lastLine(r.stderr))
	s.Result(item, "time until gone", gone, "s", report.AtMost(1))
	return nil
}

// wholeLines counts the lines of an output that was cut short. Each must have four
// fields, and the number of its pair, and the CPU engine's result where that is known.
func wholeLines(file string, in input) (n int, err error) {
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return 0, nil // it ended before the first result
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	var buf []byte
	for {
		line, err := readLine(r, &buf)
		if err == io.EOF && len(line) == 0 {
			return n, nil
		}
		n++
		if err != nil {
			return n, fmt.Errorf("line %d is not whole: %w", n, err)
		}
		rest, named := cutName(line, n)
		if !named || bytes.Count(rest, []byte("\t")) != 1 || n > in.pairs {
			return n, fmt.Errorf("line %d is not a result: %.60q", n, line)
		}
		if b, j := in.at(n - 1); len(b.want) > 0 && !bytes.Equal(bytes.TrimSuffix(rest, []byte("\n")), b.want[j]) {
			return n, fmt.Errorf("line %d differs from the CPU engine's", n)
		}
	}
}
