package align

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"wfagpu/cigar"
)

// narrowGo returns the plain version of a narrow kernel: the recurrence of computeGo over its lanes,
// beyond which all is null.
func narrowGo(k narrowKernel) narrowKernel {
	k.run = func(a *narrowArgs) {
		at := func(back, component int) []int32 {
			p := unsafe.Add(unsafe.Pointer(a.row), 4*component*k.width-back)
			return unsafe.Slice((*int32)(p), k.lanes)
		}
		lane := func(row []int32, i int) int32 {
			if i < 0 || i >= k.lanes {
				return null
			}
			return row[i]
		}
		for {
			m := at(0, 0)
			extend(m, int(a.first), unsafe.Pointer(a.pattern), unsafe.Pointer(a.text))
			if m[a.end] == a.textLen || a.score >= a.stop {
				return
			}
			a.score++
			a.row = (*int32)(unsafe.Add(unsafe.Pointer(a.row), 4*3*k.width))
			m, ins, del := at(0, 0), at(0, 1), at(0, 2)
			mx, mo, ie, de := at(a.mismatch, 0), at(a.open, 0), at(a.extend, 1), at(a.extend, 2)
			for i := range m {
				ins[i] = max(lane(mo, i+1), lane(ie, i+1))
				del[i] = max(lane(mo, i-1), lane(de, i-1)) + 1
				m[i] = max(mx[i]+1, ins[i], del[i])
				k := a.first + int32(i)
				if uint32(m[i]) > uint32(a.textLen) || uint32(m[i]-k) > uint32(a.patternLen) {
					m[i] = null
				}
			}
		}
	}
	return k
}

// eachNarrow calls f with the kernels of every level.
func eachNarrow(t *testing.T, f func(t *testing.T, k narrowKernel)) {
	eachKernels(t, func(t *testing.T, k *kernels) {
		f(t, k.narrow)
		if k.narrowWide.run != nil {
			f(t, k.narrowWide)
		}
	})
}

// TestNarrowKernel compares all rows, of several pairs in the same storage, with those of
// narrowGo.
func TestNarrowKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	eachNarrow(t, func(t *testing.T, k narrowKernel) {
		tested := 0
		for _, pen := range []Penalties{{2, 3, 1}, {4, 6, 2}, {1, 0, 1}, {3, 1, 4}, {10, 12, 3}, {5, 20, 3}} {
			kernel, plain := newNarrow(k, pen), newNarrow(narrowGo(k), pen)
			for range 300 {
				var pattern, text sequence
				n := 1 + r.IntN(90)
				s := randomLetters(r, n)
				copy(text.guarded(n, textPad), s)
				for range r.IntN(6) {
					s[r.IntN(len(s))] = "ACGT"[r.IntN(4)]
				}
				s = s[:max(1, n-r.IntN(12))]
				copy(pattern.guarded(len(s), patternPad), s)
				bound := kernel.certified(text.n - pattern.n)
				if bound < 0 {
					continue
				}
				kernel.start(&pattern, &text)
				plain.start(&pattern, &text)
				for _, stop := range []int{bound / 3, bound} {
					got, want := kernel.upTo(stop), plain.upTo(stop)
					rows := plain.origin + (plain.args.score+1)*plain.stride
					if got != want || kernel.args.score != plain.args.score || !slices.EqualFunc(kernel.rows[:rows], plain.rows[:rows], sameOffset) {
						t.Fatalf("%v, lengths %d and %d, up to %d: reached %v at %d, want %v at %d, or rows differ",
							pen, pattern.n, text.n, stop, got, kernel.args.score, want, plain.args.score)
					}
					if got {
						tested++
						break
					}
				}
			}
		}
		if tested < 300 {
			t.Errorf("only %d pairs came to their end", tested)
		}
	})
}

