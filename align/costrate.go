package align

// costRate is the cost per letter of the last pairs, 0 at first: neighbours in a file are alike.
type costRate float64

// observe records the cost of a pair of some letters.
func (r *costRate) observe(cost, letters int) {
	const weight = 1.0 / 16
	each := 1 / costRate(letters+1)
	rate, last := costRate(cost)*each, *r
	if last == 0 {
		*r = rate
		return
	}
	// A pair with a long gap, say, tells little about its neighbours.
	if most := 4*last + 64*each; rate > most {
		rate = most
	}
	*r += weight * (rate - last)
}

// expected returns the cost that earlier pairs predict for one of some letters, 0 if there were
// none.
func (r costRate) expected(letters int) int { return int(r * costRate(letters+1)) }

// seedRate is the cost of the last pairs for each seed of a pattern that is missing, 0 at first.
type seedRate float64

// observe records the cost of a pair of which so many seeds are missing.
func (r *seedRate) observe(cost, missing int) {
	const weight = 1.0 / 16
	rate := seedRate(cost) / seedRate(missing+1)
	if *r == 0 {
		*r = rate
	}
	*r += weight * (rate - *r)
}

// expected returns the cost that earlier pairs predict for one of which so many seeds are missing, 0 if
// there were none.
func (r seedRate) expected(missing int) int { return int(r * seedRate(missing+1)) }
