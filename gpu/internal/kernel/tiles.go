package kernel

import (
	"fmt"
	"slices"
	"sort"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// The tiles family, cuda/tiles.cuh: exact, for any length and any score, for the
// penalties of the kernels with wavefronts in registers. Several blocks may share a pair.

const (
	tileWarps, tileCells, tileBlocks = 4, 8, 4
	// tileCore is the number of diagonals of a tile without its halo.
	tileCore = (30*tileWarps+2)*tileCells - 64
	// tileHeader is the size of TileHeader of cuda/tilestates.cuh, in words.
	tileHeader = 32
	// tileStatic is more than a block takes of shared memory beside the sequences.
	tileStatic = 4 << 10
)

// tiles is the kernel with the sequences in shared memory, or in global memory.
type tiles struct {
	family       *Family
	penalties    align.Penalties
	scoreOnly    bool
	inShared     bool
	kernel       *driver.Function
	clear        *driver.Function
	trace        *retracer // nil if scoreOnly
	shared, sms  int
	longestScore int // whose alignment fits into Config.CigarCapacity
}

func loadTiles(f *Family, l *loader) ([]Kernel, error) {
	if !slices.Contains(registerPenalties, l.Penalties) {
		return nil, nil
	}
	var kernels []Kernel
	for _, inShared := range []bool{true, false} {
		k := &tiles{family: f, penalties: l.Penalties, scoreOnly: l.ScoreOnly, inShared: inShared, sms: l.device.SMs, longestScore: MaxBound}
		var err error
		if k.kernel, k.shared, err = l.large(tilesName(f, l.Penalties, inShared, l.ScoreOnly)); err != nil {
			return nil, err
		}
		if k.clear, err = l.function("wfa_tiles_clear"); err != nil {
			return nil, err
		}
		if !l.ScoreOnly {
			k.longestScore = (l.CigarCapacity - 1) / 2 * l.CheapestRun()
			if k.trace, err = loadRetracer(l, "_tiles", tilesWindow); err != nil {
				return nil, err
			}
		}
		kernels = append(kernels, k)
	}
	return kernels, nil
}

// tilesName returns the name of a kernel.
func tilesName(f *Family, p align.Penalties, inShared, scoreOnly bool) string {
	where := "global"
	if inShared {
		where = "shared"
	}
	return fmt.Sprintf("wfa_%s_%d_%d_%d_%dx%d_%s_%s", f.Name, p.Mismatch, p.GapOpen, p.GapExtend, tileWarps, tileCells, where, suffix(scoreOnly))
}

func tilesVariant(f *Family, p align.Penalties) Variant {
	v := Variant{Family: f, Penalties: p, Arguments: fmt.Sprintf("%d, %d, %d", tileWarps, tileCells, tileBlocks)}
	for _, inShared := range []bool{true, false} {
		v.Names = append(v.Names, tilesName(f, p, inShared, true), tilesName(f, p, inShared, false))
	}
	return v
}

func (k *tiles) Family() *Family          { return k.family }
func (k *tiles) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

// Work counts a 32-bit cell as 2.4 of 16 bits. Reading sequences through the cache is slower
// than from shared memory.
func (k *tiles) Work(_, _, score, bound int) float64 {
	cells := 2.4 * waveWork(score, bound, 1400)
	if !k.inShared {
		cells *= 1.2
	}
	return cells
}

// Takes leaves sequences of which as many blocks as registers allow do not fit into the
// shared memory of an SM to the kernel that reads them from global memory.
func (k *tiles) Takes(pattern, text, bound int) bool {
	return bound <= k.longestScore && k.sharedBytes(text, pattern) <= k.shared/tileBlocks-tileStatic
}

// sharedBytes returns the size of both sequences in shared memory.
func (k *tiles) sharedBytes(text, pattern int) int {
	if !k.inShared {
		return 0
	}
	words := func(n int) int { return n/abi.LettersPerWord + 2 }
	return 4 * (words(text) + words(pattern))
}

func (k *tiles) Outcome(flags abi.Flags) Outcome { return exactOutcome(flags) }

// width returns the cells of a row of a checkpoint: the diagonals from which an
// alignment within the bound returns to the end's, which are about what gaps reach on
// one side, rounded to eights, and eight more.
func (k *tiles) width(g Group) int {
	reach := 0
	if p := k.penalties; g.Bound >= p.GapOpen+p.GapExtend {
		reach = (g.Bound - p.GapOpen) / p.GapExtend
	}
	return (min(g.Text+g.Pattern+1, reach+4) + 7 + 7 + 8) &^ 7
}

// words returns the memory of a pair: a header, and a checkpoint for each round, or two
// with scores alone.
func (k *tiles) words(g Group) int {
	rounds := 2
	if !k.scoreOnly {
		rounds = k.rounds(g.Bound)
	}
	return (tileHeader + rounds*checkpointRows(k.penalties)*k.width(g) + 31) &^ 31
}

// span returns the scores of a round.
func (k *tiles) span() int { return span(k.penalties, tilesWindow) }

// rounds returns the number of rounds up to a bound.
func (k *tiles) rounds(bound int) int { return max((bound+k.span()-1)/k.span(), 1) }

// MaxBound assumes that the sequences are long.
func (k *tiles) MaxBound(words int) int {
	const long = 1 << 40
	above := sort.Search(k.longestScore, func(bound int) bool {
		return k.words(Group{Bound: bound + 1, Text: long, Pattern: long}) > words
	})
	return min(above, k.longestScore)
}

// sharing is the least number of tiles across a pair for which other blocks join it in
// any case. With fewer, they would mostly wait for each other.
const sharing = 8

// share reports whether blocks share the pairs of a group with some tiles across: pairs with many
// tiles, or any if the device has little other work. Blocks that look for tiles take time from those
// that compute, and more of it the more pairs there are, so enough pairs for half of the SMs have a
// block each.
func (k *tiles) share(g Group, across int) bool {
	return 2*g.Count <= k.sms && (across >= sharing || g.Spare && across > 1)
}

// Plan takes one block for each pair, or several where they share it.
func (k *tiles) Plan(g Group, _ int) (Plan, bool, error) {
	p := Plan{PerTask: 4 * k.words(g), threads: 32 * tileWarps, pairs: 1, shared: k.sharedBytes(g.Text, g.Pattern)}
	perSM, err := k.kernel.BlocksPerSM(p.threads, p.shared)
	most := perSM * k.sms
	p.blocks = min(g.Count, most)
	across := (k.width(g) + tileCore - 1) / tileCore
	if k.share(g, across) {
		p.blocks = min(g.Count*across, most)
	}
	return p, true, err
}

func (k *tiles) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	k.set(&a, g, p)
	blocks := min(p.blocks, int(a.Count))
	if p.blocks > g.Count {
		a.Helpers, blocks = 1, p.blocks
		const threads = 128
		if err := launch(s, k.clear, (int(a.Count)+threads-1)/threads, threads, 0, &a); err != nil {
			return err
		}
	}
	return launch(s, k.kernel, blocks, p.threads, p.shared, &a)
}

func (k *tiles) Trace(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	if k.scoreOnly {
		return nil
	}
	k.set(&a, g, p)
	return k.trace.launch(s, &a)
}

// set sets the parameters of both kernels.
func (k *tiles) set(a *abi.Params, g Group, p Plan) {
	a.MaxScore = int32(g.Bound)
	a.RowStride = uint64(p.PerTask / 4)
	a.Width, a.Span = int32(k.width(g)), int32(k.span())
}
