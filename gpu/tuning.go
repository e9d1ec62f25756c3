package gpu

import (
	"fmt"
	"slices"

	"wfagpu/align"
)

// kind is a family of kernels with wavefronts in registers.
type kind uint8

const (
	kindWarp   kind = iota // cuda/warp.cuh: a warp or a part of one has a pair
	kindBlock              // cuda/block.cuh: a block has a pair
	kindApprox             // cuda/approx.cuh: a warp has a pair, approximately
)

func (k kind) String() string { return [...]string{"warp", "block", "approx"}[k] }

// variant is one kernel with wavefronts in registers: its diagonals bound the
// scores it can vouch for.
type variant struct {
	kind  kind
	lanes int // that have a pair: 8 or 32
	words int // of two diagonals a lane, over the whole pair
	warps int // a block
	shape string
	bases int // of a look-ahead entry: 8 or 16, or packed
}

// packed look-ahead tables hold the bases themselves, twice: two bits each.
const packed = 0

// variants are the kernels of cuda/variants.cuh for one set of penalties, the
// cheapest first: those of the exact mode, whose certificates grow along with
// their cost, and those of the approximate mode.
var variants = [...]variant{
	warpVariant(8, 1, 16, 8),
	warpVariant(8, 2, 16, 8),
	warpVariant(8, 3, 16, 8),
	warpVariant(8, 4, 16, 8),
	warpVariant(32, 2, 8, 4),
	warpVariant(32, 3, 8, 4),
	warpVariant(32, 4, 8, 4),
	blockVariant(2, 3, 1, 8),
	blockVariant(4, 3, 1, 8),
	blockVariant(7, 2, 2, 8),
	blockVariant(8, 3, 2, 8),
	blockVariant(8, 4, 2, 8),
	blockVariant(16, 4, 3, 8),
	approxVariant(1, 16),
	approxVariant(2, 16),
	approxVariant(1, packed),
	approxVariant(2, packed),
	approxVariant(3, packed),
	approxVariant(4, packed),
	approxVariant(5, packed),
	approxVariant(9, packed),
	approxVariant(17, packed),
}

// variantPenalties are the reduced penalties that have kernels of their own.
var variantPenalties = []align.Penalties{{Mismatch: 2, GapOpen: 3, GapExtend: 1}}

func hasVariants(p align.Penalties) bool { return slices.Contains(variantPenalties, p) }

func warpVariant(lanes, words, bases, warps int) variant {
	return variant{
		kind: kindWarp, lanes: lanes, words: words, warps: warps,
		shape: fmt.Sprintf("%dx%d_%d", lanes, words, bases), bases: bases,
	}
}

func blockVariant(warps, strides, stride, bases int) variant {
	return variant{
		kind: kindBlock, lanes: 32, words: warps * strides * stride, warps: warps,
		shape: fmt.Sprintf("%dx%dx%d_%d", warps, strides, stride, bases), bases: bases,
	}
}

func approxVariant(words, bases int) variant {
	table := fmt.Sprint(bases)
	if bases == packed {
		table = "Packed"
	}
	return variant{
		kind: kindApprox, lanes: 32, words: words, warps: 1,
		shape: fmt.Sprintf("%d_%s", words, table), bases: bases,
	}
}

// kernelName is the name under which cuda/wfagpu.cu defines the variant.
func (v *variant) kernelName(p align.Penalties, scoreOnly bool) string {
	what := "rows"
	if scoreOnly {
		what = "score"
	}
	return fmt.Sprintf("wfa_%s_%d_%d_%d_%s_%s", v.kind, p.Mismatch, p.GapOpen, p.GapExtend, v.shape, what)
}

// half is the number of diagonals on either side of the end cell's.
func (v *variant) half() int { return v.lanes * v.words }

// tableBytes is the size of look-ahead tables, given their entries.
func (v *variant) tableBytes(entries int) int {
	if v.bases == packed {
		return entries / 2
	}
	return entries * v.bases / 4 // two bits a base
}

// threads a block.
func (v *variant) threads() int { return 32 * v.warps }

// pairsPerBlock at a time.
func (v *variant) pairsPerBlock() int {
	if v.kind == kindBlock {
		return 1
	}
	return v.threads() / v.lanes // of the other kinds, a group of lanes has a pair
}

// certifies returns the largest score that the band can vouch for, for a pair
// whose end cell lies on diagonal end; negative when the band does not hold
// both the first and the last diagonal. It is makeBand of cuda/penalties.cuh:
// the cost of a gap out of the band and one back to the end, less one.
func (v *variant) certifies(p *align.Penalties, end int) int {
	half := v.half()
	if end > half || end <= -half {
		return -1
	}
	return 2*p.GapOpen + p.GapExtend*(2*half+min(end, 2-end)) - 1
}

// round is Penalties::round of cuda/penalties.cuh: scores between looks at the
// end cell, by which a kernel may overshoot its limit.
func round(p align.Penalties) int {
	ring := max(p.Mismatch, p.GapOpen)
	turn := ring
	for turn%p.GapExtend != 0 {
		turn += ring
	}
	if turn >= 3 {
		return turn
	}
	return 4
}

// rowStride is the memory for a pair's M rows up to a score, in words. lambda is
// for variants with windows.
func (v *variant) rowStride(p align.Penalties, score, lambda int) int {
	words := (score + round(p) + 1) * v.words * v.lanes
	if v.kind == kindApprox {
		words += windowWords(lambda, score)
	}
	return words
}

// mostScore is the largest score for which rows of some words are enough for one
// block.
func (v *variant) mostScore(p align.Penalties, words int) int {
	row := v.blockRows()
	if v.kind == kindApprox {
		// As if the window moved at every score.
		row++
		words -= windowWords(1, 1)
	}
	return words/row - round(p) - 1
}

// blockRows is the memory for one row of all pairs of a block, in words, and of
// the lanes of a warp that have none.
func (v *variant) blockRows() int { return (v.pairsPerBlock() + 32/v.lanes - 1) * v.words * v.lanes }

// maxOffset bounds text positions plus scores in kernels with 16-bit cells:
// gap fronts may run past the end of the text by one base a score.
const maxOffset = 32_000

// tables returns the entries of the look-ahead tables for the longest text and
// pattern. Null cells look up one entry for each diagonal of the band, and
// extensions look past the end of a sequence by less than an entry.
func (v *variant) tables(text, pattern int) (textEntries, patternEntries int) {
	const align = 16 // entries, so that tables begin at multiples of 8 bytes
	round := func(n int) int { return (n + align - 1) &^ (align - 1) }
	least, beyond := 2*v.half()+1, v.bases
	if v.kind == kindApprox { // null cells look up diagonals of the matrix alone
		least = 0
	}
	if v.bases == packed {
		beyond = 16
	}
	return round(max(text+1, least)), round(max(pattern+1, least) + beyond)
}

// sharedBytes is the dynamic shared memory of a block.
func (v *variant) sharedBytes(text, pattern int) int {
	t, q := v.tables(text, pattern)
	return v.pairsPerBlock() * v.tableBytes(t+q)
}

// generalThreads is the size of a block of the general kernel for rows of some
// width: enough threads for the widest rows, four cells each, few enough that
// narrow ones do not leave most of them idle.
func generalThreads(width int) int {
	switch {
	case width <= 128:
		return 32
	case width <= 1024:
		return 128
	case width <= 4096:
		return 256
	case width <= 8192:
		return 512
	}
	return 1024
}
