package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"
)

// laneBand is what a routine of lanes works on.
type laneBand[C laneCell] struct {
	lanes, rows, width, stride int
	pattern, text              []byte
	h, ins                     []C
	costs, beside, state       []C
	low                        []byte // bytes of the cells that a routine of words stores
}

func (b *laneBand[C]) clone() *laneBand[C] {
	c := *b
	c.h, c.ins, c.state, c.low = slices.Clone(b.h), slices.Clone(b.ins), slices.Clone(b.state), slices.Clone(b.low)
	return &c
}

func (b *laneBand[C]) run(k laneRoutine) {
	a := lanesArgs{
		pattern: &b.pattern[0], text: &b.text[0], h: unsafe.Pointer(&b.h[0]), ins: unsafe.Pointer(&b.ins[0]),
		rows: b.rows, width: b.width, stride: b.stride, costs: unsafe.Pointer(&b.costs[0]),
		beside: unsafe.Pointer(&b.beside[0]), state: unsafe.Pointer(&b.state[0]),
	}
	if laneMax[C]() > 255 {
		a.row, a.h = a.h, unsafe.Pointer(&b.low[0])
	}
	k.run(&a)
}

// plain is the recurrence of lanesArgs. It keeps all rows.
func (b *laneBand[C]) plain() {
	add := func(x, y C) C { return C(min(int(x)+int(y), laneMax[C]())) }
	less := func(x, y C) C { return C(max(0, int(x)-int(y))) }
	for i := range b.rows {
		above, row := b.h[i*b.stride:], b.h[(i+1)*b.stride:]
		for l := range b.lanes {
			cost := func(c int) C { return b.costs[c*b.lanes+l] }
			side := func(from, seed, out int, c C) (inside, whole C) {
				known := b.beside[i*lanesBeside*b.lanes:]
				state := func(n int) *C { return &b.state[(from+n)*b.lanes+l] }
				before, in := state(lanesBeforeLeft), state(lanesInSeedLeft)
				*in = min(*in, c)
				*before = add(*before, known[seed*b.lanes+l])
				inside, whole = *in, *before
				if known[lanesBegin*b.lanes+l] > 0 {
					*before = min(*before, less(*in, cost(out)))
					*in = ^C(0)
				}
				return inside, whole
			}
			leads := min(add(b.ins[l], cost(lanesInsExtend)), add(above[l], cost(lanesInsOpen)))
			inside, whole := side(lanesBeforeLeft, lanesSeedLeft, lanesLeftOut, leads)
			del := add(min(inside, whole), cost(lanesLeftIn))
			for d := range b.width {
				at := d*b.lanes + l
				c := above[at]
				if b.pattern[i*b.lanes+l] != b.text[(i+d)*b.lanes+l] {
					c = add(c, cost(lanesMismatch))
				}
				next := at + b.lanes
				b.ins[at] = min(add(b.ins[next], cost(lanesInsExtend)), add(above[next], cost(lanesInsOpen)))
				row[at] = min(c, b.ins[at], del)
				del = min(add(del, cost(lanesDelExtend)), add(row[at], cost(lanesDelOpen)))
			}
			inside, whole = side(lanesBeforeRight, lanesSeedRight, lanesRightOut, del)
			row[b.width*b.lanes+l] = min(less(inside, cost(lanesRightIn)), less(whole, cost(lanesBeforeIn)))
		}
	}
}

