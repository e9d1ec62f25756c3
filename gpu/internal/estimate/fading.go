package estimate

// addFading adds observations to counts of bins, whose sum is total, and returns the new sum. If that is above most, all
// counts fade, so that it is most.
func addFading(bins []float64, total float64, observed []uint32, most float64) float64 {
	for bin, n := range observed {
		bins[bin] += float64(n)
		total += float64(n)
	}
	if fade := total / most; fade > 1 {
		for bin := range bins {
			bins[bin] /= fade
		}
		total /= fade
	}
	return total
}

// quantileBin returns the first bin up to which there is some part of the total, the number of bins if there is none.
func quantileBin(bins []float64, total, part float64) int {
	sum := 0.0
	for bin, n := range bins {
		if sum += n; sum >= part*total {
			return bin
		}
	}
	return len(bins)
}
