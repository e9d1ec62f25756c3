package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wfagpu/scripts/internal/whole"
)

// runWhole measures whole commands on a machine with a GPU, part by part. A part
// that fails leaves the others alone.
func runWhole(ctx context.Context, args []string) error {
	var c whole.Config
	f := flag.NewFlagSet("whole", flag.ContinueOnError)
	f.StringVar(&c.Program, "program", "build/wfagpu", "the program")
	f.StringVar(&c.Baseline, "baseline", "", "another build of the program, to compare huge pairs with")
	f.StringVar(&c.Data, "data", "", "directory of real sets, .seq.gz")
	f.StringVar(&c.Temp, "tmp", "", "directory for inputs and outputs, tens of GB (default the system's)")
	f.StringVar(&c.Device, "device", "gpu", "--device for the GPU: gpu, or numbers such as 0 or 0,1; or cpu, to try the parts without one")
	names := f.String("sets", "ont_r73_lambda,ont_r94_ecoli,pacbio_clr_p5c3_ecoli,ont_ecoli_mg1655_modkit,ont_ul_hg002_chr6", "real sets")
	f.StringVar(&c.Set, "set", "", "real set of the parts with a single one (default the third of -sets)")
	f.Float64Var(&c.Seconds, "seconds", 60, "work of a repeated set, in seconds of the CPU engine with all threads")
	f.IntVar(&c.Share, "share", 4, "the CPU engine aligns one part in so many of it, and its time is multiplied")
	bytes := f.Float64("gb", 16, "largest size of an input, in GB")
	f.Float64Var(&c.Scale, "scale", 1, "factor of the numbers of simulated pairs")
	f.IntVar(&c.Rounds, "rounds", 3, "runs of each command, of which the median counts")
	f.Float64Var(&c.Short, "short", 5, "a command that takes more seconds than these runs once")
	f.DurationVar(&c.Limit, "limit", 3*time.Minute, "longest time of one command")
	cpuFlags := f.String("cpu-flags", "", "more flags of the CPU engine, such as '--memory 4G'")
	bound := f.String("bound", "--gpu-memory 2G", "the flags of the part memory")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return fmt.Errorf("name some parts: %s", strings.Join(whole.Parts(), ", "))
	}
	for _, part := range f.Args() {
		if !slices.Contains(whole.Parts(), part) {
			return fmt.Errorf("no part is named %q; flags come first", part)
		}
	}
	c.Sets = strings.Split(*names, ",")
	if c.Set == "" {
		c.Set = c.Sets[min(2, len(c.Sets)-1)]
	}
	c.Bytes, c.CPUFlags, c.Bound = int64(*bytes*1e9), strings.Fields(*cpuFlags), strings.Fields(*bound)
	for _, program := range []*string{&c.Program, &c.Baseline} {
		if *program == "" {
			continue
		}
		path, err := filepath.Abs(*program)
		if err == nil {
			_, err = os.Stat(path)
		}
		if err != nil {
			return err
		}
		*program = path
	}
	var errs []error
	for _, part := range f.Args() {
		start := time.Now()
		fmt.Printf("\n## %s\n", part)
		errs = append(errs, whole.Run(ctx, c, part, os.Stdout))
		fmt.Printf("# %s took %.1f s\n", part, time.Since(start).Seconds())
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}
