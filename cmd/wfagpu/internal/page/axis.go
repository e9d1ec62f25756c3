package page

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// axis maps values to places across a chart, in percent of its width.
type axis struct {
	bins
	mirrored bool // large values at the left
	// label is the text of a value beside the axis.
	label func(v int) string

	from, to   float64 // scaled limits of the inner bars
	start, end float64 // their places before mirroring
}

const (
	outerBar = 3.0 // of a bar apart from the others, in percent
	outerGap = 1.5
)

func newAxis(b bins, mirrored bool, label func(int) string) *axis {
	a := &axis{bins: b, mirrored: mirrored, label: label, end: 100}
	if b.zero || b.below {
		a.start = outerBar + outerGap
	}
	if b.above {
		a.end = 100 - outerBar - outerGap
	}
	a.from, a.to = a.border(b.edges[0]), a.border(b.edges[len(b.edges)-1])
	return a
}

// border is the scaled limit below the value v. Values are whole numbers, and each lies in
// the middle of what it takes: the bar of 3 alone goes from 2.5 to 3.5.
func (a *axis) border(v int) float64 { return a.scale(float64(v) - 0.5) }

// scale is v, or its logarithm. That of 1 has less room than from 0.5 on.
func (a *axis) scale(v float64) float64 {
	if a.log {
		return math.Log(max(v, 0.7))
	}
	return v
}

// at is the place of a value, and atScaled that of what scale returns.
func (a *axis) at(v float64) float64 { return a.atScaled(a.scale(v)) }

func (a *axis) atScaled(v float64) float64 {
	x := a.start + (v-a.from)/(a.to-a.from)*(a.end-a.start)
	if a.mirrored {
		return 100 - x
	}
	return x
}

// span is the place of a bar.
func (a *axis) span(v interval) (x, width float64) {
	from, to := 0.0, outerBar
	switch v.place {
	case inside:
		from, to = a.atScaled(a.border(v.from)), a.atScaled(a.border(v.to))
		return min(from, to), math.Abs(to - from)
	case above:
		from, to = 100-outerBar, 100
	}
	if a.mirrored {
		from = 100 - to
	}
	return from, outerBar
}

// tick is a label of an axis.
type tick struct {
	X, Y   string // X in percent, or Y in pixels
	Label  string
	Anchor string
}

const (
	mostTicks = 8
	// The width of text on the narrowest screens: of a letter and of a space between
	// labels, and by how much a label may leave the plot, in percent of the plot's width.
	letterWidth = 2.7
	labelSpace  = 3.0
	labelMargin = 10.0
)

// ticks are the labels of the axis. None is in the way of another: bars apart have
// theirs, and of the others there are as many as there is room for.
func (a *axis) ticks() []tick {
	var list []tick
	var taken []span
	for _, v := range a.intervals() {
		if v.place != inside {
			x, width := a.span(v)
			t, at := newTick(x+width/2, a.text(v))
			list, taken = append(list, t), append(taken, at)
		}
	}
	for _, values := range a.choices() {
		inner, fits := a.fit(values, taken)
		if fits && len(inner) <= mostTicks {
			list = append(list, inner...)
			break
		}
	}
	for _, v := range a.minor() {
		list = append(list, tick{X: coordinate(a.at(float64(v)))})
	}
	return list
}

// newTick is a label at x and the place that it takes.
func newTick(x float64, label string) (tick, span) {
	width := letterWidth * float64(utf8.RuneCountInString(label))
	t, at := tick{X: coordinate(x), Label: label, Anchor: "middle"}, span{x - width/2, x + width/2}
	if at.to > 100+labelMargin {
		t.Anchor, at = "end", span{x - width, x}
	}
	return t, at
}

// fit makes labels of values, without those that are in the way of labels apart, and
// reports whether none is in the way of another.
func (a *axis) fit(values []int, apart []span) (list []tick, fits bool) {
	var taken []span
	for _, v := range values {
		x := a.at(float64(v))
		t, at := newTick(x, a.label(v))
		if x < 0 || x > 100 || slices.ContainsFunc(apart, at.overlaps) {
			continue
		}
		if slices.ContainsFunc(taken, at.overlaps) {
			return nil, false
		}
		list, taken = append(list, t), append(taken, at)
	}
	return list, true
}

// span is a part of the width of a plot, in percent.
type span struct{ from, to float64 }

func (s span) overlaps(t span) bool { return s.from < t.to+labelSpace && t.from < s.to+labelSpace }

// text is the values of a bar.
func (a *axis) text(v interval) string {
	switch {
	case v.place == zeros:
		return a.label(0)
	case v.place == below && a.mirrored:
		return "> " + a.label(v.to)
	case v.place == below:
		return "< " + a.label(v.to)
	case v.place == above && a.mirrored:
		return "≤ " + a.label(v.from)
	case v.place == above:
		return "≥ " + a.label(v.from)
	case a.mirrored:
		return a.label(v.to) + "–" + a.label(v.from)
	case v.to-v.from == 1:
		return a.label(v.from)
	}
	return a.label(v.from) + "–" + a.label(v.to-1)
}

// choices are sets of round values of the axis, the largest ones first. The last one
// has a value or none.
func (a *axis) choices() [][]int {
	first, last := a.edges[0], a.edges[len(a.edges)-1]
	var sets [][]int
	if a.log {
		for _, digits := range [][]int{{1, 2, 5}, {1, 3}, {1}} {
			sets = append(sets, a.powers(digits))
		}
		for every := 2; len(sets[2]) > every; every++ { // a very long axis
			var thin []int
			for i := 0; i < len(sets[2]); i += every {
				thin = append(thin, sets[2][i])
			}
			sets = append(sets, thin)
		}
		return sets
	}
	for width := step(float64(last-first) / mostTicks); len(sets) == 0 || len(sets[len(sets)-1]) > 1; width = step(float64(width + 1)) {
		var set []int
		for v := (first + width - 1) / width * width; v <= last; v += width {
			set = append(set, v)
		}
		sets = append(sets, set)
	}
	return sets
}

// powers are the values of the axis that have one of these digits and zeros.
func (a *axis) powers(digits []int) []int {
	var list []int
	first, last := a.edges[0], a.edges[len(a.edges)-1]
	for unit := 1; unit <= last; unit *= 10 {
		for _, n := range digits {
			if v := n * unit; v >= first && v < last {
				list = append(list, v)
			}
		}
	}
	return list
}

// minor are the values of a logarithmic axis with marks of their own.
func (a *axis) minor() []int {
	if !a.log {
		return nil
	}
	return a.powers([]int{1, 2, 3, 4, 5, 6, 7, 8, 9})
}

// coordinate is a number of an SVG attribute.
func coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
