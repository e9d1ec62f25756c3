package page

import (
	"math"
	"slices"

	"wfagpu/cmd/wfagpu/internal/tally"
)

// bins are the ranges of values that the bars of a chart stand for. Bar i counts values
// of edges[i] on that are below edges[i+1]. All edges are limits of tally's bins, so
// that the counts are exact.
type bins struct {
	edges []int
	log   bool // on a logarithmic axis
	zero  bool // with a bar for 0 apart, which such an axis does not have
	// below and above say that there are values outside the edges. They have a bar
	// each, at the ends.
	below, above bool
}

const (
	mostBars  = 45 // of a linear axis
	leastBars = 8
	// nearby is the part of the range of most values by which it is widened to take in
	// all of them.
	nearby = 0.3
	// manyBars is the ratio of values from which a logarithmic axis has five bars for
	// a power of ten in place of ten.
	manyBars = 10_000
)

// linear returns bins of equal width for the values of h, but for a share tail of them at
// either end. Width is 1, 2 or 5 times a power of ten, or 0 for one that depends on
// the values.
func linear(h *tally.Hist, tail float64, width int) bins {
	from, to := core(h, tail)
	if width == 0 {
		width = step(float64(to+1-from) / mostBars)
	}
	least, next := tally.Bin(to)
	width = max(width, next-least)
	first := from / width * width
	last := (to/width + 1) * width
	for n := (last - first) / width; n < leastBars; n = (last - first) / width {
		if first >= width {
			first -= width
		}
		last += width
	}
	var b bins
	for v := first; v <= last; v += width {
		b.edges = append(b.edges, v)
	}
	b.below, b.above = h.Min() < first, h.Max() >= last
	return b
}

// core is the range of the values but for a share tail of them at either end, or of
// all where that is not much more.
func core(h *tally.Hist, tail float64) (from, to int) {
	from, to = h.Min(), h.Max()
	if tail > 0 {
		from, to = h.Quantile(tail), h.Quantile(1-tail)
	}
	room := int(nearby * float64(to-from))
	if h.Min() >= from-room {
		from = h.Min()
	}
	if h.Max() <= to+room {
		to = h.Max()
	}
	if from < room {
		from = 0
	}
	return from, to
}

// step is the least of 1, 2, 5, 10, 20, 50 and so on that is v or more.
func step(v float64) int {
	for unit := 1; ; unit *= 10 {
		for _, n := range []int{1, 2, 5} {
			if float64(n*unit) >= v {
				return n * unit
			}
		}
	}
}

// scattered reports whether most values of h, but for a share tail of them at either
// end, differ by this ratio or more.
func scattered(h *tally.Hist, tail float64, ratio int) bool {
	from, to := h.Min(), h.Max()
	if tail > 0 {
		from, to = h.Quantile(tail), h.Quantile(1-tail)
	}
	return to/max(from, 1) >= ratio
}

// The edges of a logarithmic axis in a power of ten. Whole numbers below ten allow
// coarse ones alone.
var (
	coarse = []float64{1, 1.6, 2.5, 4, 6.3}
	fine   = []float64{1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8}
)

// logarithmic returns bins of about equal ratio for all values of h, of which one is
// not 0.
func logarithmic(h *tally.Hist) bins {
	from, to := max(h.Quantile(rank(h.Between(0, 1)+1, h.Count())), 1), h.Max()
	b := bins{log: true, zero: h.Min() == 0}
	for unit := 1.0; len(b.edges) == 0 || b.edges[len(b.edges)-1] <= to; unit *= 10 {
		series := fine
		if unit == 1 || to/from >= manyBars {
			series = coarse
		}
		for _, n := range series {
			b.edges = append(b.edges, int(math.Round(n*unit)))
		}
	}
	start, _ := slices.BinarySearch(b.edges, from+1)
	end, _ := slices.BinarySearch(b.edges, to+1)
	b.edges = b.edges[start-1 : end+1]
	return b
}

// rank is the quantile of the i-th of n values.
func rank(i, n int64) float64 { return (float64(i) - 0.5) / float64(n) }

// interval is the values of one bar: from from on, below to.
type interval struct {
	from, to int
	place    place
}

// place says whether a bar is one of the axis, or apart from it at an end.
type place uint8

const (
	inside place = iota
	zeros
	below
	above
)

// intervals are those of all bars, in ascending order.
func (b *bins) intervals() []interval {
	first, last := b.edges[0], b.edges[len(b.edges)-1]
	var all []interval
	if b.zero {
		all = append(all, interval{0, 1, zeros})
	}
	if b.below {
		all = append(all, interval{0, first, below})
	}
	for i, from := range b.edges[:len(b.edges)-1] {
		all = append(all, interval{from, b.edges[i+1], inside})
	}
	if b.above {
		all = append(all, interval{last, math.MaxInt, above})
	}
	return all
}
