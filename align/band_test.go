package align

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// TestBandKernels compares every band routine, of every width in registers and
// beyond, with the plain version.
func TestBandKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		lanes := k.band.lanes
		for vectors := 1; vectors <= len(k.band.registers)+2; vectors++ {
			for range 50 {
				n, steps := vectors*lanes, 1+r.IntN(40)
				text, reverse := randomLetters(r, n+2*steps+64), randomLetters(r, n+2*steps+64)
				start := randomStates(r, n)
				x, o, e := 1+r.IntN(20), r.IntN(20), 1+r.IntN(5)
				run := func(keep bool, advance func(*bandArgs)) (states [4][]int16, history []int16) {
					for i := range states {
						states[i] = slices.Clone(start[i])
					}
					a := &bandArgs{
						even: &states[0][0], odd: &states[1][0], ins: &states[2][0], del: &states[3][0],
						text: &text[0], reverse: &reverse[2*steps],
						vectors: vectors, steps: steps, stride: 2 * n,
						mismatch: int16(x), open: int16(o), match: int16(-2 * e), add: int16(2 * steps * e),
					}
					if keep {
						history = make([]int16, 2*steps*n)
						a.history = &history[0]
					}
					advance(a)
					return states, history
				}
				want, wantHistory := run(true, func(a *bandArgs) { bandGo(a, lanes) })
				for _, keep := range []bool{false, true} {
					got, history := run(keep, func(a *bandArgs) { k.band.pick(vectors, keep)(a) })
					for i := range got {
						if !slices.Equal(got[i], want[i]) {
							t.Fatalf("%d vectors, history %v, state %d:\n%v\nwant\n%v", vectors, keep, i, got[i], want[i])
						}
					}
					if keep && !slices.Equal(history, wantHistory) {
						t.Fatalf("%d vectors: histories differ", vectors)
					}
				}
			}
		}
	})
}

// randomStates returns even, odd, ins and del with some unreached cells.
func randomStates(r *rand.Rand, n int) (s [4][]int16) {
	for i := range s {
		s[i] = make([]int16, n)
		for j := range s[i] {
			s[i][j] = bandInf
			if r.IntN(4) > 0 {
				s[i][j] = int16(r.IntN(1000))
			}
		}
	}
	return s
}

// TestGroupKernels compares the histories of bands run side by side with those
// of the plain version.
func TestGroupKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		if len(k.groups) == 0 {
			t.Fatal("there are no groups")
		}
		for _, g := range k.groups {
			lanes := g.vector.lanes
			if g.runBytes != nil {
				testByteGroup(t, r, g)
				continue
			}
			for range 50 {
				steps := 1 + r.IntN(60)
				args := make([]bandArgs, g.size)
				want := make([][]int16, g.size)
				got := make([][]int16, g.size)
				for i := range args {
					even := slices.Repeat([]int16{bandInf}, lanes)
					even[r.IntN(lanes)] = 0
					states := [3][]int16{}
					for j := range states {
						states[j] = slices.Repeat([]int16{bandInf}, lanes)
					}
					text, reverse := randomLetters(r, lanes+2*steps+64), randomLetters(r, lanes+2*steps+64)
					got[i], want[i] = make([]int16, 2*steps*lanes), make([]int16, 2*steps*lanes)
					args[i] = bandArgs{
						even: &even[0], odd: &states[0][0], ins: &states[1][0], del: &states[2][0],
						text: &text[0], reverse: &reverse[2*steps], vectors: 1, steps: steps,
						history: &got[i][0], stride: 2 * lanes, mismatch: 4, open: 6, match: -4,
					}
					plain := args[i]
					clone := slices.Clone(even)
					plain.even = &clone[0]
					plain.history = &want[i][0]
					bandGo(&plain, lanes)
				}
				g.run(&args[0])
				for i := range got {
					if !slices.Equal(got[i], want[i]) {
						t.Fatalf("%d lanes, pair %d of %d, %d steps: histories differ", lanes, i, g.size, steps)
					}
				}
			}
		}
	})
}

