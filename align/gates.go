package align

import "sync/atomic"

// gates finds seeds that every optimal alignment passes, of those that cover the whole pattern and
// may begin and end on many diagonals of the text. It does so along one alignment, which is close
// to the optimal ones where there are few errors.
//
// The seeds are stretches of its runs of equal letters that the text has nowhere else in reach.
// An alignment that does not pass seed g, but seed i before it and seed j behind it, has errors in
// all seeds between them. If these cost more than what the one along the runs has between i and j,
// the alignment is not optimal. So g is a gate if
//
//	unit · (seeds between i and j) > cost between i and j    for all i < g < j
//
// where i may also be the begin of the pattern, and j its end. For a model with a match score the
// costs are less FreeLetter for each diagonal upwards: then all begins and ends in the text cost the same, and
// a letter of the pattern that is left out twice FreeLetter. Where an alignment may begin or end anywhere, it
// leaves out seeds at that cost, and the one at either end in part.
type gates struct {
	kern          *kernels
	model         Model // whose Free has the letters of the text that may be left out
	pattern, text *sequence
	along         greedy
	begin         int // diagonal on which the alignment begins
	cost          int // of the alignment
	seeds         []gateSeed
	places        *codes // of the text
	unit          int    // six times what an error costs for each seed that it spoils
	spareBegin    int    // seeds that an alignment may leave out in part, at little cost
	spareEnd      int
	stop          *atomic.Bool
}

// gateSeed is a seed of gateLetters letters, from letter v of the pattern on diagonal k.
type gateSeed struct {
	v, k   int
	cost   int // of the alignment before it
	copied bool
	most   int // over the seeds before it of what they and those before them prove, less their cost
}

const (
	gateLetters = 10
	gateStride  = 256 // letters from one seed to the next at most,
	gateParts   = 32  // or one in so many of a longer pattern
	// Seeds that are next to each other at either end: so many, and more of long patterns.
	gateDense = 2
	gateSpare = 8
	gateShare = 16
	gateMost  = 256 // letters
	gateFirst = 16  // letters of seeds that are looked for to find the first diagonal
	gateTries = 6   // such seeds
	gateSure  = 48  // letters of a run that need no other one
)

// newGates returns gates for a model that isInside, or whose alignments end anywhere.
func newGates(k *kernels, m *Model, places *codes) *gates {
	g := &gates{
		kern: k, model: *m, places: places, unit: m.seedUnit(gateLetters),
		along: greedy{kern: k, pen: m.Affine(), free: true},
	}
	if m.Span.EndsAnywhere() {
		g.unit = min(g.unit, 6*gateLetters*2*m.FreeLetter)
		g.spareEnd = 1
		g.model.Free = Free{TextEnd: FreeAll}
		if m.Span == Local {
			g.spareBegin = 1
			g.model.Free.TextBegin = FreeAll
		}
	}
	return g
}

// find finds the first and the last gate; nil if there is none.
func (g *gates) find(pattern, text *sequence) (first, last *gateSeed) {
	g.pattern, g.text = pattern, text
	if pattern.n < 2*gateLetters || text.n < gateLetters {
		return nil, nil
	}
	g.begin = 0
	if g.model.Free.TextBegin > 0 {
		if g.begin = g.locate(); g.begin < 0 {
			return nil, nil
		}
	}
	view := text.behind(g.begin)
	if !g.along.run(pattern, &view) || !g.ends() {
		return nil, nil
	}
	return g.search()
}

// search finds the first and the last gate on the alignment; nil if there is none. It begins with as few
// seeds as show gates near both ends, unless the text has some elsewhere. If what is beside the gates costs
// more than to look for more seeds there, it does.
func (g *gates) search() (first, last *gateSeed) {
	n := g.pattern.n
	from, to := g.reach()
	each := gateLook + gateCopy*float64(min(to-from, g.text.n))
	// Twice as many seeds as an alignment of the cost spoils are enough near an end.
	dense := max(gateDense*gateLetters, min(n/gateShare, gateMost, gateLetters*(12*g.cost/g.unit+gateSpare)))
	stride := max(gateStride, n/gateParts)
	for {
		g.placeEach(stride, dense, n-dense)
		first, last = g.pass()
		if stride == gateLetters || first != nil && g.beside(first, last) <= each*float64(n/stride) {
			break
		}
		stride = max(stride/2, gateLetters)
	}
	for {
		g.placeEach(stride, dense, n-dense)
		g.lookForCopies()
		first, last = g.pass()
		if stride == gateLetters {
			return first, last
		}
		stride, dense = max(stride/4, gateLetters), min(4*dense, n)
		if first != nil && g.beside(first, last) <= each*float64(n/stride+2*dense/gateLetters) {
			return first, last
		}
	}
}

