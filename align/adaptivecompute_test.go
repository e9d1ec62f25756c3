package align

import (
	"math/rand/v2"
	"slices"
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
				fill := func(row []int32) {
					for j := range row {
						// Cells of the diagonal, of which the neighbour's step is one, too.
						least := max(0, k0+j+1)
						h := near + r.IntN(40)
						if row[j] = null; r.IntN(4) > 0 && h >= least && last[j] >= int32(least) {
							row[j] = min(int32(h), last[j])
						}
					}
				}
				x, o, e, scores := 1+r.IntN(4), r.IntN(5), 1+r.IntN(4), 1+r.IntN(9)
				if o == 0 {
					scores = 1 // the row that gaps open from is not complete
				}
				before, count, each := max(x, o), 8, n+rowLanes
				in := [3][]int32{nulls((before + scores) * n), nulls(count*each + 1), nulls(count*each + 1)}
				for j := range before {
					fill(in[0][j*n:][:n])
				}
				first := r.IntN(count) // row of the ring
				for j := range e {
					fill(in[1][1+(first+j)%count*each:][:n])
					fill(in[2][1+(first+j)%count*each:][:n])
				}
				end := r.IntN(n+1) - 1
				run := func(compute func(*adaptiveArgs)) (rows [3][]int32, a adaptiveArgs) {
					for i := range rows {
						rows[i] = slices.Clone(in[i])
					}
					m := func(score int) *int32 { return &rows[0][(before+score)*n] }
					a = adaptiveArgs{
						mx: m(-x), mo: &nulls(n)[0], outM: m(0), ins: &rows[1][1], del: &rows[2][1],
						in: 4 * first * each, out: 4 * ((first + e) % count) * each, each: 4 * each, ring: 4 * count * each,
						last: &last[0], from: &from[0], ahead: &ahead[0], todo: &todo[0], n: n,
						pattern: (*byte)(pattern.first()), text: (*byte)(text.first()), k0: int32(k0),
						scores: scores, end: end, textLen: int32(tlen),
					}
					if o > 0 {
						a.mo = m(-o)
					}
					compute(&a)
					return rows, a
				}
				got, g := run(k.adaptive)
				want, w := run(adaptiveGo)
				for i := range got {
					for j, h := range got[i] {
						if w := want[i][j]; h != w && (h >= 0 || w >= 0) {
							t.Fatalf("k0 %d, lengths %d %d, rows %d, element %d: %d, want %d", k0, plen, tlen, i, j, h, w)
						}
					}
				}
				if g.done != w.done || g.furthest != w.furthest && (g.furthest >= 0 || w.furthest >= 0) {
					t.Fatalf("%d scores, furthest %d, want %d, %d", g.done, g.furthest, w.done, w.furthest)
				}
			}
		}
	})
}
