package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"wfagpu/align"
	"wfagpu/gpu/hybrid"
	seqio "wfagpu/io"
)

// report has the counts and timings of one run, for the summary line and the
// --stats file. Field names are promises to scripts, as flags are.
type report struct {
	Version   string          `json:"version"`
	Build     string          `json:"build"`
	Pairs     int64           `json:"pairs"`
	Bases     int64           `json:"bases"`
	Seconds   float64         `json:"seconds"`
	PairsPerS float64         `json:"pairs_per_second"`
	Penalties reportPenalties `json:"penalties"`
	Match     int             `json:"match,omitempty"` // scores are similarities
	Span      string          `json:"span"`
	Free      string          `json:"free,omitempty"`   // of ends-free
	ZDrop     int             `json:"z_drop,omitempty"` // of extensions
	Mode      string          `json:"mode"`
	Approx    *reportApprox   `json:"approx,omitempty"` // in approximate mode
	Shard     string          `json:"shard,omitempty"`  // k/n of --shard
	ScoreOnly bool            `json:"score_only"`
	Checked   bool            `json:"checked"`
	// MaxDistance is the largest score reported; absent without one. Beyond are the pairs
	// above it.
	MaxDistance *int  `json:"max_distance,omitempty"`
	Beyond      int64 `json:"beyond,omitempty"`
	// Empty alignments have no columns: those of pairs that have nothing in common, or no letters.
	Empty int64 `json:"empty_alignments,omitempty"`
	// Filter is what --max-score and --min-identity left out; absent without them.
	Filter *reportFilter `json:"filter,omitempty"`
	// Failed pairs could not be aligned; mismatched ones did not pass --check.
	Failed     int64         `json:"failed_pairs"`
	Mismatched int64         `json:"mismatched_pairs"`
	Engines    reportEngines `json:"engines"`
	Time       reportTime    `json:"time"`
	// PeakMemory is the largest resident size of the process; absent where the
	// system does not report it.
	PeakMemory int64  `json:"peak_memory_bytes,omitempty"`
	ExitCode   int    `json:"exit_code"`
	Error      string `json:"error,omitempty"`
}

type reportPenalties struct {
	Mismatch  int `json:"mismatch"`
	GapOpen   int `json:"gap_open"`
	GapExtend int `json:"gap_extend"`
	// Of gaps with two costs, the second one.
	LongOpen   int `json:"long_gap_open,omitempty"`
	LongExtend int `json:"long_gap_extend,omitempty"`
}

type reportEngines struct {
	CPU reportCPU   `json:"cpu"`
	GPU []reportGPU `json:"gpu"` // empty where none was used, never null
}

type reportCPU struct {
	Threads int         `json:"threads"`
	Level   string      `json:"level"`
	Pairs   int64       `json:"pairs"`
	Methods methodPairs `json:"methods"`
	// Early of these pairs were taken before the GPUs were open, and Beside while
	// they were in use. Where GPUs are used, the others are their fallbacks; see
	// reportFallback.
	Early  int64 `json:"early,omitempty"`
	Beside int64 `json:"beside,omitempty"`
	// Repeated are pairs of batches that a GPU finished first; Methods may count
	// them.
	Repeated int64 `json:"repeated,omitempty"`
	// Widened is how often a pair of the approximate mode started again with a
	// wider band, or exactly. GaveUp of these pairs were aligned exactly in the
	// end.
	Widened int64 `json:"widened,omitempty"`
	GaveUp  int64 `json:"gave_up,omitempty"`
}

// methodPairs counts pairs by the method that finished them. They are counted
// as they are aligned, so an interrupted run may count more than it wrote.
type methodPairs struct {
	Wavefront    int64 `json:"wavefront"`
	Checkpointed int64 `json:"checkpointed"`
	Banded       int64 `json:"banded"`
	Approx       int64 `json:"approx,omitempty"`
	Pieces       int64 `json:"pieces,omitempty"`
}

func newReport(opts *alignOptions, engine *hybrid.Engine, recall *recaller, sum totals, f *flow, took time.Duration, runErr error) *report {
	stats := engine.Stats()
	r := &report{
		Version:    version,
		Build:      buildText(),
		Pairs:      sum.pairs,
		Bases:      sum.bases,
		Seconds:    took.Seconds(),
		PairsPerS:  float64(sum.pairs) / max(took.Seconds(), 1e-9),
		Penalties:  newReportPenalties(opts.scoring),
		Match:      opts.scoring.Match,
		Span:       spanNames[opts.span],
		ZDrop:      opts.zdrop,
		Mode:       opts.mode,
		Approx:     newReportApprox(opts, recall),
		ScoreOnly:  opts.scoreOnly,
		Checked:    opts.check,
		Empty:      sum.empty,
		Failed:     sum.failed,
		Mismatched: sum.mismatched,
		Engines:    reportEngines{CPU: newReportCPU(engine.Status().CPU, stats.CPU), GPU: newReportGPUs(stats.GPUs)},
		Time:       newReportTime(stats, f, took),
		PeakMemory: peakMemory(),
	}
	if opts.inputs.Shard.Parts > 0 {
		r.Shard = opts.inputs.Shard.String()
	}
	if opts.cutoff > 0 {
		most := opts.cutoff - 1
		r.MaxDistance, r.Beyond = &most, sum.beyond
	}
	r.Filter = newReportFilter(&opts.filter, sum.filtered)
	if opts.span == align.EndsFree {
		r.Free = freeText(opts.free)
	}
	r.end(runErr)
	return r
}

