package page

import (
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/cmd/wfagpu/internal/tally"
)

// Runs of all kinds, of made-up pairs.

// sample is the batch of n pairs with lengths between two limits and about this rate of
// differences.
func sample(r *rand.Rand, n, shortest, longest int, rate float64) *align.Batch {
	b := &align.Batch{}
	for range n {
		length := shortest + r.IntN(longest-shortest+1)
		own := rate * math.Exp(r.NormFloat64()/2)
		var c cigar.CIGAR
		score, target := 0, length
		for left := length; left > 0; {
			run := min(left, int(r.ExpFloat64()/own)+1)
			c = c.Append(cigar.Match, run)
			if left -= run; left <= 0 {
				break
			}
			switch gap := min(left, int(math.Pow(r.Float64(), -0.7))); r.IntN(4) {
			case 0:
				c, left, target, score = c.Append(cigar.Ins, gap), left-gap, target-gap, score+3+gap
			case 1:
				c, target, score = c.Append(cigar.Del, gap), target+gap, score+3+gap
			default:
				c, left, score = c.Append(cigar.Mismatch, 1), left-1, score+2
			}
		}
		b.Pairs = append(b.Pairs, align.Pair{Pattern: make([]byte, length), Text: make([]byte, target)})
		b.Results = append(b.Results, align.Result{Score: score, CIGAR: c})
	}
	return b
}

// run is the page of a batch.
func run(b *align.Batch) *Run {
	t := &tally.Pairs{}
	t.Add(b)
	return &Run{
		Version: "0.0.0", Build: "a build", Command: "wfagpu align pairs.seq", Input: "pairs.seq",
		Settings: []Setting{{"Penalties", "mismatch 2; a gap of length l costs 3 + 1·l"}, {"Mode", "exact"}},
		Finished: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Seconds: 1.5, Bases: int64(b.Bases()), Tally: t,
		Time:    Time{Limit: "the CPU", Reading: 0.2, Full: 0.5, Writing: 0.01, CPU: 0.98},
		Devices: []Device{{"CPU, avx2, 4 threads", t.Count(), []Count{{"wavefront", t.Count()}, {"banded", 0}}}},
	}
}

// hostile is a text that would end every kind of quotation.
const hostile = `</title></style><script>alert("1")</script>' onload='x" \x1b[31m &amp; <!-- ]]> é`

// samples are runs by name.
func samples() map[string]*Run {
	r := rand.New(rand.NewPCG(3, 0))
	short := run(sample(r, 5000, 150, 150, 0.01))
	long := run(sample(r, 400, 500, 20_000, 0.1))
	accurate := run(sample(r, 400, 9000, 20_000, 0.0003))
	mixed := run(sample(r, 3000, 1, 30_000, 0.003))

	gpus := run(sample(r, 3000, 100, 3000, 0.05))
	gpus.Time = Time{Limit: "the GPUs, and more of their memory would help", Reading: 0.3, Full: 0.6, Writing: 0.1, Opening: 0.05, CPU: 0.2}
	for _, name := range []string{"GPU 0, NVIDIA H200", "GPU 1, NVIDIA H200 with a name that is much longer than others are"} {
		gpus.Time.GPUs = append(gpus.Time.GPUs, GPUTime{name[:5], 0.7, 0.1, 0.15, 0.4})
		gpus.Devices = append(gpus.Devices, Device{name, 1000, []Count{{"warp", 600}, {"block", 400}}})
	}

	approx := run(sample(r, 1000, 600, 3000, 0.1))
	approx.Approx = true
	excess := &tally.Hist{}
	for range 300 {
		excess.Add(1 + int(r.ExpFloat64()*20))
	}
	approx.Recall = &Recall{Pairs: 1000, Optimal: 700, Excess: excess, ExcessPercent: 0.25}

	scoresOnly := sample(r, 500, 90, 110, 0.05)
	for i := range scoresOnly.Results {
		scoresOnly.Results[i].CIGAR = nil
		if i%7 == 0 {
			scoresOnly.Results[i].Score = align.Beyond
		}
	}
	scores := run(scoresOnly)
	most := 30
	scores.ScoreOnly, scores.MaxDistance, scores.Checked, scores.Mismatched = true, &most, true, 2

	failed := sample(r, 20, 90, 110, 0.05)
	for i := range failed.Results {
		if i%3 == 0 {
			failed.Results[i] = align.Result{Err: errors.New("not aligned")}
		}
	}
	broken := run(failed)
	broken.Error, broken.ExitCode = hostile, 1
	broken.Command, broken.Input, broken.Version, broken.Build = hostile, hostile, hostile, hostile
	broken.Settings[0] = Setting{hostile, hostile}
	broken.Time.Limit = hostile
	broken.Devices[0].Name = hostile

	one := run(sample(r, 1, 5, 5, 0.0001))
	equal := run(sample(r, 100, 40, 40, 1e-9))
	empty := run(&align.Batch{Pairs: make([]align.Pair, 3), Results: make([]align.Result, 3)})
	none := run(&align.Batch{})
	none.Error, none.ExitCode = "stopped by signal: interrupt", 130
	return map[string]*Run{
		"short": short, "long": long, "accurate": accurate, "mixed": mixed, "gpus": gpus, "approx": approx, "scores": scores,
		"broken": broken, "one": one, "equal": equal, "empty": empty, "none": none,
	}
}
