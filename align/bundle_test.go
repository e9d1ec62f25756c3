package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"
)

// bundleForms are the routines with the number of their costs of gaps.
func (k *bundleKernels) forms() []bundleRoutine { return []bundleRoutine{k.linear, k.affine, k.long} }

// bundleTest has the arguments of a routine.
type bundleTest struct {
	pattern, text        []byte
	state                []int8
	left                 []int8
	marks                []byte
	rows, columns, lanes int
	constants            []int8
}

// newBundleTest returns random pairs with row 0 of free begins.
func newBundleTest(r *rand.Rand, lanes, rows, columns int, f *bundleRoutine, costs [bundleConstants]int8) *bundleTest {
	b := &bundleTest{rows: rows, columns: columns, lanes: lanes}
	b.pattern, b.text = randomLetters(r, rows*lanes), randomLetters(r, columns*lanes)
	b.state = make([]int8, columns*f.parts*lanes)
	for j := range columns {
		for l := range lanes {
			u := int8(r.IntN(4)) + costs[bundleMatch]/2
			at := j*f.parts*lanes + l
			b.state[at] = u
			if f.parts > 1 {
				b.state[at+lanes] = u + costs[bundleOpen]
			}
			if f.parts > 2 {
				b.state[at+2*lanes] = u + costs[bundleOpenLong]
			}
		}
	}
	b.left = make([]int8, rows)
	for i := range b.left {
		b.left[i] = int8(r.IntN(4)) + costs[bundleMatch]/2
	}
	b.marks = make([]byte, rows*columns*f.marks*lanes/8)
	for _, c := range costs {
		b.constants = append(b.constants, slices.Repeat([]int8{c}, lanes)...)
	}
	return b
}

func (b *bundleTest) args() *bundleArgs {
	return &bundleArgs{
		pattern: &b.pattern[0], text: &b.text[0], state: unsafe.Pointer(&b.state[0]), left: &b.left[0],
		rows: b.rows, columns: b.columns, marks: unsafe.Pointer(&b.marks[0]), constants: unsafe.Pointer(&b.constants[0]),
	}
}

// plain is the recurrence of bundleArgs.
func (b *bundleTest) plain(f *bundleRoutine, costs [bundleConstants]int8) {
	lanes, pieces := b.lanes, f.parts-1
	open := [2]int8{costs[bundleOpen], costs[bundleOpenLong]}
	extend := [2]int8{0, costs[bundleExtendLong]}
	for i := range b.rows {
		for l := range lanes {
			v := b.left[i]
			del := [2]int8{v + open[0], v + open[1]}
			for j := range b.columns {
				s := b.state[j*f.parts*lanes+l:]
				u, ins := s[0], [2]int8{}
				for p := range pieces {
					ins[p] = s[(1+p)*lanes]
				}
				if pieces == 0 {
					ins[0], del[0] = u, v
				}
				least := costs[bundleMismatch]
				for p := range max(1, pieces) {
					least = min(least, ins[p], del[p])
				}
				z := least
				if b.pattern[i*lanes+l] == b.text[j*lanes+l] {
					z = costs[bundleMatch]
				}
				mark := func(word int, is bool) {
					at := &b.marks[((i*b.columns+j)*f.marks+word)*lanes/8+l/8]
					*at &^= 1 << (l % 8)
					if is {
						*at |= 1 << (l % 8)
					}
				}
				for p := range max(1, pieces) {
					mark(4*p+markIns, ins[p] == least && least < costs[bundleMismatch])
					mark(4*p+markDel, del[p] == least && least < costs[bundleMismatch])
				}
				s[0] = z - v
				for p := range pieces {
					o := z + open[p]
					i, d := ins[p]+extend[p], del[p]+extend[p]
					mark(4*p+markInsOpen, o <= i)
					mark(4*p+markDelOpen, o <= d)
					s[(1+p)*lanes] = min(o, i) - v
					del[p] = min(o, d) - u
				}
				v = z - u
			}
		}
	}
}

// The assembly computes the rows that the recurrence defines, and their marks.
func TestBundleKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for range 60 {
			for pieces, f := range k.bundle.forms() {
				e, x := 1+r.IntN(4), 1+r.IntN(9)
				costs := [bundleConstants]int8{
					bundleMatch: int8(-2 * e), bundleMismatch: int8(x - 2*e), bundleOpen: int8(r.IntN(9)),
					bundleOpenLong: int8(9 + r.IntN(20)), bundleExtendLong: int8(-r.IntN(e)),
				}
				b := newBundleTest(r, k.bundle.lanes, 1+r.IntN(11), 1+r.IntN(9), &f, costs)
				kept, last := *b, *b
				kept.state, last.state = slices.Clone(b.state), slices.Clone(b.state)
				kept.marks = make([]byte, len(b.marks))
				f.kept(kept.args().ptr())
				f.run(last.args().ptr())
				b.plain(&f, costs)
				if !slices.Equal(kept.state, b.state) || !slices.Equal(last.state, b.state) {
					t.Fatalf("%d costs, %d rows, %d columns: other differences", pieces, b.rows, b.columns)
				}
				if !slices.Equal(kept.marks, b.marks) {
					t.Fatalf("%d costs, %d rows, %d columns: other marks", pieces, b.rows, b.columns)
				}
			}
		}
	})
}

// BenchmarkBundle measures the cells that a routine computes in a nanosecond, with and without marks.
func BenchmarkBundle(b *testing.B) {
	for _, level := range simdLevels() {
		k := kernelsFor(level).bundle
		for pieces, f := range k.forms() {
			for _, n := range []int{125, 250, 512, 1000} {
				for _, keep := range []bool{false, true} {
					b.Run(fmt.Sprintf("%s/%d/%d/marks=%v", level, pieces, n, keep), func(b *testing.B) {
						r := rand.New(rand.NewPCG(5, 9))
						costs := [bundleConstants]int8{
							bundleMatch: -2, bundleMismatch: 0, bundleOpen: 3, bundleOpenLong: 12, bundleExtendLong: -1,
						}
						t := newBundleTest(r, k.lanes, min(n, 1<<24/n/f.marks/k.lanes*8), n, &f, costs)
						run := f.run
						if keep {
							run = f.kept
						}
						best := time.Hour
						for b.Loop() {
							start := time.Now()
							run(t.args().ptr())
							best = min(best, time.Since(start))
						}
						b.ReportMetric(float64(t.rows*n*k.lanes)/float64(best.Nanoseconds()), "cells/ns")
					})
				}
			}
		}
	}
}