// TestNarrowWithin compares alignments of wavefronts that leave out cells beyond a bound with those of all cells.
func TestNarrowWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 8))
	eachNarrow(t, func(t *testing.T, k narrowKernel) {
		tested := 0
		for i := range 3000 {
			pen := gatedPenalties[r.IntN(len(gatedPenalties))]
			kernel, plain := newNarrow(k, pen), newNarrow(narrowGo(k), pen)
			if kernel == nil {
				continue
			}
			p, s := gatedPair(r, 1+r.IntN(120))
			var pattern, text sequence
			copy(pattern.guarded(len(p), patternPad), p)
			copy(text.guarded(len(s), textPad), s)
			plain.start(&pattern, &text)
			bound := plain.certified(text.n - pattern.n)
			if bound < 0 || !plain.upTo(bound) {
				continue
			}
			tested++
			want, err := plain.traceback(nil)
			if err != nil {
				t.Fatal(err)
			}
			kernel.start(&pattern, &text)
			bound = min(bound, plain.args.score+i%3*r.IntN(20))
			if reached := kernel.within(bound); !reached || kernel.args.score != plain.args.score {
				t.Fatalf("%v, %s, %s: %v at %d within %d, want %d", pen, p, s, reached, kernel.args.score, bound, plain.args.score)
			}
			if got, err := kernel.traceback(nil); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%v, %s, %s: %s, want %s: %v", pen, p, s, got, want, err)
			}
			// An alignment that costs more than the bound is not found.
			if kernel.start(&pattern, &text); bound > 0 && plain.args.score > 0 && kernel.within(plain.args.score-1) {
				t.Fatalf("%v, %s, %s: an end within %d, of score %d", pen, p, s, plain.args.score-1, plain.args.score)
			}
		}
		if tested < 500 {
			t.Errorf("%d pairs", tested)
		}
	})
}

// sameOffset compares offsets; all that are negative are null.
func sameOffset(a, b int32) bool { return a == b || a < 0 && b < 0 }

// TestNarrowTraceback holds the traceback of narrow wavefronts to the one that reads M rows alone,
// on pairs with repeats, whose cells many paths lead to.
func TestNarrowTraceback(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, pen := range []Penalties{{2, 3, 1}, {4, 6, 2}, {1, 0, 1}, {2, 0, 1}, {3, 1, 4}, {1, 12, 1}, {5, 2, 3}} {
		n := newNarrow(narrowGo(narrowKernel{lanes: narrowLanes, width: narrowLanes}), pen)
		aligned := 0
		for range 3000 {
			alphabet := "ACGT"[:1+r.IntN(4)]
			s := make([]byte, 1+r.IntN(60))
			for i := range s {
				s[i] = alphabet[r.IntN(len(alphabet))]
			}
			var pattern, text sequence
			copy(text.guarded(len(s), textPad), s)
			for range r.IntN(4) {
				i, l := r.IntN(len(s)+1), 1+r.IntN(3)
				switch r.IntN(3) {
				case 0:
					s[i%len(s)] = alphabet[r.IntN(len(alphabet))]
				case 1:
					s = slices.Insert(s, i, bytes.Repeat([]byte{alphabet[r.IntN(len(alphabet))]}, l)...)
				case 2:
					s = slices.Delete(s, i, min(i+l, len(s)))
				}
				if len(s) == 0 {
					s = []byte("A")
				}
			}
			copy(pattern.guarded(len(s), patternPad), s)
			bound := n.certified(text.n - pattern.n)
			if bound < 0 {
				continue
			}
			n.start(&pattern, &text)
			if !n.upTo(bound) {
				continue
			}
			aligned++
			got, err := n.traceback(nil)
			if err != nil {
				t.Fatalf("%v, %s, %s: %v", pen, pattern.letters(), text.letters(), err)
			}
			var rows mRows
			for s := range n.args.score + 1 {
				first := int(n.args.first)
				rows.rows = append(rows.rows, row{lo: first, hi: first + narrowLanes - 1, buf: n.row(s)})
			}
			trace := traceback{pattern: &pattern, text: &text, pen: n.pen, score: n.args.score}
			want, err := trace.run(nil, &rows)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%v, %s, %s: %v, want %v, %v", pen, pattern.letters(), text.letters(), got, want, err)
			}
		}
		if aligned < 1000 {
			t.Errorf("%v: only %d pairs", pen, aligned)
		}
	}
}

// TestNarrowTraceOfLongRuns: runs of more letters than an element of a CIGAR holds keep all of them.
func TestNarrowTraceOfLongRuns(t *testing.T) {
	for _, n := range []int{1, cigar.MaxLen, cigar.MaxLen + 1, cigar.MaxLen + 6, 2 * cigar.MaxLen, 5*cigar.MaxLen + 3} {
		var trace narrowTrace
		trace.next = len(trace.elems) - 1
		trace.add(runMatch, n-n/3)
		trace.add(runMatch, n/3)
		trace.add(runMismatch, 1)
		want := cigar.CIGAR(nil).AppendElem(runMismatch, 1).AppendElem(runMatch, n)
		if got := trace.appendTo(nil); !slices.Equal(got, want) {
			t.Errorf("%d letters: %v, want %v", n, got, want)
		}
	}
}
