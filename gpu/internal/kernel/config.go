package kernel

import "wfagpu/align"

// Config is the configuration that kernels are loaded for.
type Config struct {
	Penalties align.Penalties // reduced: their gcd is 1; Model.Affine
	Model     align.Model
	ScoreOnly bool
	// Bands are the adaptive bands of pairs, empty in exact mode.
	Bands []align.AdaptiveBand
	// Bounds are adaptive bands whose scores serve as bounds of exact passes.
	Bounds []align.AdaptiveBand
	// CigarCapacity is the largest size of the alignments of one pass, in
	// elements.
	CigarCapacity int
	// Families are the names of the families to load, all if there are none.
	Families []string
}

// CigarRoom returns the largest number of elements of an alignment with a score, as
// cigarRoom of cuda/cigar.cuh does: every run of edits costs at least CheapestRun
// and has a run of matches on either side.
func (c *Config) CigarRoom(score int) int {
	// Both fit into 32 bits, whose division is faster.
	room := 2*int(uint32(score)/uint32(c.CheapestRun())) + 1
	if !c.Model.Plain() {
		room += spanPositions
	}
	return room
}

// CheapestRun returns the least cost of a run of mismatches, insertions or deletions.
func (c *Config) CheapestRun() int {
	gap := c.Penalties.GapOpen + c.Penalties.GapExtend
	if long := c.Model.Long; long != (align.Gap{}) {
		gap = min(gap, long.Open+long.Extend)
	}
	return min(c.Penalties.Mismatch, gap)
}

// WithinTexts reports whether the model is that of affine alignments of patterns within texts, whose letters around a
// pattern cost nothing.
func (c *Config) WithinTexts() bool { return c.withinTexts() > 0 }

// withinTexts returns the length of the longest text of which all letters before a pattern and behind it are free,
// and cost nothing; 0 if the model is not that of affine alignments of patterns within texts.
func (c *Config) withinTexts() int {
	m := &c.Model
	if m.Span != align.EndsFree || m.Free.PatternBegin != 0 || m.Free.PatternEnd != 0 || m.FreeLetter != 0 ||
		m.Long != (align.Gap{}) || m.Affine().Validate() != nil {
		return 0
	}
	return min(m.Free.TextBegin, m.Free.TextEnd)
}

// errorsOf estimates the errors of an alignment by its score: as many mismatches as insertions and
// deletions of a letter.
func errorsOf(p align.Penalties, score int) float64 {
	return 3 * float64(score) / float64(p.ThreeErrors())
}
