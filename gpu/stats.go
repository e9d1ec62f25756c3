package gpu

// Stats counts what an engine has done.
type Stats struct {
	// Pairs finished on the GPU, by the family of kernels.
	Warp, Block, General int64
	// Trivial pairs have an empty sequence and are answered on the host.
	Trivial int64
	// SecondPass counts the pairs among them that needed more than one pass,
	// each with a higher limit on the score and more memory.
	SecondPass int64
	// Pairs left to another engine, by cause.
	Letters, Length, Memory int64
}

// Finished is the number of pairs that the engine has aligned.
func (s Stats) Finished() int64 { return s.Warp + s.Block + s.General + s.Trivial }

// Unfinished is the number of pairs left to another engine.
func (s Stats) Unfinished() int64 { return s.Letters + s.Length + s.Memory }

func (s *Stats) add(t Stats) {
	s.Warp += t.Warp
	s.Block += t.Block
	s.General += t.General
	s.Trivial += t.Trivial
	s.SecondPass += t.SecondPass
	s.Letters += t.Letters
	s.Length += t.Length
	s.Memory += t.Memory
}

func (s *Stats) finished(variant uint8) {
	switch {
	case variant == general:
		s.General++
	case variants[variant].kind == kindBlock:
		s.Block++
	default:
		s.Warp++
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
