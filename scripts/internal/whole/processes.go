package whole

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"wfagpu/scripts/internal/report"
)

// processes runs two processes at the same time, and one after the other.
func (s *Session) processes(ctx context.Context) error {
	in, file, err := s.costingFile(ctx, s.Set, s.Seconds/2)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	var after, together []float64
	for range max(1, s.Rounds-1) {
		for _, at := range []struct {
			times      *[]float64
			concurrent bool
		}{{&after, false}, {&together, true}} {
			t, err := s.twice(ctx, in, file, at.concurrent)
			if err != nil {
				return err
			}
			*at.times = append(*at.times, t)
		}
	}
	for _, x := range []struct {
		name  string
		times []float64
	}{{"one after the other", after}, {"two at once", together}} {
		s.Printf("  %-34s %9.3f s (%.3f to %.3f, %d runs, outputs checked)\n", x.name, median(x.times), slices.Min(x.times), slices.Max(x.times), len(x.times))
		s.Result(s.Set, x.name, median(x.times), "s", nil)
	}
	s.times(s.Set, "two at once / one after the other", median(together), median(after), report.AtMost(1.15))
	return nil
}

// twice runs the same command two times and returns the time of both.
func (s *Session) twice(ctx context.Context, in input, file string, concurrent bool) (float64, error) {
	var wg sync.WaitGroup
	var errs [2]error
	outputs := []string{s.path("out-0.tsv"), s.path("out-1.tsv")}
	start := time.Now()
	for i, out := range outputs {
		defer os.Remove(out)
		do := func() { _, errs[i] = s.align(ctx, file, out, onDevice(s.Device)...) }
		if concurrent {
			wg.Go(do)
		} else {
			do()
		}
	}
	wg.Wait()
	took := time.Since(start).Seconds()
	if err := errors.Join(errs[:]...); err != nil {
		return took, fmt.Errorf("concurrent %v: %w", concurrent, err)
	}
	for _, out := range outputs {
		if err := in.verify(out, false); err != nil {
			return took, fmt.Errorf("concurrent %v: %w", concurrent, err)
		}
	}
	return took, nil
}

// gpus compares the first GPU with all of those that Device lists, in both modes.
func (s *Session) gpus(ctx context.Context) error {
	first, _, several := strings.Cut(s.Device, ",")
	if !several {
		s.Printf("  skipped: device %q is not a list of GPUs\n", s.Device)
		return nil
	}
	for _, name := range s.Sets {
		s.Fail(name, s.gpusOf(ctx, name, first))
	}
	return nil
}

func (s *Session) gpusOf(ctx context.Context, name, first string) error {
	in, file, err := s.costingFile(ctx, name, s.Seconds)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	one := &command{name: "--device " + first, input: file, in: in, args: onDevice(first)}
	all := &command{name: "--device " + s.Device, input: file, in: in, args: onDevice(s.Device)}
	s.race(ctx, name, s.Rounds, one, all)
	s.times(name, "one GPU / all", one.seconds(), all.seconds(), report.AtLeast(1.85))

	// The approximate mode's alignments are those of one GPU.
	approx := []string{"--mode", "approx"}
	one = &command{name: "approx, --device " + first, input: file, args: onDevice(first, approx...), output: s.path("one.tsv")}
	all = &command{name: "approx, --device " + s.Device, input: file, args: onDevice(s.Device, approx...), output: s.path("all.tsv")}
	defer os.Remove(one.output)
	defer os.Remove(all.output)
	s.race(ctx, name, s.Rounds, one, all)
	s.times(name, "approx, one GPU / all", one.seconds(), all.seconds(), report.AtLeast(1.85))
	if one.err == nil && all.err == nil {
		return sameFiles(one.output, all.output)
	}
	return nil
}
