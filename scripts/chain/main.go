// Command chain runs minimap2, this program and samtools on real reads, and compares the
// alignments with those of minimap2 itself.
//
//	go run ./scripts/chain -data DIR             # every NAME.seq.gz of a directory
//	go run ./scripts/chain -data DIR -sets ont   # the sets whose names contain a text
//
// Each set is pairs of a read and its part of a reference. The reads are the queries, half of them
// reverse-complemented; the reference is put together from the targets. Every alignment is replayed
// over its sequences, and scored by minimap2's own numbers. The output is tables in Markdown. The
// exit status is 1 if a score is worse than minimap2's over the same letters, or a record is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// options are what is compared, and how often it is timed.
type options struct {
	data, only      string
	program         string
	rounds, threads int
	longest         int
}

func main() {
	var o options
	flag.StringVar(&o.data, "data", "", "the directory of the sets, NAME.seq.gz")
	flag.StringVar(&o.only, "sets", "", "only sets whose names contain one of these, with commas between them")
	flag.IntVar(&o.rounds, "rounds", 3, "runs of each command that is timed; the least time counts")
	flag.IntVar(&o.threads, "threads", runtime.NumCPU(), "threads of each program")
	flag.IntVar(&o.longest, "longest", 5000, "longer reads are not aligned as a whole, which takes the square of their lengths")
	flag.StringVar(&o.program, "wfagpu", "", "the program; without it, it is built")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	wrong, err := run(ctx, o, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "chain:", err)
		os.Exit(2)
	}
	if wrong {
		os.Exit(1)
	}
}

// run compares the sets. It tells whether something is wrong.
func run(ctx context.Context, o options, stdout, stderr io.Writer) (wrong bool, err error) {
	files, err := setFiles(o.data, o.only)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "chain-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	t, err := newTools(ctx, dir, o)
	if err != nil {
		return false, err
	}
	var results []*result
	defer func() { tables(stdout, results) }() // after an error, too
	for _, file := range files {
		r, err := compareFile(ctx, t, dir, file, o)
		if err != nil {
			return wrong, fmt.Errorf("%s: %w", file, err)
		}
		results = append(results, r)
		r.log(stderr)
		wrong = wrong || r.wrong()
	}
	return wrong, nil
}

// newTools finds the programs, and builds wfagpu unless a file is named.
func newTools(ctx context.Context, dir string, o options) (*tools, error) {
	widen, err := filepath.Abs("scripts/whole-reads.awk")
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "wfagpu")
	if o.program != "" {
		if program, err = filepath.Abs(o.program); err != nil {
			return nil, err
		}
	} else if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/wfagpu").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w: %s", err, out)
	}
	return &tools{program: program, widen: widen, threads: strconv.Itoa(o.threads)}, nil
}

// setFiles lists the sets of a directory, as absolute paths.
func setFiles(data, only string) ([]string, error) {
	if data == "" {
		return nil, errors.New("-data names the directory of the sets")
	}
	all, err := filepath.Glob(filepath.Join(data, "*.seq.gz"))
	if err != nil {
		return nil, err
	}
	var files []string
	for _, file := range all {
		for part := range strings.SplitSeq(only, ",") {
			if strings.Contains(filepath.Base(file), part) {
				file, err := filepath.Abs(file)
				if err != nil {
					return nil, err
				}
				files = append(files, file)
				break
			}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no NAME.seq.gz in %s, or none of these names", data)
	}
	return files, nil
}

// compareFile compares a set in a directory of its own.
func compareFile(ctx context.Context, t *tools, dir, file string, o options) (*result, error) {
	s, err := newSample(file)
	if err != nil {
		return nil, err
	}
	t.dir = filepath.Join(dir, s.name)
	if err := os.Mkdir(t.dir, 0o777); err != nil {
		return nil, err
	}
	defer os.RemoveAll(t.dir)
	return compare(ctx, t, s, o)
}
