package align

// TracebackBytes returns an upper bound, in bytes, on what the engine stores for
// the traceback of any two sequences of up to n letters, on every code path:
// 4 bytes for each diagonal of the wavefronts of all scores up to the pair's. With
// four times as much Options.Memory, wavefronts of no such pair have checkpoints.
func TracebackBytes(p Penalties, n int) int64 {
	p, _ = p.Reduced() // only multiples of the gcd are scores
	x, e := p.Mismatch, p.GapExtend
	// No pair costs more than two gaps, nor more than mismatches and a gap; see
	// Worst.
	scores := 1 + min(2*p.Gap(n), p.GapOpen+max(x, e)*n)
	// A wavefront has two diagonals more than that of e scores before, until it
	// covers the matrix.
	growing := min(scores, e*n)
	offsets := int64(growing)*int64(growing/e+2) + int64(scores-growing)*int64(2*n+1)
	// Nulls stand on both sides: as far as one step of the recurrence reaches, in
	// whole vectors, and one vector that may be partly filled.
	reach := p.LongestStep()/e + 3
	offsets += int64(scores) * int64(2*reach+5*rowLanes)
	return 4 * offsets
}
