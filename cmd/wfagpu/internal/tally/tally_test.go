package tally

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
)

// values draws numbers of all sizes.
func values(r *rand.Rand, n, digits int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = int(math.Pow(10, r.Float64()*float64(digits))) - 1
	}
	return v
}

// Every bin holds the values that Bin says, and no bin lies between two neighbours.
func TestBins(t *testing.T) {
	for i, v := 0, 0; v < 10_000_000; i++ {
		from, to := Bin(v)
		if from != v || first(i) != v || bin(v) != i || bin(to-1) != i || bin(to) != i+1 {
			t.Fatalf("bin %d of %d: %d to %d, first %d", bin(v), v, from, to, first(i))
		}
		v = to
	}
	for _, v := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt32, 1 << 40} {
		from, to := Bin(v)
		if from > v || to < v || float64(to-from) > 0.01*float64(v)+1 {
			t.Errorf("%d: %d to %d", v, from, to)
		}
		var h Hist
		h.Add(v)
		if h.Quantile(1) != v || h.Between(from, to) != 1 {
			t.Errorf("%d: %d, %d", v, h.Quantile(1), h.Between(from, to))
		}
	}
}

// A histogram says of values what a look at all of them does.
func TestHist(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 200 {
		v := values(r, 1+r.IntN(3000), 1+r.IntN(8))
		parts := make([]Hist, 1+r.IntN(4))
		for i, x := range v {
			parts[i%len(parts)].Add(x)
		}
		var h Hist
		for i := range parts {
			h.Join(&parts[i])
			parts[i].Reset()
			if parts[i].Add(1); parts[i].Count() != 1 || parts[i].Between(0, math.MaxInt) != 1 || parts[i].Max() != 1 {
				t.Fatalf("round %d: after a reset %d values", round, parts[i].Between(0, math.MaxInt))
			}
		}
		slices.Sort(v)
		sum := 0
		for _, x := range v {
			sum += x
		}
		if h.Count() != int64(len(v)) || h.Sum() != int64(sum) || h.Min() != v[0] || h.Max() != v[len(v)-1] ||
			h.Mean() != float64(sum)/float64(len(v)) {
			t.Fatalf("round %d: %d values, sum %d, %d to %d", round, h.Count(), h.Sum(), h.Min(), h.Max())
		}
		for _, q := range []float64{0.001, 0.1, 0.5, 0.9, 0.999, 1} {
			want := v[max(0, int(math.Ceil(q*float64(len(v))))-1)]
			from, _ := Bin(want)
			if got := h.Quantile(q); got != max(from, v[0]) {
				t.Errorf("round %d: quantile %v is %d, want %d", round, q, got, want)
			}
		}
		for range 20 {
			from, _ := Bin(v[r.IntN(len(v))])
			_, to := Bin(v[r.IntN(len(v))])
			want := 0
			for _, x := range v {
				if x >= from && x < to {
					want++
				}
			}
			if got := h.Between(from, to); got != int64(want) {
				t.Errorf("round %d: %d values of %d to %d, want %d", round, got, from, to, want)
			}
		}
	}
}

func TestEmptyHist(t *testing.T) {
	var h, g Hist
	h.Join(&g)
	h.Reset()
	if h.Count() != 0 || h.Mean() != 0 || h.Quantile(0.5) != 0 || h.Max() != 0 || h.Between(0, 10) != 0 || h.Bytes() != 0 {
		t.Errorf("%+v", h)
	}
}

// plain counts the columns of an alignment one by one.
type plain struct {
	columns                  map[cigar.Op]int64
	insertions, gapsOfD      []int
	different, below, scores []int
	query, target            []int
	failed, beyond, pair     int64
}

func (p *plain) alignment(c cigar.CIGAR) {
	var ops []cigar.Op
	for _, e := range c {
		for range e.Len() {
			ops = append(ops, e.Op())
			p.columns[e.Op()]++
		}
	}
	same := 0
	for i, op := range ops {
		if op == cigar.Match {
			same++
		}
		if i > 0 && ops[i-1] == op {
			continue
		}
		n := 0
		for n < len(ops)-i && ops[i+n] == op {
			n++
		}
		switch op {
		case cigar.Ins:
			p.insertions = append(p.insertions, n)
		case cigar.Del:
			p.gapsOfD = append(p.gapsOfD, n)
		}
	}
	if len(ops) > 0 {
		p.different = append(p.different, (len(ops)-same)*PerMillion/len(ops))
	}
}

// randomBatch has alignments whose runs are sometimes in pieces.
func randomBatch(r *rand.Rand) *align.Batch {
	b := &align.Batch{}
	for range r.IntN(60) {
		var c cigar.CIGAR
		for range r.IntN(12) {
			e := cigar.NewElem([]cigar.Op{cigar.Match, cigar.Mismatch, cigar.Ins, cigar.Del}[r.IntN(4)], 1+r.IntN(30))
			c = append(c, e)
		}
		result := align.Result{Score: r.IntN(7000) - 2500, CIGAR: c}
		switch r.IntN(10) {
		case 0:
			result = align.Result{Err: errors.New("not aligned")}
		case 1:
			result = align.Result{Score: align.Beyond}
		}
		b.Pairs = append(b.Pairs, align.Pair{Pattern: make([]byte, r.IntN(2000)), Text: make([]byte, r.IntN(2000))})
		b.Results = append(b.Results, result)
	}
	return b
}

