// Command bench measures this program and others. Every published figure has one
// command, run from the repository's root:
//
//	go run ./scripts/bench table      # rates of one thread, nine sets, all code paths
//	go run ./scripts/bench threads    # two threads against one
//	go run ./scripts/bench command    # the whole command, file to file
//	go run ./scripts/bench megabase   # time and peak memory of one very long pair
//	go run ./scripts/bench stream     # peak memory over a long stream on standard input
//	go run ./scripts/bench gpu        # rates of the GPU engine, nine sets
//	go run ./scripts/bench paper      # the tables of the WFA-GPU paper, all peers
//	go run ./scripts/bench anyseq     # the tables and figures of the AnySeq/GPU paper
//	go run ./scripts/bench bandmap    # the approximate mode over β and λ of its band
//	go run ./scripts/bench drivers    # the peers' drivers, for use on another machine
//	go run ./scripts/bench whole      # whole commands with a GPU; scripts/real-reads.sh runs it
//
// Each has flags, shown by -h. Sets are simulated from fixed seeds.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"wfagpu/align"
	"wfagpu/gpu"
)

// common are the flags of most subcommands.
type common struct {
	*flag.FlagSet
	dir       string
	penalties align.Penalties
}

func newCommon(name string) *common {
	c := &common{
		FlagSet:   flag.NewFlagSet(name, flag.ContinueOnError),
		penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2},
	}
	c.StringVar(&c.dir, "dir", "scripts/build", "directory for sets and built programs; kept between runs")
	c.Func("penalties", "mismatch,open,extend (default 4,6,2)", func(s string) (err error) {
		c.penalties, err = align.ParsePenalties(s)
		return err
	})
	return c
}

// parse reads the flags and makes the working directory.
func (c *common) parse(args []string) error {
	if err := c.Parse(args); err != nil {
		return err
	}
	if c.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", c.Arg(0))
	}
	if _, err := os.Stat("go.mod"); err != nil {
		return errors.New("run this from the repository's root")
	}
	return os.MkdirAll(c.dir, 0o755)
}

var commands = map[string]func(context.Context, []string) error{
	"table":    runTable,
	"threads":  runThreads,
	"command":  runCommand,
	"megabase": runMegabase,
	"stream":   runStream,
	"gpu":      runGPU,
	"paper":    runPaper,
	"anyseq":   runAnyseq,
	"bandmap":  runBandmap,
	"drivers":  runDrivers,
	"whole":    runWhole,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/bench table|threads|command|megabase|stream|gpu|paper|anyseq|bandmap|drivers|whole [flags]")
		os.Exit(2)
	}
	if err := gpu.SetQueues(gpu.PreferredQueues); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	fmt.Printf("# %s, %d CPUs, %s\n", cpuName(), runtime.NumCPU(), runtime.Version())
	err := commands[os.Args[1]](ctx, os.Args[2:])
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// cpuName is the processor's name, or the architecture if the system does not tell.
func cpuName() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
