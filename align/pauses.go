package align

// pauses leaves out pairs for a search that has found nothing in the last ones, ever more of them.
type pauses struct {
	left     int // pairs to leave out
	failures int // since the last pair in which something was found
}

// mostPause is the most pairs that are left out after one.
const mostPause = 64

// leaves reports whether to leave out the next pair.
func (p *pauses) leaves() bool {
	if p.left == 0 {
		return false
	}
	p.left--
	return true
}

// record records whether something was found. After failure i 2^i/share pairs are left out.
func (p *pauses) record(found bool, share int) {
	if found {
		p.failures = 0
		return
	}
	p.failures++
	p.left = min(1<<p.failures/share, mostPause)
	p.failures = min(p.failures, 10)
}
