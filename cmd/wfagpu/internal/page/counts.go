package page

import "math"

// countAxis maps counts to heights.
type countAxis struct {
	log bool
	top float64 // the count at the top
}

// least is the count at the foot of a logarithmic axis: a bar of 1 has a height.
const least = 0.5

func newCountAxis(most int64, log bool) *countAxis {
	return &countAxis{log: log, top: float64(max(most, 1)) * 1.04}
}

// height is that of a count above 0, in pixels.
func (a *countAxis) height(n int64) float64 {
	if a.log {
		return plotHeight * math.Log(float64(n)/least) / math.Log(a.top/least)
	}
	return plotHeight * float64(n) / a.top
}

// ticks are round counts; 0 is one of them on a linear axis.
func (a *countAxis) ticks() []tick {
	var list []tick
	add := func(n int64, height float64) {
		list = append(list, tick{Y: coordinate(plotHeight - height), Label: brief(n)})
	}
	if a.log {
		factor := 10.0
		for math.Log(a.top)/math.Log(factor) > 6 {
			factor *= 10
		}
		for n := 1.0; n <= a.top; n *= factor {
			add(int64(n), a.height(int64(n)))
		}
		return list
	}
	width := step(a.top / 6)
	for n := 0; float64(n) <= a.top; n += width {
		add(int64(n), a.height(int64(n)))
	}
	return list
}