// testByteGroup compares the histories of bands of costs of a byte with those of the plain version,
// and exact ones with those of costs of 16 bits.
func testByteGroup(t *testing.T, r *rand.Rand, g groupKernel) {
	lanes, exact := g.vector.lanes, 0
	for range 50 {
		blocks, pen := 1+r.IntN(4), Penalties{1 + r.IntN(20), r.IntN(20), 1 + r.IntN(3)}
		rows := blocks * byteRows
		add := byte(byteRows * pen.GapExtend)
		args := make([]byteArgs, g.size)
		got, want := make([][]byte, g.size), make([][]byte, g.size)
		for i := range args {
			start := r.IntN(lanes)
			even := slices.Repeat([]byte{255}, lanes)
			even[start] = add
			text, reverse := randomLetters(r, lanes+rows+64), randomLetters(r, lanes+rows+64)
			if r.IntN(2) == 0 { // equal letters
				copy(reverse, slices.Repeat(text[:1], len(reverse)))
				copy(text, reverse)
			}
			got[i], want[i] = make([]byte, rows*lanes), make([]byte, rows*lanes)
			args[i] = byteArgs{
				even: &even[0], text: &text[0], reverse: &reverse[rows], history: &want[i][0], blocks: blocks,
				mismatch: byte(pen.Mismatch), open: byte(pen.GapOpen), match: byte(2 * pen.GapExtend), add: add, inf: 255,
			}
			plain := args[i]
			byteGo(&plain, lanes)
			args[i].history = &got[i][0]

			var states [4][]int16
			for j := range states {
				states[j] = slices.Repeat([]int16{bandInf}, lanes)
			}
			states[0][start] = 0
			wide := make([]int16, rows*lanes)
			bandGo(&bandArgs{
				even: &states[0][0], odd: &states[1][0], ins: &states[2][0], del: &states[3][0],
				text: &text[0], reverse: &reverse[rows], vectors: 1, steps: rows / 2, history: &wide[0], stride: 2 * lanes,
				mismatch: int16(pen.Mismatch), open: int16(pen.GapOpen), match: int16(-2 * pen.GapExtend),
			}, lanes)
			bytes := byteCosts{rows: want[i], bandRows: bandRows{lanes: lanes}, gapExtend: pen.GapExtend, exact: byteScore(pen)}
			costs := wholeCosts{rows: wide, bandRows: bandRows{lanes: lanes}, gapExtend: pen.GapExtend}
			for a := 1; a <= rows; a++ {
				for k := range 2 * lanes {
					b, w := bytes.at(a, k), costs.at(a, k)
					if w <= byteScore(pen) || b <= byteScore(pen) {
						exact++
						if b != w {
							t.Fatalf("%v, antidiagonal %d, lane %d: %d, want %d", pen, a, k/2, b, w)
						}
					}
				}
			}
		}
		g.runBytes(&args[0])
		for i := range got {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("%d lanes, pair %d of %d, %d blocks: histories differ", lanes, i, g.size, blocks)
			}
		}
	}
	if exact < 10_000 {
		t.Errorf("%d exact costs", exact)
	}
}

// byteGo is the plain version of the routines for one band, of lanes lanes.
func byteGo(a *byteArgs, lanes int) {
	even := append([]byte(nil), unsafe.Slice(a.even, lanes)...)
	var states [3][]byte
	for i := range states {
		states[i] = make([]byte, lanes)
		for m := range states[i] {
			states[i][m] = 255
		}
	}
	odd, ins, del := states[0], states[1], states[2]
	plus := func(h, by byte) byte { return byte(min(255, int(h)+int(by))) }
	history := unsafe.Slice(a.history, a.blocks*byteRows*lanes)
	row := func(h []byte, text, reverse unsafe.Pointer) {
		t, r := unsafe.Slice((*byte)(text), lanes), unsafe.Slice((*byte)(reverse), lanes)
		for m := range h {
			d := byte(max(0, int(h[m])-int(a.match)))
			if t[m] != r[m] {
				d = plus(d, a.mismatch)
			}
			h[m] = min(d, ins[m], del[m])
		}
		history = history[copy(history, h):]
	}
	gaps := func(prev []byte) {
		for m, h := range prev {
			o := plus(h, a.open)
			ins[m], del[m] = min(ins[m], o), min(del[m], o)
		}
	}
	for c := range a.blocks * byteRows / 2 {
		text, reverse := unsafe.Add(unsafe.Pointer(a.text), c), unsafe.Add(unsafe.Pointer(a.reverse), -c)
		gaps(even)
		copy(ins, ins[1:])
		ins[lanes-1] = 255
		row(odd, text, reverse)
		gaps(odd)
		copy(del[1:], del[:lanes-1])
		del[0] = 255
		row(even, text, unsafe.Add(reverse, -1))
		if (c+1)%(byteRows/2) == 0 {
			for _, s := range [][]byte{even, odd, ins, del} {
				for m := range s {
					s[m] = plus(s[m], a.add)
				}
			}
		}
	}
	a.blocks = 0
}
