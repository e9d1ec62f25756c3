package align

// laneTrials tells whether pairs of which seeds are not known to show enough are worth an attempt in lanes, by how
// the last ones have come out.
type laneTrials struct {
	failed   [2]float64 // share of attempts in lanes of either size that were in vain
	left     int        // pairs to leave out before the next one that is tried anyway
	excluded pauses     // of the search for seeds that may show enough
}

const (
	trialsMemory  = 32  // attempts that the shares are of
	trialsPauses  = 64  // one pair in so many is tried anyway
	trialsRetries = 1.5 // times as much as its widest band an attempt costs, with narrower ones
)

// tries reports whether to try a pair whose widest band costs so many nanoseconds, and its whole matrix.
func (t *laneTrials) tries(size laneSize, cost, whole float64) bool {
	if t.excluded.leaves() {
		return false
	}
	if trialsRetries*cost <= (1-t.failed[size])*whole {
		return true
	}
	if t.left--; t.left >= 0 {
		return false
	}
	t.left = trialsPauses
	return true
}

// record records how an attempt has come out.
func (t *laneTrials) record(size laneSize, ok bool) {
	failed := 1.0
	if ok {
		failed = 0
	}
	t.failed[size] += (failed - t.failed[size]) / trialsMemory
}
