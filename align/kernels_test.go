package align

import (
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"testing"
	"unsafe"
)

// simdKernels returns the assembly code paths that this machine can run.
func simdKernels(t *testing.T) map[Level]*kernels {
	t.Helper()
	m := map[Level]*kernels{}
	for _, l := range simdLevels() {
		m[l] = kernelsFor(l)
	}
	if len(m) == 0 {
		t.Skip("this machine has none of the SIMD code paths")
	}
	return m
}

// An SSE instruction without the VEX prefix, among AVX ones whose upper halves are
// in use, takes hundreds of cycles on some CPUs (Sapphire and Emerald Rapids).
func TestNoLegacySSE(t *testing.T) {
	source, err := os.ReadFile("kernels_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	legacy := regexp.MustCompile(`(?m)^\s+[A-UW-Z][A-Z0-9]*\s.*\bX[0-9]+\b.*$`)
	for _, line := range legacy.FindAll(source, -1) {
		t.Errorf("not an AVX instruction: %s", line)
	}
	if !regexp.MustCompile(`(?m)^\s+VMOVD\s`).Match(source) {
		t.Error("there are no instructions")
	}
}

func TestCanonicalKernels(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for level, k := range simdKernels(t) {
		for n := 0; n <= 200; n++ {
			for _, from := range []int{0, 1, 17, 256 - n} {
				src := all[from : from+min(n, 256-from)]
				got, want := make([]byte, len(src)), make([]byte, len(src))
				ok, wantOK := k.canonical(got, src), canonicalGo(want, src)
				if ok != wantOK || !slices.Equal(got, want) {
					t.Fatalf("%s: %d bytes from %d: %v %q, want %v %q", level, n, from, ok, got, wantOK, want)
				}
			}
		}
	}
}

// TestComputeKernels compares rows of every width with the plain version,
// nulls beside them included.
func TestComputeKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for level, k := range simdKernels(t) {
		for n := k.computeLanes; n <= 5*k.computeLanes; n += k.computeLanes {
			for range 200 {
				plen, tlen := 1+r.IntN(200), 1+r.IntN(200)
				var pattern, text sequence
				copy(pattern.guarded(plen, patternPad), randomLetters(r, plen))
				copy(text.guarded(tlen, textPad), randomLetters(r, tlen))
				k0 := -plen + r.IntN(plen+tlen)
				var in [4][]int32
				for i := range in {
					in[i] = nulls(n + 2*k.computeLanes)
					for j := range in[i] {
						if r.IntN(3) > 0 {
							in[i][j] = int32(r.IntN(tlen + 3))
						}
					}
				}
				run := func(compute func(*computeArgs)) (out [3][]int32) {
					g := 2 * k.computeLanes
					for i := range out {
						out[i] = make([]int32, g+n+g)
					}
					compute(&computeArgs{
						mx: &in[0][1], mo: &in[1][1], ins: &in[2][1], del: &in[3][1],
						outM: &out[0][g], outIns: &out[1][g], outDel: &out[2][g],
						n: n, k0: int32(k0), patternLen: int32(plen), textLen: int32(tlen),
						left: int32(g), right: int32(g),
						pattern: (*byte)(pattern.first()), text: (*byte)(text.first()),
					})
					return out
				}
				got, want := run(k.compute), run(computeGo)
				for i := range got {
					if !slices.Equal(got[i], want[i]) {
						t.Fatalf("%s, %d lanes, k0 %d, lengths %d %d, row %d:\n%v\nwant\n%v", level, n, k0, plen, tlen, i, got[i], want[i])
					}
				}
			}
		}
	}
}

// TestApproxKernels compares rows of the approximate mode with the plain version,
// one after the other over the same sequences, so that what was looked at before
// is used. Few letters make long matches.
func TestApproxKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for level, k := range simdKernels(t) {
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
							t.Fatalf("%s, k0 %d, lengths %d %d, row %d, diagonal %d: %d, want %d", level, k0, plen, tlen, i, k0+j, h, w)
						}
					}
				}
				if far != wantFar && (far >= 0 || wantFar >= 0) {
					t.Fatalf("%s: furthest %d, want %d", level, far, wantFar)
				}
			}
		}
	}
}

func randomLetters(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = "ACGT"[r.IntN(4)]
	}
	return b
}

