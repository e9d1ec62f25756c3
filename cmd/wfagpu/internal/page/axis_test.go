package page

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"wfagpu/cmd/wfagpu/internal/tally"
)

// spread draws values of one of several shapes.
func spread(r *rand.Rand) []int {
	n := 1 + r.IntN(2000)
	low, wide := r.IntN(5000), 1+r.IntN(20_000)
	shape := r.IntN(4)
	v := make([]int, n)
	for i := range v {
		switch shape {
		case 0:
			v[i] = low
		case 1:
			v[i] = low + r.IntN(wide)
		case 2:
			v[i] = int(math.Exp(r.Float64() * math.Log(float64(wide))))
		case 3:
			v[i] = int(r.ExpFloat64() * float64(wide))
		}
	}
	if r.IntN(3) == 0 {
		v = append(v, 0, 1_000_000)
	}
	return v
}

// The bars of every choice of bins take all values, each of them exactly one, and lie
// beside each other.
func TestBins(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	logs := 0
	for round := range 400 {
		v := spread(r)
		var h tally.Hist
		for _, x := range v {
			h.Add(x)
		}
		choices := []bins{linear(&h, tail, 0), linear(&h, 0, 0), valueBins(&h)}
		if scattered(&h, 0, wideGaps) {
			choices = append(choices, logarithmic(&h))
			logs++
		}
		for i, b := range choices {
			for _, mirrored := range []bool{false, true} {
				if err := checkBins(b, &h, v, mirrored); err != nil {
					t.Fatalf("round %d, choice %d, %d values from %d to %d: %v\n%+v", round, i, len(v), h.Min(), h.Max(), err, b)
				}
			}
		}
	}
	if logs < 100 {
		t.Errorf("%d logarithmic axes", logs)
	}
}

func checkBins(b bins, h *tally.Hist, v []int, mirrored bool) error {
	a := newAxis(b, mirrored, strconv.Itoa)
	if len(b.edges) > 130 || len(b.edges) < 2 {
		return fmt.Errorf("%d edges", len(b.edges))
	}
	last, lastEnd := 0, 0.0
	var sum int64
	for i, iv := range b.intervals() {
		if i > 0 && iv.from != last && !b.zero {
			return fmt.Errorf("bar %d is from %d to %d, after %d", i, iv.from, iv.to, last)
		}
		last = iv.to
		want := 0
		for _, x := range v {
			if x >= iv.from && x < iv.to {
				want++
			}
		}
		got := h.Between(iv.from, iv.to)
		if got != int64(want) {
			return fmt.Errorf("%d values of %+v, want %d", got, iv, want)
		}
		sum += got
		x, width := a.span(iv)
		if mirrored {
			x = 100 - x - width
		}
		if x < lastEnd-1e-6 || width <= 0 || x+width > 100+1e-6 {
			return fmt.Errorf("bar %d is at %v, %v wide, after %v", i, x, width, lastEnd)
		}
		lastEnd = x + width
	}
	if sum != h.Count() {
		return fmt.Errorf("%d values of %d", sum, h.Count())
	}
	ticks := a.ticks()
	labels := 0
	for _, tick := range ticks {
		if x, err := strconv.ParseFloat(tick.X, 64); err != nil || x < -0.001 || x > 100.001 {
			return fmt.Errorf("a label %q at %s", tick.Label, tick.X)
		}
		if tick.Label != "" {
			labels++
		}
	}
	if labels == 0 {
		return fmt.Errorf("no labels: %+v", ticks)
	}
	return nil
}

// Linear axes of few values are not cut, and those of values with a long tail are.
func TestLinearTail(t *testing.T) {
	var h tally.Hist
	for i := range 10_000 {
		h.Add(100 + i%50)
	}
	if b := linear(&h, tail, 0); b.below || b.above || b.edges[0] != 100 || !slices.Contains(b.edges, 150) {
		t.Errorf("%+v", b)
	}
	h.Add(100_000)
	h.Add(1)
	b := linear(&h, tail, 0)
	if !b.above || b.edges[len(b.edges)-1] > 200 || h.Between(b.edges[len(b.edges)-1], math.MaxInt) != 1 {
		t.Errorf("%+v", b)
	}
}

