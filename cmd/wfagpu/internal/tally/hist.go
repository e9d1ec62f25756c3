package tally

import "math"

// A histogram has a bin for every value below exact. From there on it keeps three
// digits: 900 bins for each power of ten, of width 10, 100, and so on. Its bins end
// at round numbers, so that bins of a chart are sums of whole ones.
const (
	exact  = 1000
	perTen = 900
)

// Hist is a histogram of values from 0 on. It takes the memory that its largest value
// needs: 8 kB below 1000 and 7 kB more for each power of ten, 123 kB at most. The zero
// value is empty.
type Hist struct {
	n, sum   int64
	min, max int
	counts   []int64 // of bins 0 to bin(max) at least; 0 from there on
}

// bin is the bin of v.
func bin(v int) int {
	if v < exact {
		return v
	}
	first := exact
	for v >= 10*exact {
		v /= 10
		first += perTen
	}
	return first + v/10 - exact/10
}

// Bin returns the values that are counted together with v: from, and those below to.
// to is the largest int where no int is large enough.
func Bin(v int) (from, to int) {
	width := 1
	for w := v; w >= exact; w /= 10 {
		width *= 10
	}
	from = v - v%width
	if from > math.MaxInt-width {
		return from, math.MaxInt
	}
	return from, from + width
}

// Add counts v, which is 0 or more.
func (h *Hist) Add(v int) {
	i := bin(v)
	if i >= len(h.counts) {
		h.grow(i + 1)
	}
	h.counts[i]++
	if h.n == 0 || v < h.min {
		h.min = v
	}
	h.max = max(h.max, v)
	h.n++
	h.sum += int64(v)
}

// grow makes room for bins, in few steps.
func (h *Hist) grow(bins int) {
	size := exact
	for size < bins {
		size += perTen
	}
	h.counts = append(h.counts, make([]int64, size-len(h.counts))...)
}

// Join counts all values of g.
func (h *Hist) Join(g *Hist) {
	if g.n == 0 {
		return
	}
	first, last := bin(g.min), bin(g.max)
	if last >= len(h.counts) {
		h.grow(last + 1)
	}
	for i, n := range g.counts[first : last+1] {
		h.counts[first+i] += n
	}
	if h.n == 0 || g.min < h.min {
		h.min = g.min
	}
	h.max = max(h.max, g.max)
	h.n += g.n
	h.sum += g.sum
}

// Bytes is the memory of the histogram.
func (h *Hist) Bytes() int64 { return int64(cap(h.counts)) * 8 }

// Reset empties the histogram and keeps its memory.
func (h *Hist) Reset() {
	if h.n > 0 {
		clear(h.counts[bin(h.min) : bin(h.max)+1])
	}
	*h = Hist{counts: h.counts}
}

// Count returns how many values there are, and Sum their sum.
func (h *Hist) Count() int64 { return h.n }
func (h *Hist) Sum() int64   { return h.sum }

// Min and Max are the least and the largest value, 0 if there is none.
func (h *Hist) Min() int { return h.min }
func (h *Hist) Max() int { return h.max }

// Mean is the exact mean, 0 if there is no value.
func (h *Hist) Mean() float64 { return float64(h.sum) / float64(max(h.n, 1)) }

// Quantile returns the value of rank ⌈q·n⌉ in order, 0 < q ≤ 1: the median for q = 0.5
// is the lower one of two. It is exact below 1000, and rounded down to three digits
// from there on, but not below Min. It is 0 if there is no value.
func (h *Hist) Quantile(q float64) int {
	return h.ranked(max(1, int64(math.Ceil(q*float64(h.n)))))
}

// ranked returns the value of a rank from 1 on, as Quantile does.
func (h *Hist) ranked(rank int64) int {
	for i, n := range h.counts {
		if rank -= n; rank <= 0 {
			return max(first(i), h.min)
		}
	}
	return h.max
}

// first is the least value of bin i.
func first(i int) int {
	if i < exact {
		return i
	}
	tens, at := (i-exact)/perTen, (i-exact)%perTen
	v := exact/10 + at
	for range tens + 1 {
		v *= 10
	}
	return v
}

// Between counts the values of from and above that are below to. It is exact if both
// are limits of bins, as all numbers of up to three digits and zeros after them are;
// the values of another bin count as its least one.
func (h *Hist) Between(from, to int) int64 {
	i := bin(max(from, 0))
	if first(i) < from {
		i++
	}
	var n int64
	for ; i < len(h.counts) && first(i) < to; i++ {
		n += h.counts[i]
	}
	return n
}
