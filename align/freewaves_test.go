package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestComputeLongKernels compares rows of every width with the plain version, nulls beside them
// included.
func TestComputeLongKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for n := k.computeLanes; n <= 4*k.computeLanes; n += k.computeLanes {
			for range 100 {
				var pattern, text sequence
				plen, tlen := 1+r.IntN(200), 1+r.IntN(200)
				if pattern.load(k, randomLetters(r, plen), patternPad) != nil || text.load(k, randomLetters(r, tlen), textPad) != nil {
					t.Fatal("letters")
				}
				k0 := -plen + r.IntN(plen+tlen)
				var in [7][]int32
				for i := range in {
					in[i] = nulls(n + 2*k.computeLanes)
					for j := range in[i] {
						if r.IntN(3) > 0 {
							in[i][j] = int32(r.IntN(tlen + 3))
						}
					}
				}
				run := func(compute func(*computeArgs)) (out [5][]int32) {
					g := 2 * k.computeLanes
					for i := range out {
						out[i] = make([]int32, g+n+g)
					}
					compute(&computeArgs{
						mx: &in[0][1], mo: &in[1][1], ins: &in[2][1], del: &in[3][1],
						moLong: &in[4][1], insLong: &in[5][1], delLong: &in[6][1],
						outM: &out[0][g], outIns: &out[1][g], outDel: &out[2][g],
						outInsLong: &out[3][g], outDelLong: &out[4][g],
						n: n, k0: int32(k0), patternLen: int32(plen), textLen: int32(tlen),
						left: int32(g), right: int32(g),
						pattern: (*byte)(pattern.first()), text: (*byte)(text.first()),
					})
					return out
				}
				got, want := run(k.computeLong), run(computeLongGo)
				for i := range got {
					if !slices.Equal(got[i], want[i]) {
						t.Fatalf("%d diagonals from %d, row %d:\n%v\n%v", n, k0, i, got[i], want[i])
					}
				}
			}
		}
	})
}

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
