package main

import "fmt"

// reportApprox has the settings and the recall of an approximate run.
type reportApprox struct {
	// Band and Lambda are as given, 0 for automatic.
	Band   int           `json:"band"`
	Lambda int           `json:"lambda"`
	Recall *reportRecall `json:"recall,omitempty"` // with --recall
}

// reportRecall compares approximate scores with the optima, for the pairs for
// which there are both.
type reportRecall struct {
	Pairs   int64   `json:"pairs"`
	Optimal int64   `json:"optimal"`
	Percent float64 `json:"recall_percent"` // of the pairs, those with the optimal score
	// ExcessPercent is by how much the sum of the scores exceeds that of the
	// optima.
	ExcessPercent float64 `json:"mean_excess_percent"`
	// LargestExcess is the most that a pair's score exceeds its optimum by.
	LargestExcess int `json:"largest_excess"`
}

// newReportApprox is nil for an exact run; recall is nil without --recall.
func newReportApprox(opts *alignOptions, recall *recaller) *reportApprox {
	if opts.approx() == nil {
		return nil
	}
	a := &reportApprox{Band: opts.band, Lambda: opts.lambda}
	if recall != nil {
		a.Recall = recall.report()
	}
	return a
}

// summary is the part of the summary line.
func (r *reportRecall) summary() string {
	if r.Pairs == 0 {
		return "recall: no pair to compare"
	}
	return fmt.Sprintf("recall %.2f %% (%d of %s), mean excess %.4f %%, largest %d",
		r.Percent, r.Optimal, count(r.Pairs, "pair"), r.ExcessPercent, r.LargestExcess)
}
