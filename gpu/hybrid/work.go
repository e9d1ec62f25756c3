package hybrid

import (
	"math/bits"
	"sync"

	"wfagpu/align"
)

// workModel estimates the work of a batch before it is aligned, in letters: a pair
// costs its letters and, for its wavefronts, the square of its score. Scores are
// predicted from those of earlier pairs of similar length. The unit has no meaning
// beside the rates that are measured in it. A workModel is safe for concurrent use.
type workModel struct {
	cutoff int // that of the engine: what a pair beyond it costs at least

	mu      sync.Mutex
	classes [workClasses]scoreClass
}

// scoreClass has the pairs seen whose longer sequence has a length of so many bits.
type scoreClass struct {
	pairs   float64
	squares float64 // sum of squared scores per letter of the longer sequence
}

const (
	workClasses = 40
	// cellsPerLetter is the number of wavefront cells, squared scores, that take
	// as long as handling one letter.
	cellsPerLetter = 32
	// firstSquare is the squared score per letter that is assumed before any pair
	// has been seen: five percent of errors with default penalties.
	firstSquare = 0.17 * 0.17
	// fadePairs is the number of pairs of a class from which older ones fade.
	fadePairs = 1 << 16
)

// longest returns the length of the longer sequence.
func longest(p *align.Pair) int { return max(len(p.Pattern), len(p.Text)) }

func workClass(length int) int { return min(bits.Len(uint(length)), workClasses-1) }

// Batches of more than twice sampled pairs are sampled: reading all lengths and scores
// of short pairs takes a good part of the time that a GPU takes to align them.
const sampled = 256

// sample calls f for some pairs of a batch, for one of each of so many equal parts, and
// returns how many pairs each stands for.
func sample(pairs int, f func(i int)) (each float64) {
	n := pairs
	if n > 2*sampled {
		n = sampled
	}
	random := uint64(1)
	for i := range n {
		from, to := i*pairs/n, (i+1)*pairs/n
		random = random*6364136223846793005 + 1442695040888963407
		f(from + int(random>>33)%(to-from))
	}
	return float64(pairs) / float64(max(n, 1))
}

// of returns the work of a batch and its letters. A pair of empty sequences is work, too.
func (m *workModel) of(b *align.Batch) (work float64, bases int) {
	squares := m.squares()
	each := sample(len(b.Pairs), func(i int) {
		p := &b.Pairs[i]
		n := float64(longest(p))
		bases += len(p.Pattern) + len(p.Text)
		work += 1 + n*n*squares[workClass(longest(p))]/cellsPerLetter
	})
	return (work + float64(bases)) * each, int(float64(bases) * each)
}

// squares returns the mean squared score per letter of each class. A class without
// pairs has that of the next shorter one.
func (m *workModel) squares() (s [workClasses]float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	last := firstSquare
	for i := range m.classes {
		if c := &m.classes[i]; c.pairs > 0 {
			last = c.squares / c.pairs
		}
		s[i] = last
	}
	return s
}

// learn adds the scores of a batch that has been aligned, and returns its work by
// these scores.
func (m *workModel) learn(b *align.Batch) float64 {
	var classes [workClasses]scoreClass
	work := 0.0
	each := sample(len(b.Pairs), func(i int) {
		p, r := &b.Pairs[i], &b.Results[i]
		work += float64(1 + len(p.Pattern) + len(p.Text))
		n := longest(p)
		if n == 0 || r.Err != nil {
			return
		}
		score := float64(r.Score)
		if r.Score == align.Beyond {
			score = float64(m.cutoff)
		}
		work += score * score / cellsPerLetter
		c := &classes[workClass(n)]
		c.pairs++
		c.squares += score * score / (float64(n) * float64(n))
	})
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.classes {
		classes[i].pairs *= each
		classes[i].squares *= each
		m.classes[i].add(&classes[i])
	}
	return work * each
}

func (c *scoreClass) add(d *scoreClass) {
	c.pairs += d.pairs
	c.squares += d.squares
	if c.pairs > fadePairs {
		c.pairs /= 2
		c.squares /= 2
	}
}