func newReportPenalties(s align.Scoring) reportPenalties {
	return reportPenalties{s.Mismatch, s.GapOpen, s.GapExtend, s.LongGap.Open, s.LongGap.Extend}
}

// end sets how the run ended.
func (r *report) end(err error) {
	r.ExitCode = exitCode(err)
	if err != nil {
		r.Error = err.Error()
	}
}

func newReportCPU(used align.Options, s hybrid.CPUStats) reportCPU {
	exact, approx := s.Exact, s.Approx
	return reportCPU{
		Threads: used.Threads,
		Level:   string(used.Level),
		Pairs:   s.Pairs,
		Methods: methodPairs{
			Wavefront:    exact.Wavefront,
			Checkpointed: exact.Checkpointed,
			Banded:       exact.Banded,
			Approx:       approx.Aligned,
			Pieces:       approx.Pieces,
		},
		Early:    s.Early,
		Beside:   s.Beside,
		Repeated: s.Repeated,
		Widened:  approx.Widened,
		GaveUp:   approx.Fallback,
	}
}

// reportFilter is a filter, and how many pairs it left out.
type reportFilter struct {
	MaxScore    *int    `json:"max_score,omitempty"`
	MinIdentity float64 `json:"min_identity,omitempty"`
	LeftOut     int64   `json:"left_out"`
}

func newReportFilter(f *resultFilter, left int64) *reportFilter {
	if f.none() {
		return nil
	}
	r := &reportFilter{MinIdentity: float64(f.minIdentity) / identityUnit, LeftOut: left}
	if f.maxScore.set {
		r.MaxScore = &f.maxScore.most
	}
	return r
}

// summary is the report in one line.
func (r *report) summary() string {
	line := ""
	if r.Shard != "" {
		line = "shard " + r.Shard + ": "
	}
	line += fmt.Sprintf("%s, %d bases in %.3f s, %s pairs/s; ",
		count(r.Pairs, "pair"), r.Bases, r.Seconds, thousands(r.PairsPerS))
	cpu := &r.Engines.CPU
	if len(r.Engines.GPU) > 0 {
		line += gpuSummary(r.Engines.GPU, r.Approx != nil) + fmt.Sprintf(", cpu %s x%d: ", cpu.Level, cpu.Threads) +
			fallbackSummary(cpu, r.Engines.GPU)
	} else {
		line += fmt.Sprintf("cpu %s x%d: ", cpu.Level, cpu.Threads)
		if r.Approx != nil {
			line += fmt.Sprintf("%d approximate (widened %s, %d gave up), ", cpu.Methods.Approx, count(cpu.Widened, "time"), cpu.GaveUp)
			if cpu.Methods.Pieces > 0 {
				line += fmt.Sprintf("%d in pieces, ", cpu.Methods.Pieces)
			}
		}
		line += fmt.Sprintf("%d wavefront, %d checkpointed, %d banded",
			cpu.Methods.Wavefront, cpu.Methods.Checkpointed, cpu.Methods.Banded)
	}
	if r.MaxDistance != nil {
		line += fmt.Sprintf("; %s above %d", count(r.Beyond, "pair"), *r.MaxDistance)
	}
	if r.Empty > 0 {
		line += "; " + count(r.Empty, "empty alignment")
	}
	if r.Filter != nil {
		line += fmt.Sprintf("; %s left out", count(r.Filter.LeftOut, "pair"))
	}
	if r.Checked {
		line += fmt.Sprintf("; checked, %d wrong", r.Mismatched)
	}
	if r.Approx != nil && r.Approx.Recall != nil {
		line += "; " + r.Approx.Recall.summary()
	}
	return line
}

// write puts the report into a JSON file.
func (r *report) write(ctx context.Context, path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return writeWhole(ctx, "--stats", path, append(text, '\n'))
}

// writeWhole writes the file of a flag at once.
func writeWhole(ctx context.Context, flag, path string, text []byte) error {
	s := stopper{ctx: ctx, sure: surePath(path)}
	err := s.do(func() error { return seqio.WriteFile(path, text) })
	if err != nil && !s.stuck {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return err
}
