package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"wfagpu/align"
)

// The tally of prepared scores, over two batches. Pairs with an error on either
// side are not in it.
func TestRecallTally(t *testing.T) {
	none := errors.New("not aligned")
	scores := func(of ...any) []align.Result {
		var results []align.Result
		for _, x := range of {
			if err, ok := x.(error); ok {
				results = append(results, align.Result{Err: err})
			} else {
				results = append(results, align.Result{Score: x.(int)})
			}
		}
		return results
	}
	for _, tc := range []struct {
		name           string
		approx, exact  [2][]align.Result
		want           reportRecall
		summary, below string
	}{
		{
			name:   "some above the optimum",
			approx: [2][]align.Result{scores(10, 0, 33), scores(40, 24)}, exact: [2][]align.Result{scores(10, 0, 30), scores(40, 20)},
			want:    reportRecall{Pairs: 5, Optimal: 3, Percent: 60, ExcessPercent: 7, LargestExcess: 4},
			summary: "recall 60.00 % (3 of 5 pairs), mean excess 7.0000 %, largest 4",
		},
		{
			name:   "errors",
			approx: [2][]align.Result{scores(none, 12, 50), scores(8)}, exact: [2][]align.Result{scores(1, 10, none), scores(6)},
			want:    reportRecall{Pairs: 2, Optimal: 0, Percent: 0, ExcessPercent: 25, LargestExcess: 2},
			summary: "recall 0.00 % (0 of 2 pairs), mean excess 25.0000 %, largest 2",
		},
		{
			name:   "equal sequences alone",
			approx: [2][]align.Result{scores(0), scores()}, exact: [2][]align.Result{scores(0), scores()},
			want:    reportRecall{Pairs: 1, Optimal: 1, Percent: 100},
			summary: "recall 100.00 % (1 of 1 pair), mean excess 0.0000 %, largest 0",
		},
		{
			name:    "nothing but errors",
			approx:  [2][]align.Result{scores(none), scores(5)},
			exact:   [2][]align.Result{scores(4), scores(none)},
			summary: "recall: no pair to compare",
		},
		{
			name:   "below the optimum",
			approx: [2][]align.Result{scores(5), scores(9, 7)}, exact: [2][]align.Result{scores(5), scores(9, 8)},
			below: "internal error: pair 102: the approximate score 7 is below the exact one, 8",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := &recaller{}
			var problems []pairProblem
			var err error
			for i := range tc.approx {
				b := &align.Batch{Pairs: make([]align.Pair, len(tc.approx[i])), Results: tc.approx[i], First: int64(1 + 100*i)}
				r.engine = lyingEngine{tc.exact[i]}
				if problems, err = r.after(failures)(t.Context(), b, problems); err != nil {
					break
				}
			}
			if tc.below != "" {
				if err == nil || err.Error() != tc.below || exitCode(err) != exitFailed {
					t.Errorf("got %v, exit code %d, want %s, %d", err, exitCode(err), tc.below, exitFailed)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := *r.report(); got != tc.want || got.summary() != tc.summary {
				t.Errorf("got  %+v, %s\nwant %+v, %s", got, got.summary(), tc.want, tc.summary)
			}
			// What the inspection before has found is passed on.
			failed := strings.Count(fmt.Sprint(tc.approx), none.Error())
			if len(problems) != failed {
				t.Errorf("%d problems, want %d", len(problems), failed)
			}
		})
	}
}
