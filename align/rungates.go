package align

import (
	"math/bits"
	"unsafe"
)

// runGates finds gates of a pair along one alignment of few errors: cells on its runs of equal
// letters that every optimal alignment passes, and through which no gap of one leads.
//
// Seeds are words of the runs that the text has on no other diagonal in reach. An alignment that
// leaves the one along the runs at a cell a, comes back to it at b, and is beside it or crosses it
// by gaps in between has an error in each seed between a and b:
//
//	run i     |--seed--seed--|- a             b -|--seed--seed--|   run j
//	                           \   seed   seed   /
//	                            ~~~~~~~~~~~~~~~~~
//
// Runs are disjoint in both sequences, each behind the one before, and so are seeds. So a mismatch is in
// one seed and costs unit at least. A gap may be in several seeds, and costs unit for each of them at
// least. So the alignment costs unit times the seeds at least between a and b, and is not optimal if the
// one along the runs, which may take its place there, costs less. Where a and b are on one run that is
// certain, and a cell is a gate if it is so for every a on a run before it and every b behind it, and for
// every a before it and every b on a run behind it.
//
// Gaps that lead from a to b's diagonal are needed by both. Where the text is longer, each letter of a
// deletion pays credit for that, besides unit for the one seed that the deletion may be in. So the alignment
// costs credit more for each diagonal from a to b, and a long gap between them does not count against the
// seeds. Where the pattern is longer, seeds are words of the text that the pattern has on no other diagonal,
// and the same holds of insertions.
//
// With the sums of what seeds and errors cost, seeds less errors, from the begin of the pair on, a gate
// is a cell whose sum is above that of every end of a run before it and below that of every begin of a
// run behind it. Seeds bound the cost as in the seed heuristic of Groot Koerkamp and Ivanov 2024, and
// gates are what the ends-free methods know by that name, too (gates.go).
type runGates struct {
	kern    *kernels
	pen     Penalties
	unit    int
	repeats repeats

	pattern, text *sequence
	across        bool // seeds are words of the text
	credit        int  // for each diagonal upwards
	runs          []equalRun
	sums          []gateSums // of the runs
	free          bool       // alignments begin and end on any diagonal in reach
	each          bool       // words have been looked for one by one
	reach         int        // diagonals to either side on which seeds have no copies
	gates         []runGate
}

// runGate is a gate: letter v of the pattern on a run.
type runGate struct{ run, v int }

// gateSums has the sums of a run.
type gateSums struct {
	first, last int    // before the run, and behind it
	most, least int    // of last over the runs up to this one, of first from this one on
	behind      uint32 // a bit for each of the last seedWords words of the run that is a seed
}

func newRunGates(k *kernels, pen Penalties) runGates {
	// A deletion is in one seed. An insertion that is in r seeds has 2 letters at least if r is 2,
	// and seedWord more for each further one.
	o, e := pen.GapOpen, pen.GapExtend
	return runGates{
		kern: k, pen: pen, unit: min(pen.Mismatch, o+e, (o+2*e)/2, seedWord*e),
		repeats: repeats{kern: k},
	}
}

// find finds gates along the runs of an alignment of a cost, which are disjoint in both sequences and of
// which the last one, perhaps an empty one, ends at the end of the pair. It sets gates, at most one of each run.
func (g *runGates) find(pattern, text *sequence, runs []equalRun, cost int) {
	// Where an optimal alignment is so far from the runs, both together have twice as many letters
	// of gaps at least.
	gaps := (cost - g.pen.GapOpen) / g.pen.GapExtend
	for i := range runs[1:] {
		gaps += abs(runs[i+1].k - runs[i].k)
	}
	g.reach, g.free = min(max(0, gaps)/2, max(pattern.n, text.n)), false
	g.across, g.credit = false, 0
	if end := text.n - pattern.n; abs(end) >= creditGap {
		g.across = end < 0
		if g.credit = g.pen.GapExtend + min(0, g.pen.GapOpen-g.unit); g.across {
			g.credit = -g.credit
		}
	}
	g.search(pattern, text, runs)
}

// within finds gates of a pattern within a text along the runs of an alignment, of which the last one, perhaps
// an empty one, ends at the end of the pattern. No optimal alignment is on diagonals other than lo..hi, on any
// of which it may begin and end: what comes before a gate is beside the runs, or else has an error in one seed
// at least, and so is what comes behind it.
func (g *runGates) within(pattern, text *sequence, runs []equalRun, lo, hi int) {
	g.reach, g.free, g.across, g.credit = 0, true, false, 0
	for i := range runs {
		g.reach = max(g.reach, runs[i].k-lo, hi-runs[i].k)
	}
	g.search(pattern, text, runs)
}

func (g *runGates) search(pattern, text *sequence, runs []equalRun) {
	g.pattern, g.text, g.runs, g.gates = pattern, text, runs, g.gates[:0]
	g.sum()
	g.choose()
}

// creditGap is the least difference of the lengths for which the gap between them counts.
const creditGap = 20

