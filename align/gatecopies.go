package align

// lookForCopies notes the seeds that the text has elsewhere in reach, and all that are left when it is stopped.
func (g *gates) lookForCopies() {
	first, last := g.reach()
	for i := range g.seeds {
		s := &g.seeds[i]
		if stopped(g.stop) {
			s.copied = true
			continue
		}
		g.places.each(g.pattern.first(), s.v, 2*codeLetters, s.v+first, s.v+last+1, func(h int) bool {
			s.copied = h-s.v != s.k && g.has(s, h)
			return !s.copied
		})
	}
}

// has reports whether the text has a seed at letter h.
func (g *gates) has(s *gateSeed, h int) bool {
	const part = 1<<(8*(gateLetters-8)) - 1
	p, t := g.pattern.first(), g.text.first()
	return load64(t, h) == load64(p, s.v) && (load64(t, h+8)^load64(p, s.v+8))&part == 0
}
