package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"wfagpu/cmd/wfagpu/internal/page"
	"wfagpu/cmd/wfagpu/internal/tally"
)

// writePage writes the page of --report for a run that ended with runErr. recall is nil
// without --recall.
func writePage(ctx context.Context, opts *alignOptions, r *report, t *tally.Pairs, recall *recaller, runErr error) error {
	text, err := page.HTML(newPage(opts, r, t, recall, runErr, time.Now()))
	if err != nil {
		return err
	}
	return writeWhole(ctx, "--report", opts.pageFile, text)
}

func newPage(opts *alignOptions, r *report, t *tally.Pairs, recall *recaller, runErr error, now time.Time) *page.Run {
	run := &page.Run{
		Version: r.Version, Build: r.Build, Command: commandLine(opts.args), Input: inputNames(opts), Settings: pageSettings(opts),
		Finished: now, Seconds: r.Seconds, Bases: r.Bases, Tally: t,
		Checked: r.Checked, Mismatched: r.Mismatched, MaxDistance: r.MaxDistance,
		ScoreOnly: r.ScoreOnly, Approx: r.Approx != nil, Similar: opts.similarity(), ExitCode: r.ExitCode,
		Time: pageTime(r), Devices: pageDevices(r),
	}
	if runErr != nil {
		run.Error = errorText(runErr)
	}
	if recall != nil {
		run.Recall = recall.page()
	}
	return run
}

// page is the comparison of all pairs so far.
func (r *recaller) page() *page.Recall {
	report := r.report()
	r.mu.Lock()
	defer r.mu.Unlock()
	return &page.Recall{Pairs: report.Pairs, Optimal: report.Optimal, Excess: &r.tally.excess, ExcessPercent: report.ExcessPercent}
}

// commandLine is what a shell takes for the command. Control characters are escaped.
func commandLine(args []string) string {
	words := []string{"wfagpu"}
	for _, arg := range args {
		word, err := syntax.Quote(arg, syntax.LangBash)
		if err != nil { // no shell can say it
			word = arg
		}
		words = append(words, printable(word))
	}
	return strings.Join(words, " ")
}

// inputNames are the names of the input files.
func inputNames(opts *alignOptions) string {
	var names []string
	for _, path := range opts.inputs.Files() {
		switch path {
		case "-":
			names = append(names, "standard input")
		default:
			names = append(names, printable(filepath.Base(path)))
		}
	}
	return strings.Join(names, ", ")
}

func pageSettings(opts *alignOptions) []page.Setting {
	name := "Penalties"
	if opts.similarity() {
		name = "Scoring"
	}
	list := []page.Setting{{Name: name, Value: opts.scoringText()}, {Name: "Span", Value: opts.spanText()}}
	if a := opts.approx(); a != nil {
		auto := func(n int) string {
			if n == 0 {
				return "auto"
			}
			return fmt.Sprint(n)
		}
		list = append(list, page.Setting{Name: "Mode", Value: "approximate, band " + auto(a.Band) + ", lambda " + auto(a.Lambda)})
	} else {
		list = append(list, page.Setting{Name: "Mode", Value: "exact"})
	}
	return list
}

func pageTime(r *report) page.Time {
	t := &r.Time
	p := page.Time{Limit: t.Limit, Reading: t.Reading, Full: t.Full, Writing: t.Writing, Opening: t.Opening, CPU: t.CPU}
	for _, g := range t.GPU {
		name := fmt.Sprintf("GPU %d", g.Device)
		p.GPUs = append(p.GPUs, page.GPUTime{Name: name, Computing: g.Computing, Input: g.Input, Writer: g.Writer, Memory: g.Memory})
	}
	return p
}

// pageDevices are the pairs of all devices, with those of the CPU by cause where GPUs
// are used.
func pageDevices(r *report) []page.Device {
	cpu := &r.Engines.CPU
	methods := []page.Count{
		{Name: "wavefront", Pairs: cpu.Methods.Wavefront}, {Name: "checkpointed", Pairs: cpu.Methods.Checkpointed},
		{Name: "banded", Pairs: cpu.Methods.Banded}, {Name: "approximate", Pairs: cpu.Methods.Approx}, {Name: "in pieces", Pairs: cpu.Methods.Pieces},
	}
	var list []page.Device
	for _, g := range r.Engines.GPU {
		k := &g.Kernels
		list = append(list, page.Device{Name: printable(fmt.Sprintf("GPU %d, %s", g.Device, g.Name)), Pairs: g.Pairs, Counts: []page.Count{
			{Name: "warp", Pairs: k.Warp}, {Name: "block", Pairs: k.Block}, {Name: "edit", Pairs: k.Edit}, {Name: "gotoh", Pairs: k.Gotoh},
			{Name: "tiles", Pairs: k.Tiles}, {Name: "gated", Pairs: k.Gated}, {Name: "general", Pairs: k.General}, {Name: "span", Pairs: k.Span}, {Name: "approximate", Pairs: k.Approx},
			{Name: "in pieces", Pairs: k.Pieces}, {Name: "no kernel needed", Pairs: k.Trivial},
		}})
	}
	if len(list) > 0 {
		methods = append(methods, cpuCauses(cpu, r.Engines.GPU)...)
	}
	name := fmt.Sprintf("CPU, %s, %s", cpu.Level, count(int64(cpu.Threads), "thread"))
	return append(list, page.Device{Name: name, Pairs: cpu.Pairs, Counts: methods})
}