// Costs in nanoseconds of the search for copies of seeds, on each diagonal and for each letter of the
// text.
const (
	copyCost   = 0.8
	repeatCost = 0.6
)

// sum looks for copies of the words of the runs and sets sums. If it does so for each word, it takes those
// at the begin and the end of a run alone.
func (g *runGates) sum() {
	g.each = copyCost*4*float64(g.reach)*float64(len(g.runs)) < repeatCost*float64(g.text.n)
	switch {
	case g.each:
	case g.across:
		g.repeats.find(g.pattern, g.reach)
	default:
		g.repeats.find(g.text, g.reach)
	}
	g.sums = roomFor(g.sums, len(g.runs))
	sum, most := 0, 0
	for i := range g.runs {
		r, s := &g.runs[i], &g.sums[i]
		if i > 0 {
			sum -= r.cost - g.runs[i-1].cost - g.credit*(r.k-g.runs[i-1].k)
		}
		s.first = sum
		words := (r.to - r.from) / seedWord
		n := min(words, seedWords)
		s.behind = g.alone(r.k, r.from+seedWord*(words-n), n)
		count := bits.OnesCount32(s.behind)
		if words -= n; g.each {
			words = min(words, seedWords)
		}
		for ; words > 0; words -= n {
			n = min(words, seedWords)
			count += bits.OnesCount32(g.alone(r.k, r.from+seedWord*(words-n), n))
		}
		sum += g.unit * count
		most = max(most, sum)
		s.last, s.most = sum, most
	}
	least := sum
	for i := len(g.sums) - 1; i >= 0; i-- {
		s := &g.sums[i]
		least = min(least, s.first)
		s.least = least
	}
}

// alone returns a bit for each of n words from letter v of the pattern on, on diagonal k, that has no
// copy in reach.
func (g *runGates) alone(k, v, n int) uint32 {
	if n == 0 {
		return 0
	}
	var copied uint32
	switch {
	case g.each && g.across:
		copied = g.copies(g.text, g.pattern, v+k, v)
	case g.each:
		copied = g.copies(g.pattern, g.text, v, v+k)
	case g.across:
		copied = g.repeats.marked(v)
	default:
		copied = g.repeats.marked(v + k)
	}
	return ^copied & (1<<n - 1)
}

// copies returns a bit for each of seedWords words from letter v of one sequence on, which begin at letter h
// of the other one, too, that has a copy there in reach.
func (g *runGates) copies(one, other *sequence, v, h int) uint32 {
	p, t := unsafe.Add(one.first(), v), unsafe.Add(other.first(), h)
	// Words that are before the other sequence or behind it altogether have no copies.
	before, behind := min(g.reach, h+other.pad), min(g.reach, other.n-h)
	return g.kern.copies((*byte)(p), (*byte)(unsafe.Add(t, -before)), before) |
		g.kern.copies((*byte)(p), (*byte)(unsafe.Add(t, 1)), behind)
}

// choose sets gates: on each run the last cell that is one.
func (g *runGates) choose() {
	for i := range g.sums {
		if least, most := g.bounds(i); least-1 > most {
			g.gateOf(i, least, most)
		}
	}
}

// bounds returns what the sum of a gate on run i is below, and above.
func (g *runGates) bounds(i int) (least, most int) {
	n := len(g.sums)
	least, most = g.sums[n-1].last+1, -1
	if g.free {
		least, most = least-1, 0
	}
	if i > 0 {
		most = g.sums[i-1].most
	}
	if i+1 < n {
		least = g.sums[i+1].least
	}
	return least, most
}

// first returns the letter of the first gate behind a seed of run i, or the last letter of the run if there is none.
func (g *runGates) first(i int) int {
	r := &g.runs[i]
	least, most := g.bounds(i)
	sum, words := g.sums[i].first, (r.to-r.from)/seedWord
	for at := 0; at < words; at += seedWords {
		n := min(words-at, seedWords)
		seeds := g.alone(r.k, r.from+seedWord*at, n)
		for j := range n {
			if sum += g.unit * int(seeds>>j&1); sum >= least {
				return r.to
			}
			if sum > most {
				return r.from + seedWord*(at+j+1)
			}
		}
		if g.each { // others have not been looked at
			break
		}
	}
	return r.to
}

// gateOf adds the last gate of run i, whose sum is to be below least and above most, if there is one.
func (g *runGates) gateOf(i, least, most int) {
	r, s := &g.runs[i], &g.sums[i]
	sum, words, seeds := s.last, (r.to-r.from)/seedWord, s.behind
	n := min(words, seedWords)
	v := r.from + seedWord*words
	for {
		for j := n - 1; j >= 0 && sum >= least; j-- {
			sum -= g.unit * int(seeds>>j&1)
			v -= seedWord
		}
		if sum <= most {
			return
		}
		if sum < least {
			g.gates = append(g.gates, runGate{i, v})
			return
		}
		if words -= n; words == 0 || g.each {
			return
		}
		n = min(words, seedWords)
		seeds = g.alone(r.k, r.from+seedWord*(words-n), n)
	}
}
