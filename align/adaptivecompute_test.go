package align

import (
	"math/rand/v2"
	"testing"
)

// TestAdaptiveKernels compares rows of an adaptive band with those of adaptiveGo, one after the
// other over the same sequences, so that the look-ahead table is used. Few letters make long
// matches.
func TestAdaptiveKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for range 300 {
			n, plen, tlen := rowLanes*(1+r.IntN(9)), 1+r.IntN(400), 1+r.IntN(400)
			var pattern, text sequence
			letters := "ACGT"[:1+r.IntN(4)]
			for _, s := range [][]byte{pattern.guarded(plen, patternPad), text.guarded(tlen, textPad)} {
				for i := range s {
					s[i] = letters[r.IntN(len(letters))]
				}
			}
			k0 := -plen - n/2 + r.IntN(plen+tlen)
			from, ahead, todo := make([]int32, n), make([]uint32, n), make([]int32, n+rowLanes)
			last := nulls(n)
			for i := range last {
				if k := k0 + i; k >= -plen && k <= tlen && i < n-r.IntN(8) {
					last[i] = int32(min(tlen, plen+k))
				}
			}
			for range 20 {
				near := r.IntN(tlen + 1)
				var in [4][]int32
				for i := range in {
					in[i] = nulls(n + 2)
					for j := range in[i][1 : n+1] {
						// Cells of the diagonal, of which the neighbour's step is one, too.
						least := max(0, k0+j+1)
						h := near + r.IntN(40)
						if r.IntN(4) > 0 && h >= least && last[j] >= int32(least) {
							in[i][j+1] = min(int32(h), last[j])
						}
					}
				}
				run := func(compute func(*adaptiveArgs)) (out [3][]int32, furthest int32) {
					for i := range out {
						out[i] = make([]int32, n)
					}
					a := adaptiveArgs{
						mx: &in[0][1], mo: &in[1][1], ins: &in[2][1], del: &in[3][1],
						outM: &out[0][0], outIns: &out[1][0], outDel: &out[2][0],
						last: &last[0], from: &from[0], ahead: &ahead[0], todo: &todo[0], n: n,
						pattern: (*byte)(pattern.first()), text: (*byte)(text.first()), k0: int32(k0),
					}
					compute(&a)
					return out, a.furthest
				}
				got, far := run(k.adaptive)
				want, wantFar := run(adaptiveGo)
				for i := range got {
					for j, h := range got[i] {
						if w := want[i][j]; h != w && (h >= 0 || w >= 0) {
							t.Fatalf("k0 %d, lengths %d %d, row %d, diagonal %d: %d, want %d", k0, plen, tlen, i, k0+j, h, w)
						}
					}
				}
				if far != wantFar && (far >= 0 || wantFar >= 0) {
					t.Fatalf("furthest %d, want %d", far, wantFar)
				}
			}
		}
	})
}
