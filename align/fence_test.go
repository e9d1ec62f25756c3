package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFenceKernels compares every routine for open and fenced bands with the plain version.
func TestFenceKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		lanes := k.band.lanes
		kinds := []struct {
			fenceRoutines
			plain func(*fenceArgs, int)
		}{{k.fence.open, openGo}, {k.fence.fenced, fenceGo}}
		for vectors := 1; vectors <= 7; vectors++ {
			for range 200 {
				n, steps := vectors*lanes, 1+r.IntN(40)
				text, reverse := randomLetters(r, n+2*steps+64), randomLetters(r, n+2*steps+64)
				start, fenced := randomStates(r, n), randomFence(r)
				x, o, e := 1+r.IntN(20), r.IntN(20), 1+r.IntN(5)
				events := randomFenceEvents(r, steps, e)
				leftIn, beforeIn := int16(r.IntN(20)), int16(r.IntN(20))
				run := func(advance func(*fenceArgs)) (states [4][]int16, f fence, least []uint16) {
					for i := range states {
						states[i] = slices.Clone(start[i])
					}
					f, least = fenced, make([]uint16, n/fenceLanes)
					advance(&fenceArgs{
						bandArgs: bandArgs{
							even: &states[0][0], odd: &states[1][0], ins: &states[2][0], del: &states[3][0],
							text: &text[0], reverse: &reverse[2*steps],
							vectors: vectors, steps: steps,
							mismatch: int16(x), open: int16(o), match: int16(-2 * e), add: int16(2 * steps * e),
						},
						fence: &f, events: &events[0], least: &least[0],
						leftIn: pairOf(leftIn), rightIn: pairOf(1), beforeIn: pairOf(beforeIn),
					})
					return states, f, least
				}
				for i := range kinds {
					kind := &kinds[i]
					want, wantFence, wantLeast := run(func(a *fenceArgs) { kind.plain(a, lanes) })
					got, gotFence, least := run(kind.pick(vectors))
					for j := range got {
						if !slices.Equal(got[j], want[j]) {
							t.Fatalf("kind %d, %d vectors, state %d:\n%v\nwant\n%v", i, vectors, j, got[j], want[j])
						}
					}
					if gotFence != wantFence || !slices.Equal(least, wantLeast) {
						t.Fatalf("kind %d, %d vectors: fence %v, least %v\nwant %v, %v", i, vectors, gotFence, least, wantFence, wantLeast)
					}
				}
			}
		}
	})
}

func randomFence(r *rand.Rand) fence {
	cost := func() int16 {
		if r.IntN(3) == 0 {
			return bandInf
		}
		return int16(r.IntN(1000))
	}
	return fence{cost(), cost(), cost(), cost(), cost()}
}

// randomFenceEvents returns events as seeds have them.
func randomFenceEvents(r *rand.Rand, steps, extend int) []fenceEvent {
	events := make([]fenceEvent, steps)
	side := func() fenceSide {
		s := fenceSide{pairOf(int16(-2 * extend)), pairOf(noSeed), pairOf(noSeed)}
		if r.IntN(4) == 0 {
			s.cost = pairOf(s.cost[0] + int16(r.IntN(20)))
		}
		if r.IntN(4) == 0 {
			s.begin, s.out = pairOf(bandInf), pairOf(int16(r.IntN(20)))
		}
		return s
	}
	for i := range events {
		events[i] = fenceEvent{side(), side()}
	}
	return events
}
