package seqio

// A mapper that only looks for seeds ends its hits at the outermost ones. The few letters of a read
// beyond an end align as a rule; where many are beyond it, as those of a split read, the rest of the
// read lies elsewhere.

// hitPlace is what is aligned of a query and of a target: half-open, the query's in the direction of
// the input.
type hitPlace struct{ start, end, from, to int64 }

// extended is the place of a hit, extended to each end of the query that most letters of it or fewer
// are beyond, and flank letters of the target more on either side. At an extended end the target is
// widened by as many letters, a tenth of them and 10 more, for what the query lacks there. The target
// bounds all: where it ends, the query is extended by no more letters than it has.
func (h *hit) extended(most, flank int64) hitPlace {
	left, right := h.queryStart, h.queryLength-h.queryEnd // letters beyond the ends of the target's part
	if h.reverse {
		left, right = right, left
	}
	if left > most {
		left = 0
	}
	if right > most {
		right = 0
	}
	left, right = min(left, h.targetFrom), min(right, h.targetLength-h.targetTo)
	p := hitPlace{start: h.queryStart - left, end: h.queryEnd + right}
	if h.reverse {
		p.start, p.end = h.queryStart-right, h.queryEnd+left
	}
	p.from = max(0, h.targetFrom-widened(left)-flank)
	p.to = min(h.targetLength, h.targetTo+widened(right)+flank)
	return p
}

// widened is how much an extension by so many letters widens the target.
func widened(letters int64) int64 {
	if letters == 0 {
		return 0
	}
	return letters + letters/10 + 10
}
