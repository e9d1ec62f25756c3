package seqio

import (
	"fmt"
	"testing"
)

// TestExtendedHits: places by hand, on both strands, at the ends of the target, and of split reads.
func TestExtendedHits(t *testing.T) {
	for _, tc := range []struct {
		start, end  int64 // of a query of 100
		from, to    int64 // of a target of 1000
		reverse     bool
		most, flank int64
		want        hitPlace
	}{
		{5, 80, 500, 575, false, 0, 0, hitPlace{5, 80, 500, 575}},
		{5, 80, 500, 575, false, 0, 7, hitPlace{5, 80, 493, 582}},
		{5, 80, 500, 575, false, 20, 0, hitPlace{0, 100, 485, 607}},
		{5, 80, 500, 575, false, 20, 3, hitPlace{0, 100, 482, 610}},
		{5, 80, 500, 575, false, 19, 0, hitPlace{0, 80, 485, 575}},
		{5, 80, 500, 575, true, 20, 0, hitPlace{0, 100, 468, 590}},
		{5, 80, 500, 575, true, 19, 0, hitPlace{0, 80, 500, 590}},
		{0, 100, 500, 600, false, 20, 0, hitPlace{0, 100, 500, 600}},
		{30, 100, 10, 80, false, 50, 0, hitPlace{20, 100, 0, 80}},
		{0, 70, 10, 80, true, 50, 0, hitPlace{0, 80, 0, 80}},
		{0, 70, 910, 985, false, 50, 0, hitPlace{0, 85, 910, 1000}},
		{30, 100, 910, 985, true, 50, 0, hitPlace{15, 100, 910, 1000}},
		{5, 95, 3, 998, false, 9, 0, hitPlace{2, 97, 0, 1000}},
		{5, 80, 0, 1000, true, 20, 5, hitPlace{5, 80, 0, 1000}},
	} {
		h := hit{queryLength: 100, queryStart: tc.start, queryEnd: tc.end, targetLength: 1000, targetFrom: tc.from, targetTo: tc.to, reverse: tc.reverse}
		if got := h.extended(tc.most, tc.flank); got != tc.want {
			t.Errorf("%+v: %s", tc, fmt.Sprint(got))
		}
	}
}