// randomBand returns a band of rows with states of their own.
func randomBand[C laneCell](r *rand.Rand, lanes int) *laneBand[C] {
	b := &laneBand[C]{lanes: lanes, rows: 1 + r.IntN(30), width: 1 + r.IntN(12)}
	b.stride = (b.width + 1) * lanes
	b.pattern, b.text = randomLetters(r, b.rows*lanes), randomLetters(r, (b.rows+b.width)*lanes)
	b.h, b.ins = make([]C, (b.rows+1)*b.stride), make([]C, b.stride)
	b.low = make([]byte, len(b.h))
	fill(b.h[:b.stride], ^C(0))
	fill(b.ins, ^C(0))
	base := r.IntN(laneMax[C]() - 254) // of lanes of a byte 0
	for i := range b.width * lanes {
		if r.IntN(3) > 0 {
			b.h[i] = C(base + r.IntN(20))
		}
	}
	mismatch, extend := 1+r.IntN(9), 1+r.IntN(4)
	open := extend + r.IntN(20)
	if r.IntN(4) == 0 { // up to the largest cost
		mismatch, open = 60, 120
	}
	for _, c := range [lanesConstants]int{
		lanesMismatch: mismatch, lanesInsOpen: open, lanesInsExtend: extend, lanesDelOpen: open, lanesDelExtend: extend,
		lanesLeftOut: r.IntN(4), lanesLeftIn: r.IntN(20),
		lanesRightOut: r.IntN(4), lanesRightIn: r.IntN(5), lanesBeforeIn: r.IntN(5),
	} {
		b.costs = append(b.costs, slices.Repeat([]C{C(c)}, lanes)...)
	}
	b.beside, b.state = make([]C, b.rows*lanesBeside*lanes), make([]C, lanesStates*lanes)
	for i := range b.beside {
		if i/lanes%lanesBeside == lanesBegin {
			b.beside[i] = ^C(0) * C(r.IntN(2))
		} else {
			b.beside[i] = C(2 * r.IntN(2))
		}
	}
	for i := range b.state {
		b.state[i] = C(base + r.IntN(256))
	}
	return b
}

// The assembly computes the bands that the recurrence defines.
func TestLanesKernels(t *testing.T) {
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		checkLanesKernel[uint8](t, k.lanes.bytes)
		checkLanesKernel[uint16](t, k.lanes.words)
	})
}

func checkLanesKernel[C laneCell](t *testing.T, k laneRoutine) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		want := randomBand[C](r, k.lanes)
		got := want.clone()
		got.run(k)
		want.plain()
		all, last := got.h, want.h
		if laneMax[C]() > 255 { // the routine has the last row, and bytes of all but the first one
			all, last = got.h[:got.stride], want.h[want.rows*want.stride:]
			for i, c := range want.h[want.stride:] {
				if inside := i%want.stride < want.width*want.lanes; inside && got.low[want.stride+i] != byte(c) {
					t.Fatalf("%d rows, %d diagonals: another low byte", got.rows, got.width)
				}
			}
		}
		if !slices.Equal(all, last) || !slices.Equal(got.ins, want.ins) {
			t.Fatalf("%d rows, %d diagonals: other cells", got.rows, got.width)
		}
		if !slices.Equal(got.state, want.state) {
			t.Fatalf("%d rows, %d diagonals: other costs beside them", got.rows, got.width)
		}
	}
}

// BenchmarkLanes measures the cells of bands that a routine computes in a nanosecond.
func BenchmarkLanes(b *testing.B) {
	for _, level := range simdLevels() {
		k := kernelsFor(level).lanes
		for _, width := range []int{16, 64, 250} {
			b.Run(fmt.Sprintf("%s/bytes/%d", level, width), func(b *testing.B) { benchLanes[uint8](b, k.bytes, width) })
			b.Run(fmt.Sprintf("%s/words/%d", level, width), func(b *testing.B) { benchLanes[uint16](b, k.words, width) })
		}
	}
}

func benchLanes[C laneCell](b *testing.B, k laneRoutine, width int) {
	const rows = 250
	r := rand.New(rand.NewPCG(5, 6))
	x := randomBand[C](r, k.lanes)
	x.rows, x.width, x.stride = rows, width, (width+1)*k.lanes
	x.pattern, x.text = randomLetters(r, rows*k.lanes), randomLetters(r, (rows+width)*k.lanes)
	x.h, x.ins = make([]C, (rows+1)*x.stride), make([]C, x.stride)
	x.low = make([]byte, len(x.h))
	x.beside = make([]C, rows*lanesBeside*k.lanes)
	best := time.Hour
	for b.Loop() {
		t := time.Now()
		x.run(k)
		best = min(best, time.Since(t))
	}
	b.ReportMetric(float64(rows*width*k.lanes)/float64(best.Nanoseconds()), "cells/ns")
}
