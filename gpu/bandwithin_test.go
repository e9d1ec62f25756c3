package gpu

import (
	"fmt"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver/drivertest"
)

// bandSets are patterns within texts, few errors and many, with letters around them; and texts that have nothing to do
// with their patterns, or are shorter.
func bandSets(t *testing.T, count int, lengths []int) *align.Batch {
	t.Helper()
	b := &align.Batch{}
	for i, length := range lengths {
		for k, rate := range []float64{0.03, 0.15, 0.4} {
			set := simulated(t, count, simulate.Options{Length: length, ErrorRate: rate, Model: simulate.Bursts, Seed: uint64(80 + 3*i + k)})
			around := simulated(t, 2*count, simulate.Options{Length: 40 + length/10, Seed: uint64(90 + i)}).Pairs
			for j, p := range set.Pairs {
				switch j % 4 {
				case 0:
					p.Text = slices.Concat(around[2*j].Text, p.Text, around[2*j+1].Text)
				case 1:
					p.Text = slices.Concat(p.Text[:length/9], p.Text) // its begin twice
				case 2:
					p.Text = p.Text[length/7 : length-length/5]
				}
				b.Pairs = append(b.Pairs, p)
			}
			b.Pairs = append(b.Pairs, align.Pair{Pattern: set.Pairs[0].Pattern, Text: around[0].Text})
		}
	}
	return b
}

// testBands aligns pairs of patterns within texts in bands, with two sets of penalties.
func testBands(t *testing.T, b *align.Batch, open func(t testing.TB, g Options) *Engine) {
	coarse := align.Options{Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, Free: freeText}
	testBounds(t, b, withinOptions(), open, "gotoh_free", "gotoh")
	short := &align.Batch{Pairs: slices.DeleteFunc(slices.Clone(b.Pairs), func(p align.Pair) bool {
		return len(p.Pattern)+len(p.Text) > 8000 // whose costs may not fit into 16 bits
	})}
	testBounds(t, short, endsFree(coarse), open, "gotoh_free", "gotoh")
}

// testWaves aligns patterns within texts by wavefronts, those of many errors by the whole matrix,
// and more than twice as many of few errors.
func testWaves(t *testing.T, b *align.Batch, open func(t testing.TB, g Options) *Engine) {
	all := &align.Batch{Pairs: slices.Clone(b.Pairs)}
	for i, p := range within(t, 3*len(b.Pairs), 300, 8).Pairs {
		if i%4 != 3 { // those have many
			all.Pairs = append(all.Pairs, p)
		}
	}
	testBounds(t, all, withinOptions(), open, "warp_free block_free long_free span", "warp", "block")
}

// testBounds aligns patterns within texts with kernels of some families, under whose names at least
// half of the pairs are counted, with bounds that scores give and with a user's that is too low for
// most, and holds them against the CPU's.
func testBounds(t *testing.T, b *align.Batch, options []align.Options, open func(t testing.TB, g Options) *Engine, families string, counters ...string) {
	for _, o := range options {
		for _, low := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/%v/%v", o.Penalties, o.ScoreOnly, low), func(t *testing.T) {
				g := spanOptionsOf(o)
				g.families = families
				if low {
					g.MaxError.Score = 4 * o.Penalties.LongestStep()
				}
				e := open(t, g)
				e.runners.inside = nil
				s := wantSpanStats(t, e, o, &align.Batch{Pairs: slices.Clone(b.Pairs)})
				if s.counted(counters) < int64(len(b.Pairs)/2) {
					t.Errorf("%+v", s)
				}
			})
		}
	}
}

// Pairs take passes in bands, with the kernels that ship, and others where the band is too narrow.
func TestEmulatedBands(t *testing.T) {
	testBands(t, bandSets(t, 4, []int{120, 700}), openEmulated)
}

// The same by wavefronts.
func TestEmulatedWaves(t *testing.T) {
	testWaves(t, bandSets(t, 4, []int{120, 700}), openEmulated)
}

// The same on a device, with pairs for each width of a band. Under -short, few: for compute-sanitizer.
func TestBandsOnDevice(t *testing.T) {
	b := deviceBandSets(t)
	testBands(t, b, openReal)
}

// On a GPU with little memory, pairs take passes that fit into it.
func TestEmulatedWithinLittleMemory(t *testing.T) {
	o := withinOptions()[0]
	e := openEmulatedWith(t, 128<<20, spanOptionsOf(o))
	s := wantSpanStats(t, e, o, bandSets(t, 2, []int{120, 700, 2500}))
	if s.Kernels["warp"]+s.Kernels["block"] == 0 || s.Fallback != (FallbackCounts{}) {
		t.Errorf("%+v", s)
	}
}

func TestWavesOnDevice(t *testing.T) {
	b := deviceBandSets(t)
	testWaves(t, b, openReal)
}

func deviceBandSets(t *testing.T) *align.Batch {
	t.Helper()
	drivertest.RequireDevice(t)
	count := 40
	if testing.Short() {
		count = 4
	}
	return bandSets(t, count, []int{120, 300, 700, 1500, 3000, 6000})
}
