package kernel

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver/drivertest"
)

// BenchmarkExact measures the choice of a kernel, which every pair of lengths of its own takes.
func BenchmarkExact(b *testing.B) {
	g := drivertest.New(1)
	for name, k := range newImage().Kernels {
		g.Kernels[name] = k
	}
	for _, p := range []align.Penalties{registerPenalties[0], {Mismatch: 10, GapOpen: 12, GapExtend: 3}} {
		b.Run(p.String(), func(b *testing.B) {
			d := g.Open(b)
			m, err := d.LoadModule(drivertest.Image)
			if err != nil {
				b.Fatal(err)
			}
			defer m.Close()
			set, err := Load(m, d.Info, Config{Penalties: p, CigarCapacity: cigarCapacity})
			if err != nil {
				b.Fatal(err)
			}
			bounds := unlimited(set)
			i := 0
			for b.Loop() {
				i = (i + 37) % 1000
				set.Exact(300+i, 310+i, 30+i/8, bounds)
			}
		})
	}
}
