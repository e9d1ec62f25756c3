package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The assembly computes antidiagonals of any number of cells as the plain version does, with the least cell.
func TestFrontKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for n := 1; n <= 5*k.frontLanes; n++ {
			for range 40 {
				const rows = 7
				room := n + 2*frontLanes
				var in [rows][]int32
				for i := range in {
					in[i] = make([]int32, room+1)
					for j := range in[i] {
						if in[i][j] = int32(r.IntN(40)); r.IntN(4) == 0 {
							in[i][j] = unreached
						}
					}
				}
				pattern, text := randomLetters(r, room), randomLetters(r, room)
				long := r.IntN(2) == 0
				run := func(front func(*frontArgs, bool), lanes int) (out [rows][]int32, least int32, at int) {
					for i := range out {
						out[i] = slices.Clone(in[i])
					}
					a := frontArgs{
						now: &out[0][1], last: &out[1][1], before: &out[2][1],
						ins: &out[3][1], del: &out[4][1], insLong: &out[5][1], delLong: &out[6][1],
						pattern: &pattern[0], text: &text[0], n: n,
						match: -4, mismatch: 7, open: 8, extend: 3, openLong: 15, extendLong: 1,
					}
					if !long {
						a.openLong, a.extendLong = a.open, a.extend
						copy(out[5], out[3])
						copy(out[6], out[4])
					}
					front(&a, long)
					least, at = a.first(lanes)
					return out, least, at
				}
				got, least, at := run(k.front, k.frontLanes)
				want, wantLeast, wantAt := run(goKernels.front, goKernels.frontLanes)
				if least != wantLeast || at != wantAt && least < unreached {
					t.Fatalf("%d cells: the least is %d at %d, want %d at %d", n, least, at, wantLeast, wantAt)
				}
				for i := range got {
					if i >= 5 && !long {
						continue // not of one cost
					}
					if !slices.Equal(got[i][:n+1], want[i][:n+1]) {
						t.Fatalf("%d cells, row %d:\n%v\nwant\n%v", n, i, got[i], want[i])
					}
				}
				for _, i := range []int{0, 3, 4} {
					for j := n + 1; j < (n+k.frontLanes-1)/k.frontLanes*k.frontLanes+1; j++ {
						if got[i][j] != unreached {
							t.Fatalf("%d cells, row %d: what is behind them is %d", n, i, got[i][j])
						}
					}
				}
			}
		}
	})
}

// plainDropped is dropped by the whole matrix.
func plainDropped(m *Model, zdrop int, pattern, text []byte) spanCell {
	n, t := len(pattern), len(text)
	width := t + 1
	best, ins, del := make([]int, (n+1)*width), make([][2]int, (n+1)*width), make([][2]int, (n+1)*width)
	gaps := [2]Gap{m.Gap, m.last()}
	const far = 1 << 28
	for i := 0; i <= n; i++ {
		for j := 0; j <= t; j++ {
			at := i*width + j
			c := far
			if i+j == 0 {
				c = 0
			}
			for g, gap := range gaps {
				ins[at][g], del[at][g] = far, far
				if i > 0 {
					ins[at][g] = min(ins[at-width][g], best[at-width]+gap.Open) + gap.Extend
				}
				if j > 0 {
					del[at][g] = min(del[at-1][g], best[at-1]+gap.Open) + gap.Extend
				}
				c = min(c, ins[at][g], del[at][g])
			}
			if i > 0 && j > 0 {
				step := 0
				if pattern[i-1] != text[j-1] {
					step = m.Mismatch
				}
				c = min(c, best[at-width-1]+step)
			}
			best[at] = c
		}
	}
	var d dropped
	for a := 1; a <= n+t; a++ {
		c := noEnd
		for i := max(1, a-t); i <= min(n, a-1); i++ {
			if cost := best[i*width+a-i] - m.FreeLetter*a; cost < c.cost {
				c = spanCell{i, a - i, cost}
			}
		}
		if c.found() && d.ends(m, zdrop, c) {
			break
		}
	}
	return d.best
}

// Extensions end where the whole matrix says, however far from the first diagonal their best cells are.
func TestDroppedByFronts(t *testing.T) {
	many := 60
	if testing.Short() {
		many = 20
	}
	r := rand.New(rand.NewPCG(11, 6))
	late := 0
	for _, s := range []Scoring{
		{Penalties: Penalties{4, 4, 2}, Match: 2}, {Penalties: Penalties{4, 4, 2}, Match: 2, LongGap: Gap{24, 1}},
		{Penalties: Penalties{4, 6, 1}, Match: 1}, {Penalties: Penalties{3, 0, 1}, Match: 3}, {Penalties: Penalties{1, 2, 3}, Match: 1},
	} {
		m, err := NewModel(Extension, Free{}, s)
		if err != nil {
			t.Fatal(err)
		}
		var found [3]dropped // that keep what the pairs before have taken
		levels := Levels()
		for range many {
			pattern := randomLetters(r, 1+r.IntN(400))
			text := slices.Clone(pattern)
			rate := r.IntN(25)
			for i := len(text) - 1; i >= 0; i-- {
				switch x := r.IntN(300); {
				case x < rate:
					text[i] = "ACGT"[r.IntN(4)]
				case x < 2*rate:
					text = slices.Delete(text, i, i+1)
				case x < 3*rate:
					text = slices.Insert(text, i, randomLetters(r, 1+r.IntN(3))...)
				}
			}
			switch at := r.IntN(len(text) + 1); r.IntN(5) {
			case 0:
				text = slices.Insert(text, at, randomLetters(r, r.IntN(250))...)
			case 1:
				text = slices.Delete(text, at, min(len(text), at+r.IntN(250)))
			case 2:
				text = append(text[:at], randomLetters(r, r.IntN(300))...)
			}
			zdrop := []int{1 + r.IntN(20), 1 + r.IntN(200), 1 + r.IntN(2000)}[r.IntN(3)]
			want := plainDropped(&m, zdrop, pattern, text)
			if want.v > firstFront+50 && abs(want.v-want.h) > firstFront {
				late++
			}
			var p, q sequence
			copy(p.guarded(len(pattern), patternPad), pattern)
			copy(q.guarded(len(text), textPad), text)
			for i, level := range levels {
				d := &found[i]
				if want.v%4 > 0 {
					d.fronts.need = 0 // as if it were the first pair
				}
				if err := d.find(kernelsFor(level), &m, zdrop, &p, &q, nil); err != nil {
					t.Fatal(err)
				}
				if d.best != want {
					t.Fatalf("%s, %+v, z-drop %d: the end is %+v, want %+v\n%q\n%q", level, s, zdrop, d.best, want, pattern, text)
				}
			}
		}
	}
	if late < many/10 {
		t.Errorf("%d ends are far from the first diagonal", late)
	}
}
