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
type laneBand struct {
	lanes, rows, width, stride int
	pattern, text, h, ins      []byte
	costs, beside, state       []byte
}

func (b *laneBand) clone() *laneBand {
	c := *b
	c.h, c.ins, c.state = slices.Clone(b.h), slices.Clone(b.ins), slices.Clone(b.state)
	return &c
}

func (b *laneBand) run(k *lanesKernel) {
	k.run(&lanesArgs{
		pattern: &b.pattern[0], text: &b.text[0], h: unsafe.Pointer(&b.h[0]), ins: unsafe.Pointer(&b.ins[0]),
		rows: b.rows, width: b.width, stride: b.stride, costs: unsafe.Pointer(&b.costs[0]),
		beside: unsafe.Pointer(&b.beside[0]), state: unsafe.Pointer(&b.state[0]),
	})
}

// plain is the recurrence of lanesArgs.
func (b *laneBand) plain() {
	add := func(x, y byte) byte { return byte(min(int(x)+int(y), lanesMost)) }
	less := func(x, y byte) byte { return byte(max(0, int(x)-int(y))) }
	for i := range b.rows {
		above, row := b.h[i*b.stride:], b.h[(i+1)*b.stride:]
		for l := range b.lanes {
			cost := func(c int) byte { return b.costs[c*b.lanes+l] }
			side := func(from, seed, out int, c byte) (inside, whole byte) {
				known := b.beside[i*lanesBeside*b.lanes:]
				state := func(n int) *byte { return &b.state[(from+n)*b.lanes+l] }
				before, in := state(lanesBeforeLeft), state(lanesInSeedLeft)
				*in = min(*in, c)
				*before = add(*before, known[seed*b.lanes+l])
				inside, whole = *in, *before
				if known[lanesBegin*b.lanes+l] == 255 {
					*before = min(*before, less(*in, cost(out)))
					*in = lanesMost
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
func randomBand(r *rand.Rand, lanes int) *laneBand {
	b := &laneBand{lanes: lanes, rows: 1 + r.IntN(30), width: 1 + r.IntN(12)}
	b.stride = (b.width + 1) * lanes
	b.pattern, b.text = randomLetters(r, b.rows*lanes), randomLetters(r, (b.rows+b.width)*lanes)
	b.h, b.ins = make([]byte, (b.rows+1)*b.stride), make([]byte, b.stride)
	fillMost(b.h[:b.stride])
	fillMost(b.ins)
	for i := range b.width * lanes {
		if r.IntN(3) > 0 {
			b.h[i] = byte(r.IntN(20))
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
		b.costs = append(b.costs, slices.Repeat([]byte{byte(c)}, lanes)...)
	}
	b.beside, b.state = make([]byte, b.rows*lanesBeside*lanes), make([]byte, lanesStates*lanes)
	for i := range b.beside {
		if i/lanes%lanesBeside == lanesBegin {
			b.beside[i] = byte(255 * r.IntN(2))
		} else {
			b.beside[i] = byte(2 * r.IntN(2))
		}
	}
	for i := range b.state {
		b.state[i] = byte(r.IntN(256))
	}
	return b
}

// The assembly computes the bands that the recurrence defines.
func TestLanesKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for range 300 {
			want := randomBand(r, k.lanes.lanes)
			got := want.clone()
			got.run(k.lanes)
			want.plain()
			if !slices.Equal(got.h, want.h) || !slices.Equal(got.ins, want.ins) {
				t.Fatalf("%d rows, %d diagonals: other cells", got.rows, got.width)
			}
			if !slices.Equal(got.state, want.state) {
				t.Fatalf("%d rows, %d diagonals: other costs beside them", got.rows, got.width)
			}
		}
	})
}

// BenchmarkLanes measures the cells of bands that a routine computes in a nanosecond.
func BenchmarkLanes(b *testing.B) {
	for _, level := range simdLevels() {
		for _, width := range []int{16, 64, 250} {
			b.Run(fmt.Sprintf("%s/%d", level, width), func(b *testing.B) {
				k := kernelsFor(level).lanes
				const rows = 250
				r := rand.New(rand.NewPCG(5, 6))
				x := randomBand(r, k.lanes)
				x.rows, x.width, x.stride = rows, width, (width+1)*k.lanes
				x.pattern, x.text = randomLetters(r, rows*k.lanes), randomLetters(r, (rows+width)*k.lanes)
				x.h, x.ins = make([]byte, (rows+1)*x.stride), make([]byte, x.stride)
				x.beside = make([]byte, rows*lanesBeside*k.lanes)
				best := time.Hour
				for b.Loop() {
					t := time.Now()
					x.run(k)
					best = min(best, time.Since(t))
				}
				b.ReportMetric(float64(rows*width*k.lanes)/float64(best.Nanoseconds()), "cells/ns")
			})
		}
	}
}
