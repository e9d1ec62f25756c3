package align

// run computes wavefronts up to score most and returns the best end. It finds none where it gives
// up, too.
func (x *wavesMethod) run(most int) (spanCell, error) {
	w := &x.waves
	m, free := w.model, w.model.FreeLetter
	offset, look := offsetCost(m), max(x.spent*1.25, x.budget/2)
	end := noEnd
	for {
		x.history.noteRow()
		end = w.bestEnd(end, x.ends, w.s)
		switch {
		case end.cost <= w.s || free == 0 && end.found():
			return end, nil
		case w.s >= most:
			return noEnd, nil
		case stopped(x.stop):
			return noEnd, errStopped
		case x.history.on && x.most > 0 && x.history.bytes() > x.most:
			return noEnd, nil
		case !x.scoreOnly && 4*w.arena.taken > x.memory:
			x.predict()
			x.exceeded = true
			return noEnd, nil
		}
		w.step()
		if x.spent += freeStep + offset*float64(w.hi-w.lo+1); x.spent >= look {
			look += look / 4
			x.predict()
			more := float64(x.predicted-w.s) * (freeStep + offset*float64(w.hi-w.lo+1))
			if x.spent > x.budget || x.spent+more > 2*x.budget {
				return noEnd, nil
			}
		}
	}
}

// predict estimates the cost of the pair from how much of the pattern the last wavefront has come
// to.
func (x *wavesMethod) predict() {
	w := &x.waves
	n, far := w.pattern.n, max(1, w.furthest())
	x.predicted = w.s + int(float64(w.s)*float64(n-far)/float64(far)) + 1
}
