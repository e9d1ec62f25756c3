package align

import (
	"math/rand/v2"
	"testing"
)

// The assembly finds the block of eight diagonals in which the plain version finds an end.
func TestEndsKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for range 3000 {
			n, plen, tlen := 1+r.IntN(40), r.IntN(60), r.IntN(60)
			k0 := -plen + r.IntN(plen+tlen+1)
			row := nulls(n + 8)
			for i := range n {
				if end := min(k0+i+plen, tlen); r.IntN(4) > 0 && end > 0 {
					row[i] = int32(r.IntN(end))
				}
			}
			if i := r.IntN(n + 1); i < n {
				row[i] = int32(min(k0+i+plen, tlen) + r.IntN(2))
			}
			got, want := k.ends(&row[0], n, k0, plen, tlen), endsGo(&row[0], n, k0, plen, tlen)
			if want == n {
				if got < n {
					t.Fatalf("end in block %d, of %v from %d, lengths %d and %d", got, row, k0, plen, tlen)
				}
			} else if got != want&^7 {
				t.Fatalf("end in block %d, want %d, of %v from %d, lengths %d and %d", got, want, row, k0, plen, tlen)
			}
		}
	})
}
