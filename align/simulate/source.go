package simulate

import (
	"math/bits"
	"math/rand/v2"
)

const letters = "ACGT"

// source turns the raw words of a PCG into what the generator needs. It avoids
// rand.Rand, so that no change there can change a set.
type source struct {
	pcg *rand.PCG
}

// newSource spreads the seed over the generator's whole state, so that
// neighbouring seeds give unrelated streams.
func newSource(seed uint64) source {
	return source{pcg: rand.NewPCG(mix(seed+golden), mix(seed-golden))}
}

// golden and mix are SplitMix64's increment and output function.
const golden = 0x9e3779b97f4a7c15

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in [0, n). The bias of the multiplication is below
// n/2^64.
func (s source) below(n int) int {
	hi, _ := bits.Mul64(s.pcg.Uint64(), uint64(n))
	return int(hi)
}

// chance is true with probability p.
func (s source) chance(p float64) bool {
	return float64(s.pcg.Uint64()>>11) < p*(1<<53)
}

// bases appends n random bases to dst, 32 from every word drawn.
func (s source) bases(dst []byte, n int) []byte {
	for n > 0 {
		word := s.pcg.Uint64()
		for range min(n, 32) {
			dst = append(dst, letters[word&3])
			word >>= 2
		}
		n -= 32
	}
	return dst
}

// otherBase returns a random base that is not b.
func (s source) otherBase(b byte) byte {
	c := letters[s.below(3)]
	if c == b {
		return letters[3] // T, which is not drawn above
	}
	return c
}
