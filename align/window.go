package align

import "math"

// window bounds the diagonals of alignments of the whole pattern within the text. An alignment on
// the diagonals a..b passes no more seeds without errors than have places there, and errors in
// the others and gaps over b-a letters cost
//
//	unit · (seeds - places on a..b) + drift · (b-a)
//
// at least. So those of a cost that is known are where there are enough places.
type window struct {
	places *codes // of the text
	index  windowIndex
	kinds  []windowKind
	windowPlaces
}

// windowKind are seeds of so many letters.
type windowKind struct {
	letters int
	bounds  []windowBound // from the highest unit on
	// How much the cost that is expected may be, in percent of that which all seeds show, unless
	// shorter seeds have many places by chance.
	most int
	rate seedRate // of the last pairs
}

// windowBound is what seeds and gaps cost at least, windowScale times. A lower unit allows for a higher
// drift.
type windowBound struct{ unit, drift int }

// windowPlaces are the places of the seeds of a pair.
type windowPlaces struct {
	kind      *windowKind
	seeds     int
	near      diagonals // on which most seeds have their places
	missing   int       // seeds that have none there
	diagonals []int     // of the places, in order
}

const (
	windowSeeds  = 600 // the most seeds
	windowScale  = 6 * 16
	windowChance = 2  // places by chance are worth less than one in so many of the drift
	windowAlone  = 20 // most seeds that are looked for one by one
	windowFew    = 4  // one in so many seeds, or fewer, are where they are by chance, too
)

// newWindow returns nil for models whose gaps cost too little.
func newWindow(m *Model, places *codes) *window {
	w := &window{places: places}
	// Longer seeds have fewer places by chance, and shorter ones show more errors.
	for _, s := range [][2]int{{8, 35}, {6, 75}, {5, 95}} {
		k := windowKind{letters: s[0], most: s[1]}
		whole := m.seedUnit(k.letters) * windowScale / 6
		for eighths := 8; eighths > 1; eighths-- {
			unit := whole * eighths / 8
			if drift := m.seedDrift(k.letters, unit, windowScale); drift > 0 {
				k.bounds = append(k.bounds, windowBound{unit, drift})
			}
		}
		if len(k.bounds) > 0 {
			w.kinds = append(w.kinds, k)
		}
	}
	if len(w.kinds) == 0 {
		return nil
	}
	return w
}

// choose returns the seeds for a pattern of so many letters and a cost that is expected: the longest that
// show it well, or the shortest that do not have too many places by chance.
func (w *window) choose(pattern, cost int) (k *windowKind) {
	k = &w.kinds[0]
	for i := range w.kinds {
		if 100*windowScale*cost < k.bounds[0].unit*k.seeds(pattern)*k.most {
			break
		}
		if k = w.shorter(i, pattern); k == nil {
			return &w.kinds[i]
		}
	}
	return k
}

// shorter returns the kind of seeds behind kind i, nil if they have too many places by chance in a
// pattern of so many letters.
func (w *window) shorter(i, pattern int) *windowKind {
	if i+1 == len(w.kinds) {
		return nil
	}
	k := &w.kinds[i+1]
	if b := k.bounds[0]; windowChance*k.seeds(pattern)*b.unit > b.drift<<(2*k.letters) {
		return nil
	}
	return k
}

// seeds returns how many seeds a pattern of so many letters has.
func (k *windowKind) seeds(pattern int) int { return min(pattern/k.letters, windowSeeds) }

// expected returns the cost that is expected of the pair, 0 if nothing is known.
func (w *windowPlaces) expected() int { return w.kind.rate.expected(w.missing) }

// observe records the cost of the pair.
func (w *windowPlaces) observe(cost int) { w.kind.rate.observe(cost, w.missing) }

// find finds the places of the pattern's seeds of a kind, and reports whether they are few.
func (w *window) find(pattern, text *sequence, k *windowKind) bool {
	w.kind, w.diagonals = k, w.diagonals[:0]
	w.seeds = k.seeds(pattern.n)
	stride, most := pattern.n/w.seeds, 64+8*w.seeds
	find := w.index.search
	if w.seeds <= windowAlone {
		find = searchEach
	}
	d, few := find(w.diagonals, w.places, pattern, w.seeds, k.letters, stride, most)
	w.diagonals, w.near = d, diagonals{0, -1}
	if !few {
		return false
	}
	w.index.sort(d, -pattern.n, text.n)
	from, to := densest(d, windowNear+pattern.n/windowNear)
	w.missing = max(0, w.seeds-(to-from))
	if from < to {
		w.near = diagonals{d[from], d[to-1]}
	}
	return true
}

// windowNear is how far apart the diagonals of an alignment are at most, and one more in so many letters
// of the pattern, to estimate which seeds it passes.
const windowNear = 16

// densest returns from where to where most diagonals are, of some in order, that are no further apart
// than so much.
func densest(d []int, apart int) (first, behind int) {
	from := 0
	for to, k := range d {
		for d[from] < k-apart {
			from++
		}
		if to+1-from > behind-first {
			first, behind = from, to+1
		}
	}
	return first, behind
}

// most returns the largest cost of which the diagonals can be known.
func (w *windowPlaces) most() int { return w.kind.mostOf(w.seeds) }

// mostOf returns the largest cost of which so many seeds may show the diagonals.
func (k *windowKind) mostOf(seeds int) int { return (k.bounds[0].unit*seeds - 1) / windowScale }

// boundFor returns the bound that shows the fewest diagonals of alignments of cost c.
func (w *windowPlaces) boundFor(c int) (best windowBound) {
	least := math.Inf(1)
	for i, b := range w.kind.bounds {
		if i > 0 && (b.unit*w.seeds-windowScale*c)*windowFew <= b.unit*w.seeds {
			break
		}
		if beyond := float64(windowScale*c-b.unit*w.missing) / float64(b.drift); beyond < least {
			best, least = b, beyond
		}
	}
	return best
}

// diagonalsOf returns the first and the last diagonal of alignments of cost c or less, FreeLetter as
// isInside says; last < first if there are none. It needs c <= most.
func (w *windowPlaces) diagonalsOf(c int) (first, last int) {
	b := w.boundFor(c)
	unit, drift := b.unit, b.drift
	need := unit*w.seeds - windowScale*c
	d := w.diagonals
	first, last = 1<<62, -1<<62
	best := -1 << 62
	for j := len(d) - 1; j >= 0; j-- {
		best = max(best, unit*(j+1)-drift*d[j])
		if spare := best - unit*j + drift*d[j] - need; spare >= 0 {
			first = min(first, d[j]-spare/drift)
		}
	}
	best = -1 << 62
	for j := range d {
		best = max(best, drift*d[j]-unit*j)
		if spare := best + unit*(j+1) - drift*d[j] - need; spare >= 0 {
			last = max(last, d[j]+spare/drift)
		}
	}
	return first, last
}
