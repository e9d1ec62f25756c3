package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeTSV writes every figure: a line for each tool, mode and set.
func (c *paperConfig) writeTSV(w io.Writer, done []*outcome) error {
	fmt.Fprintln(w, "set\tdevice\ttool\tmode\tthreads\tpenalties\tmean_length\tmean_score\trounds\tpairs\tseconds\t"+
		"pairs_per_s\tmin_pairs_per_s\tmax_pairs_per_s\ttarget\ttarget_seconds\tchecked\toptimal\trecall_pct\texcess_pct\tinvalid\t"+
		"wfagpu_cpu_times\twfagpu_gpu_times\tfailure")
	for _, o := range done {
		sum := 0
		for _, r := range o.sample.Results {
			sum += r.Score
		}
		for _, r := range o.rows {
			failure, low, high := "", 0.0, 0.0
			if r.failure != nil {
				failure = strings.Join(strings.Fields(r.failure.Error()), " ")
			} else {
				low, high = slices.Min(r.rates), slices.Max(r.rates)
			}
			over := func(device string) float64 {
				if r.rate() == 0 {
					return 0
				}
				return reference(o, r, device) / r.rate()
			}
			target := 0.0
			if r.rate() > 0 {
				target = float64(o.target) / r.rate()
			}
			_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%v\t%d\t%.2f\t%d\t%d\t%.4f\t%.6g\t%.6g\t%.6g\t%d\t%.6g\t%d\t%d\t%.3f\t%.4f\t%d\t%.4g\t%.4g\t%s\n",
				o.title, r.device, r.tool, r.mode, r.threads, c.penalties, o.meanLength(),
				float64(sum)/float64(max(1, len(o.sample.Results))), len(r.rates), r.pairs, r.seconds,
				r.rate(), low, high, o.target, target,
				r.tally.Checked, r.tally.Optimal, r.tally.Recall(), r.tally.Excess(), r.tally.Invalid,
				over("CPU"), over("GPU"), failure)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
