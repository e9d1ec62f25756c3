package whole

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"wfagpu/scripts/internal/report"
)

// Config says what is measured, where, and for how long.
type Config struct {
	Program  string // wfagpu
	Baseline string // another build of it, for huge pairs; empty for none
	Data     string // directory of .seq.gz files, or .seq files
	Temp     string // directory for inputs and outputs; tens of GB
	Device   string // that of the GPU: gpu, or numbers; or cpu, to try the parts without one
	Sets     []string
	Set      string  // the set of the parts with a single one
	Seconds  float64 // of the CPU engine, that a repeated set costs
	Share    int     // the CPU engine aligns one part in so many of such a file, and its time is scaled
	Bytes    int64   // largest size of an input
	Scale    float64 // of the numbers of simulated pairs
	Rounds   int
	Short    float64 // seconds up to which a command is run in every round, not once
	Limit    time.Duration
	CPUFlags []string // more flags of the CPU engine
	Bound    []string // the flags of the part memory
}

// bench is what all measurements of a run share: it runs the program, with files in a
// temporary directory, and prints results.
type bench struct {
	Config
	*report.Report
	dir string
}

// Session is one run of a part. A part makes inputs, and lets commands race.
type Session struct {
	*bench
	*maker
	*racer
}

// Run runs a part and prints its results. The error names the items that failed.
func Run(ctx context.Context, c Config, part string, out io.Writer) error {
	do := parts[part]
	if do == nil {
		return fmt.Errorf("no part is named %q", part)
	}
	dir, err := os.MkdirTemp(c.Temp, "wfagpu-whole-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{Config: c, Report: &report.Report{Out: out, Part: part}, dir: dir}
	s := &Session{bench: b, maker: &maker{b}, racer: &racer{b}}
	if err := do(s, ctx); err != nil {
		s.Fail(part, err)
	}
	return errors.Join(s.Err(), context.Cause(ctx))
}

// path is a file in the temporary directory.
func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// count scales a number of simulated pairs.
func (b *bench) count(n int) int { return max(1, int(float64(n)*b.Scale)) }

func (b *bench) threads() float64 { return float64(runtime.GOMAXPROCS(0)) }
