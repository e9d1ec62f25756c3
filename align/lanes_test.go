package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"
)

// lanesPlain is the recurrence of lanesArgs.
func lanesPlain(pattern, text []byte, h, ins []uint16, rows, width, lanes, stride int, mismatch, open, extend int) {
	add := func(a uint16, b int) uint16 { return uint16(min(int(a)+b, lanesMost)) }
	for i := range rows {
		above, row := h[i*stride:], h[(i+1)*stride:]
		for l := range lanes {
			del := uint16(lanesMost)
			for d := range width {
				at := d*lanes + l
				c := above[at]
				if pattern[i*lanes+l] != text[(i+d)*lanes+l] {
					c = add(c, mismatch)
				}
				next := at + lanes
				ins[at] = min(add(ins[next], extend), add(above[next], open))
				if d > 0 {
					del = min(add(del, extend), add(row[at-lanes], open))
				}
				row[at] = min(c, ins[at], del)
			}
			row[width*lanes+l] = lanesMost
		}
	}
}

// The assembly computes the bands that the recurrence defines, in one row or in all.
func TestLanesKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for range 300 {
			lanes, rows, width := k.lanes.lanes, 1+r.IntN(30), 1+r.IntN(12)
			mismatch, extend := 1+r.IntN(9), 1+r.IntN(4)
			open := extend + r.IntN(20)
			if r.IntN(4) == 0 { // up to the largest cost
				mismatch, open = 9000, 20000
			}
			stride := (width + 1) * lanes
			pattern, text := randomLetters(r, rows*lanes), randomLetters(r, (rows+width)*lanes)
			want, wantIns := make([]uint16, (rows+1)*stride), make([]uint16, stride)
			fillMost(want[:stride])
			fillMost(wantIns)
			for i := range width * lanes {
				if r.IntN(3) > 0 {
					want[i] = uint16(r.IntN(20))
				}
			}
			got, gotIns := slices.Clone(want), slices.Clone(wantIns)
			last, lastIns := slices.Clone(want[:stride]), slices.Clone(wantIns)
			costs := make([]uint16, lanesConstants*lanes)
			for c, v := range []int{lanesMismatch: mismatch, lanesOpen: open, lanesExtend: extend, lanesNull: lanesMost} {
				for l := range lanes {
					costs[c*lanes+l] = uint16(v)
				}
			}
			run := func(h, ins []uint16, stride int) {
				k.lanes.run(&lanesArgs{
					pattern: &pattern[0], text: &text[0], h: unsafe.Pointer(&h[0]), ins: unsafe.Pointer(&ins[0]),
					rows: rows, width: width, stride: 2 * stride, costs: unsafe.Pointer(&costs[0]),
				})
			}
			run(got, gotIns, stride)
			run(last, lastIns, 0)
			lanesPlain(pattern, text, want, wantIns, rows, width, lanes, stride, mismatch, open, extend)
			if !slices.Equal(got, want) || !slices.Equal(gotIns, wantIns) {
				t.Fatalf("%d rows, %d diagonals: other cells", rows, width)
			}
			if !slices.Equal(last, want[rows*stride:]) || !slices.Equal(lastIns, wantIns) {
				t.Fatalf("%d rows, %d diagonals: another last row", rows, width)
			}
		}
	})
}

// BenchmarkLanes measures the cells of bands that a routine computes in a nanosecond, the last row
// alone and all rows.
func BenchmarkLanes(b *testing.B) {
	for _, level := range simdLevels() {
		for _, width := range []int{16, 64, 250} {
			for _, keep := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/%d/keep=%v", level, width, keep), func(b *testing.B) {
					k := kernelsFor(level).lanes
					const rows = 250
					r := rand.New(rand.NewPCG(5, 6))
					pattern, text := randomLetters(r, rows*k.lanes), randomLetters(r, (rows+width)*k.lanes)
					stride := (width + 1) * k.lanes
					h, ins, costs := make([]uint16, (rows+1)*stride), make([]uint16, stride), make([]uint16, lanesConstants*k.lanes)
					fillMost(ins)
					for i := range costs {
						costs[i] = [lanesConstants]uint16{lanesMismatch: 2, lanesOpen: 4, lanesExtend: 1, lanesNull: lanesMost}[i/k.lanes]
					}
					a := lanesArgs{
						pattern: &pattern[0], text: &text[0], h: unsafe.Pointer(&h[0]), ins: unsafe.Pointer(&ins[0]),
						rows: rows, width: width, costs: unsafe.Pointer(&costs[0]),
					}
					if keep {
						a.stride = 2 * stride
					}
					best := time.Hour
					for b.Loop() {
						t := time.Now()
						k.run(&a)
						best = min(best, time.Since(t))
					}
					b.ReportMetric(float64(rows*width*k.lanes)/float64(best.Nanoseconds()), "cells/ns")
				})
			}
		}
	}
}