// TestBandKernels compares every band routine, of every width in registers and
// beyond, with the plain version.
func TestBandKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for level, k := range simdKernels(t) {
		lanes := k.band.lanes
		for vectors := 1; vectors <= len(k.band.registers)+2; vectors++ {
			for range 50 {
				n, steps := vectors*lanes, 1+r.IntN(40)
				text, reverse := randomLetters(r, n+2*steps+64), randomLetters(r, n+2*steps+64)
				start := randomStates(r, n)
				x, o, e := 1+r.IntN(20), r.IntN(20), 1+r.IntN(5)
				run := func(keep bool, advance func(*bandArgs, []int16)) (states [4][]int16, history []int16) {
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
					advance(a, history)
					return states, history
				}
				want, wantHistory := run(true, func(a *bandArgs, h []int16) { bandGo(a, lanes, h) })
				for _, keep := range []bool{false, true} {
					got, history := run(keep, func(a *bandArgs, _ []int16) { k.band.pick(vectors, keep)(a) })
					for i := range got {
						if !slices.Equal(got[i], want[i]) {
							t.Fatalf("%s, %d vectors, history %v, state %d:\n%v\nwant\n%v", level, vectors, keep, i, got[i], want[i])
						}
					}
					if keep && !slices.Equal(history, wantHistory) {
						t.Fatalf("%s, %d vectors: histories differ", level, vectors)
					}
				}
			}
		}
	}
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
	for level, k := range simdKernels(t) {
		for _, g := range k.groups {
			lanes := g.vector.lanes
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
					bandGo(&plain, lanes, want[i])
				}
				g.run(&args[0])
				for i := range got {
					if !slices.Equal(got[i], want[i]) {
						t.Fatalf("%s, %d lanes, pair %d of %d, %d steps: histories differ", level, lanes, i, g.size, steps)
					}
				}
			}
		}
	}
}

// TestArgsLayout holds the structs to the byte offsets in _asm.
func TestArgsLayout(t *testing.T) {
	var b bandArgs
	var c computeArgs
	var n narrowArgs
	var a adaptiveArgs
	for _, f := range []struct {
		name      string
		got, want uintptr
	}{
		{"bandArgs", unsafe.Sizeof(b), 88},
		{"bandArgs.text", unsafe.Offsetof(b.text), 32},
		{"bandArgs.vectors", unsafe.Offsetof(b.vectors), 48},
		{"bandArgs.history", unsafe.Offsetof(b.history), 64},
		{"bandArgs.mismatch", unsafe.Offsetof(b.mismatch), 80},
		{"bandArgs.add", unsafe.Offsetof(b.add), 86},
		{"computeArgs.n", unsafe.Offsetof(c.n), 56},
		{"computeArgs.left", unsafe.Offsetof(c.left), 76},
		{"computeArgs.pattern", unsafe.Offsetof(c.pattern), 88},
		{"adaptiveArgs.last", unsafe.Offsetof(a.last), 56},
		{"adaptiveArgs.n", unsafe.Offsetof(a.n), 88},
		{"adaptiveArgs.k0", unsafe.Offsetof(a.k0), 112},
		{"adaptiveArgs.furthest", unsafe.Offsetof(a.furthest), 116},
		{"narrowArgs.score", unsafe.Offsetof(n.score), 48},
		{"narrowArgs.end", unsafe.Offsetof(n.end), 64},
		{"narrowArgs.textLen", unsafe.Offsetof(n.textLen), 80},
	} {
		if f.got != f.want {
			t.Errorf("%s: %d, want %d", f.name, f.got, f.want)
		}
	}
}

// bandGo is the plain version of the band routines, for vectors of lanes lanes.
func bandGo(a *bandArgs, lanes int, history []int16) {
	n := a.vectors * lanes
	slice := func(p *int16) []int16 { return unsafe.Slice(p, n) }
	even, odd, ins, del := slice(a.even), slice(a.odd), slice(a.ins), slice(a.del)
	letter := func(p *byte, i int) byte { return *(*byte)(unsafe.Add(unsafe.Pointer(p), i)) }
	for c := range a.steps {
		advance := func(prev, cur []int16, isOdd bool) {
			ni, nd := make([]int16, n), make([]int16, n)
			for m := range n {
				ni[m] = min(ins[m], prev[m]+a.open)
				nd[m] = min(del[m], prev[m]+a.open)
			}
			rev := -c
			if isOdd {
				copy(ni, ni[1:])
				ni[n-1] = bandInf
			} else {
				copy(nd[1:], nd)
				nd[0] = bandInf
				rev--
			}
			for m := range n {
				h := cur[m] + a.match
				if letter(a.text, c+m) != letter(a.reverse, rev+m) {
					h += a.mismatch
				}
				cur[m] = min(h, ni[m], nd[m])
			}
			copy(ins, ni)
			copy(del, nd)
			history = history[copy(history, cur):]
		}
		advance(even, odd, true)
		advance(odd, even, false)
	}
	for _, s := range [][]int16{even, odd, ins, del} {
		for m := range s {
			s[m] = min(s[m]+a.add, bandInf)
		}
	}
}