// Costs in nanoseconds of a seed: to look for it at all, and on each diagonal.
const (
	gateLook = 20.0
	gateCopy = 0.025
)

// beside estimates what the alignments before the first gate and behind the last one cost, in nanoseconds.
func (g *gates) beside(first, last *gateSeed) float64 {
	return g.besideCost(first.v, first.cost) + g.besideCost(g.pattern.n-last.v-gateLetters, g.cost-last.cost)
}

func (g *gates) besideCost(letters, cost int) float64 {
	if cost == 0 || letters == 0 {
		return 0
	}
	matrix := gateMatrixTime(float64(letters) * (float64(letters) + float64(cost)))
	if g.model.FreeLetter > 0 {
		return matrix
	}
	return min(matrix, gateWavesTime(&g.model, cost))
}

// locate returns a diagonal that an alignment may begin on, -1 if it finds none: one not further away than the
// lengths say, if there is one.
func (g *gates) locate() (k int) {
	p, t, n := g.pattern.first(), g.text.first(), g.pattern.n
	begins, ends := min(g.model.Free.TextBegin, g.text.n), g.model.Free.TextEnd
	k = -1
	longest := 0
	for _, slack := range [2]int{greedyNear, n/8 + gateFirst*gateTries} {
		for v := 0; v < gateTries*gateFirst && v+gateFirst <= n && k < 0; v += gateFirst {
			drift := v/8 + min(v, 4)
			from := max(0, v-drift, g.text.n-n-ends+v-drift)
			to := min(g.text.n-gateFirst+1, begins+v+drift+1, max(0, g.text.n-n)+slack+v)
			g.places.each(p, v, 2*codeLetters, from, to, func(h int) bool {
				if run := matchesFrom(p, t, v, h); run >= gateFirst && run > longest {
					k, longest = min(max(h-v, 0), begins), run
				}
				return longest < gateSure
			})
		}
	}
	return k
}

// ends sets the cost and reports whether an alignment may end where the one along the runs does.
func (g *gates) ends() bool {
	left := g.along.left()
	g.cost = g.along.cost - g.model.FreeLetter*(g.along.n-left-g.along.m)
	return left <= g.model.Free.TextEnd
}

// placeEach sets the seeds: before letter head of the pattern and from letter tail on they are next to each
// other, others a stride apart.
func (g *gates) placeEach(stride, head, tail int) {
	g.seeds = g.seeds[:0]
	at := 0
	for i := range g.along.runs {
		r := &g.along.runs[i]
		for at = max(at, r.from); at+gateLetters <= r.to; {
			g.seeds = append(g.seeds, gateSeed{v: at, k: r.k + g.begin, cost: r.cost - g.model.FreeLetter*r.k})
			if at < head || at+stride > tail {
				at += gateLetters
			} else {
				at += stride
			}
		}
	}
}

// reach returns the first and last diagonal of alignments that cost no more than the one along
// the runs.
func (g *gates) reach() (first, last int) {
	gap := g.model.mostGap(g.cost, g.pattern.n+g.text.n)
	if g.spareEnd > 0 {
		gap = max(gap, g.cost/(2*g.model.FreeLetter)) // or letters of the pattern that are left out
	}
	return -gap, g.text.n - g.pattern.n + gap
}

// pass returns the first and the last gate.
func (g *gates) pass() (first, last *gateSeed) {
	count := 0
	alone := g.seeds[:0]
	most := g.unit * g.spareBegin
	for _, s := range g.seeds {
		if s.copied {
			continue
		}
		s.most = most
		count++
		most = max(most, g.unit*count-6*s.cost)
		alone = append(alone, s)
	}
	g.seeds = alone
	least := g.unit*(count-g.spareEnd) - 6*g.cost
	for i := count - 1; i >= 0; i-- {
		s := &g.seeds[i]
		if least > s.most {
			if last == nil {
				last = s
			}
			first = s
		}
		least = min(least, g.unit*i-6*s.cost)
	}
	return first, last
}