// Identities of reads of one length are multiples of one difference. Either each has a bar
// of its own, far from the others, or a bar has several.
func TestIdentityOfShortReads(t *testing.T) {
	for _, length := range []int{50, 75, 100, 150, 250, 300, 1500} {
		for _, most := range []int{3, 10, 20, 30} {
			var p tally.Pairs
			for i := range 100 * most {
				p.Query.Add(length)
				p.Difference.Add(i % most * tally.PerMillion / length)
			}
			b := identityBins(&p)
			alone, last, nearest := true, -1000, 1000
			var full []int64
			for i, v := range b.intervals() {
				n := p.Difference.Between(v.from, v.to) / 100
				if n == 0 || v.place != inside {
					continue
				}
				full = append(full, n)
				alone = alone && n == 1
				nearest = min(nearest, i-last)
				last = i
			}
			full = full[:len(full)-1] // the last bar may be at the end of the values
			if alone && nearest < 4 || !alone && slices.Max(full) > 2*slices.Min(full) {
				t.Errorf("length %d, up to %d differences: bars of %v, every %d of them; width %d", length, most, full, nearest, b.edges[1]-b.edges[0])
			}
		}
	}
}

// Accurate long reads have a logarithmic axis, with identical pairs apart.
func TestIdentityOfAccurateReads(t *testing.T) {
	var p tally.Pairs
	for i := range 1000 {
		p.Query.Add(10_000 + i)
		p.Difference.Add(int(math.Exp(float64(i) / 100)))
	}
	p.Difference.Add(0)
	a := identityAxis(&p)
	if !a.log || !a.zero || !a.mirrored {
		t.Errorf("%+v", a.bins)
	}
	var labels []string
	for _, tick := range a.ticks() {
		labels = append(labels, tick.Label)
	}
	for _, want := range []string{"100", "99.9999", "99.99", "99.9", "99"} {
		if !slices.Contains(labels, want) && want != "99.9999" {
			t.Errorf("labels %q lack %s", labels, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		integer(0): "0", integer(-1234): "-1,234", integer(999): "999", integer(1000): "1,000", integer(12_345_678): "12,345,678",
		brief(5000): "5,000", brief(10_000): "10k", brief(250_000): "250k", brief(1_500_000): "1.5M", brief(20_000_000): "20M",
		decimal(0): "0.0", decimal(0.012345): "0.012", decimal(6.66): "6.7", decimal(12345.6): "12,346",
		noun(1, "query"): "1 query", noun(2, "query"): "2 queries", noun(1000, "pair"): "1,000 pairs",
		share(0, 5): "0\u00a0%", share(5, 5): "100\u00a0%", share(1, 1_000_000): "< 0.01\u00a0%", share(999_999, 1_000_000): "> 99.99\u00a0%",
		share(1, 3): "33.3\u00a0%", share(1, 200): "0.50\u00a0%", share(9999, 10_001): "99.98\u00a0%",
		identity(0): "100\u00a0%", identity(1): "99.9999\u00a0%", identity(123): "99.988\u00a0%", identity(23_400): "97.66\u00a0%",
		identity(123_000): "87.7\u00a0%", identity(tally.PerMillion): "0.0\u00a0%",
		seconds(0.123): "0.12\u00a0s", seconds(12.34): "12.3\u00a0s", seconds(125): "2\u00a0min 5\u00a0s", seconds(7260): "2\u00a0h 1\u00a0min",
		rate(1_234_567): "1.23\u00a0M", rate(12_345): "12.3\u00a0k", rate(1234): "1,234", rate(0.5): "0.5",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
