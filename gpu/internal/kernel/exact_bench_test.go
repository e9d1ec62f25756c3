package kernel

import (
	"testing"

	"wfagpu/align"
)

// BenchmarkExact measures the choice of a kernel, which every pair of lengths of its own takes.
func BenchmarkExact(b *testing.B) {
	for _, p := range []align.Penalties{registerPenalties[0], {Mismatch: 10, GapOpen: 12, GapExtend: 3}} {
		b.Run(p.String(), func(b *testing.B) {
			set := mustLoad(b, newImage(), Config{Penalties: p})
			bounds := unlimited(set)
			i := 0
			for b.Loop() {
				i = (i + 37) % 1000
				set.Exact(300+i, 310+i, Plain(30+i/8), bounds)
			}
		})
	}
}
