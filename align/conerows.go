package align

// coneRows are the M rows of wavefronts with checkpoints.
type coneRows struct {
	*checkpoints
}

// arrives looks for the first offset, as mRows does.
func (c coneRows) arrives(s, k, dk, dh, first, _ int) (int, bool) {
	h := first - dh
	to := k + dk
	if s < 0 || h < 0 || h < to {
		return first, false
	}
	w := c.back
	switch {
	case s <= c.prefix:
		return first, c.waves.at(&c.waves.kept[s], to) >= h
	case len(w.kept) == 0 || s < w.first:
		now := s + w.pen.Mismatch
		if dk != 0 {
			now = s + w.pen.Gap(abs(dk))
		}
		if !c.load(s, now, k, first) {
			return first, false
		}
	}
	return first, w.at(&w.kept[s-w.first], to) >= h
}

// load makes a block that holds row p, for a traceback that has come to offset h of diagonal k
// at score now. It reports false where no alignment leads from there to a cell of row p, and
// when stopped.
func (c coneRows) load(p, now, k, h int) bool {
	w := c.back
	i := len(c.states) - 1
	for max(0, c.states[i].at-w.stateRows(compM)+1) > p {
		i--
	}
	aim, last := cone{k: k, s: now, extend: w.pen.GapExtend}, now-1
	if i+1 < len(c.states) {
		if next := c.states[i+1]; now > next.at {
			// A gap leads across the state: where of an insertion and a deletion one is
			// optimal there, the other one is not looked for.
			last = next.at
			letters := (now - last + aim.extend - 1) / aim.extend
			s := now - letters*aim.extend
			ins := w.stateHas(next.data, last, compIns, s, k+letters, h)
			del := w.stateHas(next.data, last, compDel, s, k-letters, h-letters)
			switch {
			case !ins && !del:
				return false
			case !del:
				aim.k, aim.s = k+letters, s
			case !ins:
				aim.k, aim.s = k-letters, s
			}
		}
	}
	c.drop(i + 1)
	for c.walk(aim, p, last) {
	}
	from := &c.states[len(c.states)-1]
	w.resume(from.data, from.at, aim, true)
	for w.s < min(last, aim.s-1) {
		if c.stopped() {
			w.kept = w.kept[:0]
			return false
		}
		w.step()
	}
	return true
}

// walk saves one more state, after which a block has row p, if the block up to row last, within
// aim, is too large.
func (c coneRows) walk(aim cone, p, last int) bool {
	w := c.back
	from := &c.states[len(c.states)-1]
	n := last - from.at
	if n < 2*c.least || c.stopped() {
		return false
	}
	lo, hi := aim.at(from.at)
	width := min(hi, int(from.data[1])) - max(lo, int(from.data[0])) + 1
	nulls := w.left + w.right
	if aim.offsets(from.at, width, n)+n*nulls <= c.block {
		return false
	}
	rows := w.stateRows(compM) + 2*w.stateRows(compIns)
	each := rows * (aim.offsets(from.at, width, n)/n + 1)
	states := max(1, (c.room-c.used)/each)
	step := min(max(n/(states+1), c.least), p+w.stateRows(compM)-1-from.at)
	if step < 1 {
		return false
	}
	w.resume(from.data, from.at, aim, false)
	for range step {
		if c.stopped() {
			return false
		}
		w.step()
	}
	c.push(w)
	return true
}
