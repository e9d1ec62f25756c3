package align

// canSeed reports whether seeds are likely to certify the cost that is expected.
func (x *wavesMethod) canSeed(m *Model, pattern, text *sequence) bool {
	if !x.seeds.takes(m) || pattern.n < 2*leastSeed || text.n < pattern.n/2 {
		return false
	}
	x.seeds.load(x.kern, m, pattern, text)
	if x.guess > x.seeds.certified(pattern.n/leastSeed) {
		return false
	}
	// Begins reach as far as gaps of that cost, and then the wavefronts grow.
	width := float64(2*m.longest(x.guess)) + float64(x.guess)/float64(m.last().Extend)
	passes := min(float64(x.seeds.seedsFor(x.guess))/2, 1.5/wordLetter)
	return float64(x.guess)*(freeStep+offsetCost(m)*width)+passes*float64(text.n)*wordLetter < x.budget
}

// wordLetter is the cost, in nanoseconds, of a letter that is searched for two words.
const wordLetter = 0.1

// seeded finds the best end of alignments from the begins that seeds allow. It finds none where
// seeds do not tell or wavefronts are given up.
func (x *wavesMethod) seeded() (spanCell, error) {
	f, w := &x.seeds, &x.waves
	for count, all := f.seedsFor(x.guess+x.guess/2), f.pattern.n/leastSeed; count <= all; {
		if !f.find(count) {
			return noEnd, nil
		}
		most := f.certified(count)
		if c := f.densest(2 * f.model.longest(most)); c.count > 0 {
			from, to := c.begins(f.model.longest(most), x.begins)
			narrow := -1 // the cost that narrow wavefronts have excluded
			if x.narrow != nil && from <= to {
				narrow = min(most, x.narrow.certifies(c.first, c.last))
			}
			if narrow >= 0 {
				x.narrow.start(f.pattern, f.text, c.first, c.last, x.begins, x.ends)
				if end := x.narrow.upTo(narrow); end.found() {
					x.cells = x.narrow
					from, to = c.begins(f.model.longest(end.cost), x.begins)
					return x.elsewhere(end, from, to, count)
				}
			}
			if from <= to && narrow < most {
				w.start(f.pattern, f.text, from, to, !x.scoreOnly)
				end, err := x.run(most)
				if end.found() {
					return x.elsewhere(end, from, to, count)
				}
				if err != nil || w.s < most {
					return noEnd, err
				}
			}
		}
		if count == all {
			break
		}
		count = min(2*count, all)
	}
	return noEnd, nil
}

// elsewhere returns the best end of all begins, where end is that of the begins from..to: an
// alignment that costs no more passes all but so many of count seeds.
func (x *wavesMethod) elsewhere(end spanCell, from, to, count int) (spanCell, error) {
	f, w := &x.seeds, &x.waves
	best := end
	gap := f.model.longest(end.cost)
	least := count - f.spoilt(end.cost)
	moved := false
	for at := 0; at < len(f.places); {
		var c seedCluster
		c, at = f.cluster(at, 2*gap)
		lo, hi := c.begins(gap, x.begins)
		if c.count < least || lo > hi || lo >= from && hi <= to {
			continue
		}
		moved, x.cells = true, w
		w.start(f.pattern, f.text, lo, hi, !x.scoreOnly)
		e, err := x.run(best.cost)
		if err != nil {
			return noEnd, err
		}
		if !e.found() && w.s < best.cost {
			return noEnd, nil // given up
		}
		if e.before(best) {
			best = e
		}
	}
	if moved && !x.scoreOnly { // the rows of all alignments with that end, whichever seeds they pass
		k, apart := best.h-best.v, f.model.longest(best.cost)
		w.start(f.pattern, f.text, max(x.begins.first, k-apart), min(x.begins.last, k+apart), true)
		if e, err := x.run(best.cost); err != nil || !e.found() {
			return noEnd, err
		}
	}
	return best, nil
}
