package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"wfagpu/cmd/wfagpu/internal/tally"
)

// integer is n with commas between groups of three digits.
func integer[T int | int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// brief is n as the label of an axis, such as 250k; n is a round number.
func brief(n int64) string {
	switch {
	case n >= 1e9:
		return strconv.FormatFloat(float64(n)/1e9, 'f', -1, 64) + "G"
	case n >= 1e6:
		return strconv.FormatFloat(float64(n)/1e6, 'f', -1, 64) + "M"
	case n >= 1e4:
		return strconv.FormatFloat(float64(n)/1e3, 'f', -1, 64) + "k"
	}
	return integer(n)
}

// decimal is a mean: one digit after the point, and two significant ones at least.
func decimal(v float64) string {
	if v >= 1000 {
		return integer(int64(math.Round(v)))
	}
	if v >= 1 || v == 0 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// noun is "1 pair", "2 pairs".
func noun(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return integer(n) + " " + plural(one)
}

// plural is "pairs" and "queries".
func plural(one string) string {
	if stem, ok := strings.CutSuffix(one, "y"); ok {
		return stem + "ies"
	}
	return one + "s"
}

// share is a part of a whole in percent. Only nothing is 0 %, and only all is 100 %.
func share(part, whole int64) string {
	if part == 0 || whole == 0 {
		return percent("0")
	}
	if part == whole {
		return percent("100")
	}
	p := 100 * float64(part) / float64(whole)
	switch {
	case p < 0.01:
		return percent("< 0.01")
	case p > 99.99:
		return percent("> 99.99")
	case p < 1 || p >= 99.95:
		return percent(fmt.Sprintf("%.2f", p))
	}
	return percent(fmt.Sprintf("%.1f", p))
}

// part is a part of the time of a run, from 0 to 1.
func part(of float64) string { return percent(strconv.FormatFloat(100*of, 'f', 0, 64)) }

// percent puts the sign after a number; they stay on one line.
func percent(number string) string { return number + "\u00a0%" }

// identity is the identity of a pair with a difference in millionths, in percent,
// with the digits that tally.Hist knows.
func identity(difference int) string { return percent(identityNumber(float64(difference))) }

func identityNumber(difference float64) string {
	digits := 2
	switch {
	case difference == 0:
		digits = 0
	case difference < 100:
		digits = 4
	case difference < 1000:
		digits = 3
	case difference >= 100_000:
		digits = 1
	}
	return strconv.FormatFloat(100*(1-difference/tally.PerMillion), 'f', digits, 64)
}

// seconds is a duration with the digits that matter.
func seconds(s float64) string {
	switch {
	case s < 10:
		return fmt.Sprintf("%.2f\u00a0s", s)
	case s < 120:
		return fmt.Sprintf("%.1f\u00a0s", s)
	case s < 7200:
		return fmt.Sprintf("%d\u00a0min %d\u00a0s", int(s)/60, int(s)%60)
	}
	return fmt.Sprintf("%d\u00a0h %d\u00a0min", int(s)/3600, int(s)%3600/60)
}
