package report

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	var out strings.Builder
	r := &Report{Out: &out, Part: "p"}
	r.Result("a", "time", 1.5, "s", nil)
	r.Result("a", "ratio", 15, "times", AtLeast(15))
	r.Result("b", "ratio", 14.9, "times", AtLeast(15))
	r.Result("c", "spread", 1.11, "times", AtMost(1.1))
	r.Result("c", "spread", math.NaN(), "times", AtMost(1.1))
	r.Fail("d", nil)
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	r.Fail("e", errors.New("two\nlines\tof it"))
	want := strings.ReplaceAll(`RESULT p a time 1.5 s  -
RESULT p a ratio 15 times >=15 met
RESULT p b ratio 14.9 times >=15 missed
RESULT p c spread 1.11 times <=1.1 missed
RESULT p c spread NaN times <=1.1 missed
`, " ", "\t") + "FAILED\tp\te\ttwo lines of it\n"
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
	if err := r.Err(); err == nil || err.Error() != "p: failed: e" {
		t.Errorf("error %v", err)
	}
}
