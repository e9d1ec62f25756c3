package gpu

// Stats counts what an engine has done.
type Stats struct {
	// Pairs finished on the GPU, by the family of kernels.
	Warp, Block, General int64
	// Pairs finished on the GPU by the approximate mode.
	Approx int64
	// Trivial pairs have an empty sequence and are answered on the host.
	Trivial int64
	// SecondPass counts the pairs among them that needed more than one pass,
	// each with a higher limit on the score and more memory.
	SecondPass int64
	// Widened counts how often a pair strayed from a window of the approximate
	// mode and began again with a wider one, or exactly.
	Widened int64
	// Pairs for another engine, by cause; see FallbackCause.
	Letters, Length, Memory int64
}

// Finished is the number of pairs that the engine has aligned.
func (s Stats) Finished() int64 { return s.Warp + s.Block + s.General + s.Approx + s.Trivial }

// Fallback is the number of pairs for another engine.
func (s Stats) Fallback() int64 { return s.Letters + s.Length + s.Memory }

func (s *Stats) add(t Stats) {
	s.Warp += t.Warp
	s.Block += t.Block
	s.General += t.General
	s.Approx += t.Approx
	s.Trivial += t.Trivial
	s.SecondPass += t.SecondPass
	s.Widened += t.Widened
	s.Letters += t.Letters
	s.Length += t.Length
	s.Memory += t.Memory
}

// finished counts pairs that a kernel has finished.
func (s *Stats) finished(variant uint8, pairs int) {
	n := int64(pairs)
	switch {
	case variant == general:
		s.General += n
	case approximate(variant):
		s.Approx += n
	case variants[variant].kind == kindBlock:
		s.Block += n
	default:
		s.Warp += n
	}
}

func (s *Stats) unfinished(cause error) {
	switch cause {
	case errLetters:
		s.Letters++
	case errLength:
		s.Length++
	default:
		s.Memory++
	}
}
