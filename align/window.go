package align

import "slices"

// window bounds the diagonals of alignments of the whole pattern within the text. An alignment on
// the diagonals a..b passes no more seeds without errors than have places there, and errors in
// the others and gaps over b-a letters cost
//
//	unit · (seeds - places on a..b) + drift · (b-a)
//
// at least. So those of a cost that is known are where there are enough places.
type window struct {
	places *codes // of the text
	kinds  []windowKind
	windowPlaces
}

// windowKind are seeds of so many letters.
type windowKind struct {
	letters     int
	unit, drift int // sixfold
	// How much the cost that is expected may be, in percent of that which all seeds show.
	most int
	each float64 // cost of the last pairs for each seed that is missing, 0 at first
}

// windowPlaces are the places of the seeds of a pair.
type windowPlaces struct {
	kind      *windowKind
	seeds     int
	diagonals []int // of the places, in order
}

// windowSeeds is the most seeds.
const windowSeeds = 600

// newWindow returns nil for models whose gaps cost too little.
func newWindow(m *Model, places *codes) *window {
	w := &window{places: places}
	// Longer seeds have fewer places by chance, and shorter ones show more errors.
	for _, s := range [][2]int{{8, 65}, {6, 85}, {5, 90}} {
		// A lower unit allows for a higher drift.
		letters := s[0]
		k := windowKind{letters: letters, unit: m.seedUnit(letters) * 7 / 8, most: s[1]}
		for range 4 {
			if k.drift = m.seedDrift(letters, k.unit); k.drift > 0 {
				break
			}
			k.unit -= k.unit / 4 // any lower one is right, too
		}
		if k.drift > 0 {
			w.kinds = append(w.kinds, k)
		}
	}
	if len(w.kinds) == 0 {
		return nil
	}
	return w
}

// choose returns the seeds for a pattern of so many letters and a cost that is expected, nil if
// there are too few.
func (w *window) choose(pattern, cost int) *windowKind {
	for i := range w.kinds {
		k := &w.kinds[i]
		if 600*cost < k.unit*min(pattern/k.letters, windowSeeds)*k.most {
			return k
		}
	}
	return nil
}

// missing estimates how many seeds have errors in the pair.
func (w *windowPlaces) missing() int { return max(0, w.seeds-len(w.diagonals)) }

// expected returns the cost that is expected of the pair, 0 if nothing is known.
func (w *windowPlaces) expected() int { return int(w.kind.each * float64(w.missing()+1)) }

// observe records the cost of the pair.
func (w *windowPlaces) observe(cost int) {
	const weight = 1.0 / 16
	each := float64(cost) / float64(w.missing()+1)
	if w.kind.each == 0 {
		w.kind.each = each
	}
	w.kind.each += weight * (each - w.kind.each)
}

// find finds the places of the pattern's seeds, for a cost that is expected, and reports whether
// they are few.
func (w *window) find(pattern, text *sequence, cost int) bool {
	k := w.choose(pattern.n, cost)
	if k == nil {
		return false
	}
	w.kind, w.diagonals = k, w.diagonals[:0]
	w.seeds = min(pattern.n/k.letters, windowSeeds)
	p, t := pattern.first(), text.first()
	stride, most := pattern.n/w.seeds, 64+8*w.seeds
	for i := range w.seeds {
		v := i * stride
		word := load64(p, v)
		w.places.each(p, v, k.letters, 0, text.n, func(h int) bool {
			if (load64(t, h)^word)<<(64-8*k.letters) == 0 {
				w.diagonals = append(w.diagonals, h-v)
			}
			return true
		})
		if len(w.diagonals) > most {
			return false
		}
	}
	slices.Sort(w.diagonals)
	return true
}

// most returns the largest cost of which the diagonals can be known.
func (w *windowPlaces) most() int { return (w.kind.unit*w.seeds - 1) / 6 }

// diagonalsOf returns the first and the last diagonal of alignments of cost c or less, FreeLetter as
// isInside says; last < first if there are none. It needs c <= most.
func (w *windowPlaces) diagonalsOf(c int) (first, last int) {
	unit, drift := w.kind.unit, w.kind.drift
	need := unit*w.seeds - 6*c
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
