package align

import (
	"math"
	"math/bits"
	"unsafe"

	"wfagpu/cigar"
)

// greedy follows one alignment of a pair of few errors from run to run of equal letters, and
// so finds a bound on the score, and where in the pattern the errors are. It reads the letters
// once.
type greedy struct {
	kern          *kernels
	pen           Penalties
	narrow        *narrow // for errors close to each other; may be nil
	jumped        bool    // across a long gap
	pattern, text unsafe.Pointer
	m, n          int     // their letters
	errors        []int32 // positions in the pattern at which runs end
	cost          int     // the score of the alignment
	v, k          int     // where it is: pattern letters, diagonal
	brief         bool    // to end where many letters are in no long run
	outside       int     // letters in no long run, but for those of long gaps
	from          int     // where the run of equal letters begins that ends there
	scans         int     // of whole sequences
	free          bool    // the alignment may end anywhere in the text: letters behind it cost nothing
	runs          []equalRun
	after         knownErrors // of the next run
	elems         cigar.CIGAR
	score         bool // elems are not wanted
}

// equalRun is a run of equal letters: of the pattern those from..to-1, on diagonal k. Runs of an alignment
// share no letter of either sequence.
type equalRun struct {
	from, to, k int
	cost        int // of the alignment before it
	errors      knownErrors
}

// knownErrors are the errors between two runs where they are known to be an optimal alignment, of the letters
// between begin, on the run before, and the end of the run behind.
type knownErrors struct {
	known     bool
	begin     int
	elems, to int32 // the alignment in greedy.elems
}

// What greedy looks for.
const (
	greedyRun   = 20   // equal letters that prove an error of one letter
	greedyWord  = 16   // equal letters that prove another diagonal
	greedyNear  = 24   // diagonals to either side that are tried first
	greedyScans = 8    // searches of far diagonals in one pair
	greedyFirst = 32   // errors that are always allowed,
	greedyRate  = 24   // and pattern letters for each further one
	greedyAhead = 2048 // letters to pass in search of a diagonal,
	greedyStep  = 4    // each time one part in so many more,
	greedyDrift = 8    // and as many more diagonals
	greedyFar   = 64   // of which before diagonals far away are tried
	greedyJump  = 100  // letters of a long gap
	greedyBrief = 256  // letters outside of long runs, if the search is brief,
	greedyShare = 8    // and one part in so many more
)

// start passes the first run of the pair.
func (g *greedy) start(pattern, text *sequence) {
	g.pattern, g.text, g.m, g.n = pattern.first(), text.first(), pattern.n, text.n
	g.errors, g.cost, g.k, g.scans, g.jumped = g.errors[:0], 0, 0, 0, false
	g.v = matchesFrom(g.pattern, g.text, 0, 0)
	g.after = knownErrors{}
}

// run follows an alignment of the pair and reports whether it came to the end with few errors.
func (g *greedy) run(pattern, text *sequence) bool {
	g.brief = false
	return g.follow(pattern, text)
}

// look is run for a pair that is likely to have many errors: it ends soon if it has.
func (g *greedy) look(pattern, text *sequence) bool {
	g.brief = true
	return g.follow(pattern, text)
}

func (g *greedy) follow(pattern, text *sequence) bool {
	g.start(pattern, text)
	g.from, g.runs, g.elems, g.outside = 0, g.runs[:0], g.elems[:0], 0
	for {
		h := g.v + g.k
		if n := g.v - g.from; n < greedyRun {
			g.outside += n
		}
		g.runs = append(g.runs, equalRun{g.from, g.v, g.k, g.cost, g.after})
		g.after = knownErrors{}
		if g.v == g.m || h == g.n {
			if g.v != g.m || h != g.n {
				g.errors = append(g.errors, int32(g.v))
			}
			g.cost += g.pen.Gap(g.m - g.v)
			if !g.free {
				g.cost += g.pen.Gap(g.n - h)
			}
			return true
		}
		if len(g.errors) > greedyFirst+g.v/greedyRate || g.brief && g.outside > greedyBrief+g.v/greedyShare {
			return false
		}
		g.errors = append(g.errors, int32(g.v))
		if !g.oneLetter() && !g.few() && !g.near() {
			return g.finish()
		}
	}
}

// endRuns adds an empty run where the alignment ends, unless the last one ends there.
func (g *greedy) endRuns() {
	h := g.n
	if g.free {
		h -= g.left()
	}
	if last := &g.runs[len(g.runs)-1]; last.to != g.m || last.to+last.k != h {
		g.runs = append(g.runs, equalRun{from: g.m, to: g.m, k: h - g.m, cost: g.cost})
	}
}

// left returns how many letters of the text are behind the end of an alignment that may end anywhere.
func (g *greedy) left() int {
	h := g.v + g.k
	return g.n - h - min(g.m-g.v, g.n-h)
}

// finish goes straight to the end if it is close, and reports whether it is.
func (g *greedy) finish() bool {
	a, b := g.m-g.v, g.n-g.v-g.k
	if g.free {
		b = min(b, a)
	}
	g.cost += g.pen.Worst(a, b)
	g.jumped = g.jumped || abs(a-b) > greedyJump
	return min(a, b) <= greedyFar
}