// expectValues checks the histogram of some values.
func expectValues(t *testing.T, name string, h *Hist, v []int) {
	t.Helper()
	var want Hist
	for _, x := range v {
		want.Add(x)
	}
	if h.n != want.n || h.sum != want.sum || h.min != want.min || h.max != want.max {
		t.Errorf("%s: %d values, sum %d, %d to %d; want %d, %d, %d to %d", name, h.n, h.sum, h.min, h.max, want.n, want.sum, want.min, want.max)
	}
	for i := range min(len(h.counts), len(want.counts)) {
		if h.counts[i] != want.counts[i] {
			t.Errorf("%s: %d values in bin %d, want %d", name, h.counts[i], i, want.counts[i])
		}
	}
}

// The tally of batches, joined in any order, is a count of columns one by one.
func TestPairs(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	var all Pairs
	part := &Pairs{}
	want := plain{columns: map[cigar.Op]int64{}}
	for range 60 {
		b := randomBatch(r)
		part.Reset()
		part.Add(b)
		all.Join(part)
		for i := range b.Pairs {
			want.pair++
			want.query = append(want.query, len(b.Pairs[i].Pattern))
			want.target = append(want.target, len(b.Pairs[i].Text))
			switch result := b.Results[i]; {
			case result.Err != nil:
				want.failed++
			case result.Score == align.Beyond:
				want.beyond++
			default:
				if result.Score < 0 {
					want.below = append(want.below, -result.Score)
				} else {
					want.scores = append(want.scores, result.Score)
				}
				want.alignment(result.CIGAR)
			}
		}
	}
	if all.Count() != want.pair || all.Failed != want.failed || all.Beyond != want.beyond || want.failed == 0 || want.beyond == 0 {
		t.Errorf("%d pairs, %d failed, %d beyond; want %d, %d, %d", all.Count(), all.Failed, all.Beyond, want.pair, want.failed, want.beyond)
	}
	if columns := (Columns{want.columns['='], want.columns['X'], want.columns['I'], want.columns['D']}); all.Columns != columns || columns.All() == 0 {
		t.Errorf("columns %+v, want %+v", all.Columns, columns)
	}
	expectValues(t, "query", &all.Query, want.query)
	expectValues(t, "target", &all.Target, want.target)
	expectValues(t, "score", &all.Score, want.scores)
	expectValues(t, "score below 0", &all.Below, want.below)
	if n := int64(len(want.scores) + len(want.below)); all.Scored() != n || len(want.below) == 0 {
		t.Errorf("%d scores, want %d", all.Scored(), n)
	}
	expectValues(t, "difference", &all.Difference, want.different)
	expectValues(t, "insertions", &all.Insertions, want.insertions)
	expectValues(t, "deletions", &all.Deletions, want.gapsOfD)
	if bytes := all.Bytes(); bytes == 0 || bytes > 200_000 {
		t.Errorf("%d bytes", bytes)
	}
}

// One difference in ten million columns is a difference.
func TestSmallDifference(t *testing.T) {
	for _, tc := range []struct {
		c    cigar.CIGAR
		want int
	}{
		{cigar.CIGAR{}.Append(cigar.Match, 10_000_000), 0},
		{cigar.CIGAR{}.Append(cigar.Match, 9_999_999).Append(cigar.Mismatch, 1), 1},
		{cigar.CIGAR{}.Append(cigar.Ins, 3), PerMillion},
		{cigar.CIGAR{}.Append(cigar.Match, 99).Append(cigar.Mismatch, 1), PerMillion / 100},
	} {
		var p Pairs
		if p.alignment(tc.c); p.Difference.Count() != 1 || p.Difference.Max() != tc.want {
			t.Errorf("%v: %d millionths, want %d", tc.c, p.Difference.Max(), tc.want)
		}
	}
	var p Pairs
	if p.alignment(nil); p.Difference.Count() != 0 {
		t.Error("an alignment without columns has an identity")
	}
}

func BenchmarkPairs(b *testing.B) {
	batch := &align.Batch{}
	c, err := cigar.Parse("23=1X4=3X52=1I3=1X25=1D20=1X18=")
	if err != nil {
		b.Fatal(err)
	}
	const n = 10_000
	for range n {
		batch.Pairs = append(batch.Pairs, align.Pair{Pattern: make([]byte, 150), Text: make([]byte, 150)})
		batch.Results = append(batch.Results, align.Result{Score: 12, CIGAR: c})
	}
	var part, all Pairs
	for b.Loop() {
		part.Reset()
		part.Add(batch)
		all.Join(&part)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/pair")
}

// The median of scores on both sides of 0 is that of all of them, the lower one of two.
func TestMedianScore(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 300 {
		var p Pairs
		var scores []int
		for range r.IntN(9) {
			score := r.IntN(40) - r.IntN(40)
			scores = append(scores, score)
			p.Add(&align.Batch{Pairs: make([]align.Pair, 1), Results: []align.Result{{Score: score}}})
		}
		slices.Sort(scores)
		want := 0
		if len(scores) > 0 {
			want = scores[(len(scores)-1)/2]
		}
		if got := p.MedianScore(); got != want {
			t.Fatalf("%d, want %d of %v", got, want, scores)
		}
	}
}