// oneLetter passes a mismatch or a gap of one letter before a long run.
func (g *greedy) oneLetter() bool {
	for _, step := range [3]struct{ v, k, cost int }{
		{1, 0, g.pen.Mismatch}, {0, 1, g.pen.Gap(1)}, {1, -1, g.pen.Gap(1)},
	} {
		v, k := g.v+step.v, g.k+step.k
		n := matchesFrom(g.pattern, g.text, v, v+k)
		if n >= greedyRun || v+n == g.m || v+k+n == g.n {
			g.v, g.k, g.from, g.cost = v+n, k, v, g.cost+step.cost
			return true
		}
	}
	return false
}

// near looks for a word of the pattern on the diagonals around, the more of them the further on, at most
// greedyAhead letters on.
func (g *greedy) near() bool {
	tried := false
	for ahead := 1; ahead <= greedyAhead && g.v+ahead+greedyWord <= g.m; ahead += 1 + ahead/greedyStep {
		if ahead > greedyFar && !tried {
			if tried = true; g.far() {
				return true
			}
		}
		if g.aroundBy(g.v+ahead, greedyNear+ahead/greedyDrift) {
			return true
		}
	}
	return !tried && g.far()
}

// around moves to where the word at pattern letter v is in the text, on the nearest of the diagonals
// around, and reports whether there is one.
func (g *greedy) around(v int) bool { return g.aroundBy(v, greedyNear) }

// aroundBy is around for so many diagonals to either side.
func (g *greedy) aroundBy(v, near int) bool {
	from, to := max(v+g.k-near, g.v+g.k), min(v+g.k+near, g.n-greedyWord)
	if from > to {
		return false
	}
	first := load64(g.pattern, v)
	for i := range 2*near + 1 {
		k := g.k + (i+1)/2*(1-i%2*2)
		if h := v + k; h >= from && h <= to && g.word(v, h) {
			g.move(v, k)
			return true
		}
		if n := to - from + 1; i == 0 && g.kern.words((*byte)(unsafe.Add(g.text, from)), n, first, first) >= n {
			return false // on no other diagonal either
		}
	}
	return false
}

// word reports whether a word begins at pattern letter v and text letter h.
func (g *greedy) word(v, h int) bool {
	return load64(g.pattern, v) == load64(g.text, h) && load64(g.pattern, v+8) == load64(g.text, h+8)
}

// far looks for the next words of one sequence anywhere in the rest of the other one, and takes
// the nearest diagonal.
func (g *greedy) far() bool {
	v, h := g.v, g.v+g.k
	for ahead := 0; ahead <= greedyFar; ahead += greedyWord {
		if g.scans++; g.scans > greedyScans {
			return false
		}
		best := math.MaxInt / 2
		var bv, bk int
		if v+ahead+greedyWord <= g.m {
			if at := g.find(g.text, h, g.n, g.pattern, v+ahead); at >= 0 {
				bv, bk = v+ahead, at-v-ahead
				best = abs(bk - g.k)
			}
		}
		if h+ahead+greedyWord <= g.n {
			if at := g.find(g.pattern, v, min(g.m, v+ahead+best), g.text, h+ahead); at >= 0 && abs(h+ahead-at-g.k) < best {
				bv, bk = at, h+ahead-at
				best = abs(bk - g.k)
			}
		}
		if best < math.MaxInt/2 {
			g.jumped = g.jumped || best > greedyJump
			g.move(bv, bk)
			return true
		}
	}
	return false
}

// find returns where in letters from..to of s the word at letter at of t begins first, or -1.
func (g *greedy) find(s unsafe.Pointer, from, to int, t unsafe.Pointer, at int) int {
	first, second := load64(t, at), load64(t, at+8)
	for i, end := from, to-greedyWord; i <= end; {
		i += g.kern.words((*byte)(unsafe.Add(s, i)), end-i+1, first, first)
		for stop := min(i+wordsBlock, end+1); i < stop; i++ {
			if load64(s, i) == first && load64(s, i+8) == second {
				return i
			}
		}
	}
	return -1
}

// move goes on from pattern letter v of diagonal k, where letters are equal.
func (g *greedy) move(v, k int) {
	h := v + k
	// Back along the run, as far as both sequences have been used.
	back := min(matchesBefore(g.pattern, g.text, v, h), v-g.v, h-g.v-g.k)
	a, b := v-back-g.v, h-back-g.v-g.k // letters to pass
	least := min(a, b)
	g.outside += least
	for at := seedLetters + seedLetters/2; at < a; at += seedLetters + seedLetters/2 {
		g.errors = append(g.errors, int32(g.v+at))
	}
	before := g.mismatches(g.v, g.v+g.k, least)
	after := g.mismatches(v-back-least, h-back-least, least)
	g.cost += g.pen.Gap(abs(a-b)) + g.pen.Mismatch*min(before, after)
	g.v, g.k, g.from = v+matchesFrom(g.pattern, g.text, v, h), k, v-back
}

// mismatches counts the different letters among n from pattern letter v and text letter h on.
func (g *greedy) mismatches(v, h, n int) int { return unequalLetters(g.pattern, g.text, v, h, n) }

func unequalLetters(pattern, text unsafe.Pointer, v, h, n int) (count int) {
	for ; n > 0; n, v, h = n-8, v+8, h+8 {
		x := load64(pattern, v) ^ load64(text, h)
		if n < 8 {
			x &= 1<<(8*n) - 1
		}
		count += differences(x)
	}
	return count
}

// differences counts the bytes of x that are not zero.
func differences(x uint64) int {
	const low = 0x7f7f7f7f7f7f7f7f
	return bits.OnesCount64((x&low + low | x) &^ low)
}
