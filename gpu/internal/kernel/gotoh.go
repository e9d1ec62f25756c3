package kernel

import (
	"fmt"
	"math"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// The gotoh family, cuda/gotoh.cuh: exact, for most penalties and lengths. A part of a
// warp, a warp or a block computes a band of the matrix. Its time depends on the lengths
// and the width of the band, not on the score. The kernels of the gotoh_free family align patterns within texts.
//
// A band certifies scores by the gaps of an alignment that leaves it, and by the broken seeds of a pair,
// cuda/brokenseeds.cuh, which a kernel of their own counts first. The slack of a score is what the narrowest band
// certifies by gaps alone that certifies the score by broken seeds: the less, the narrower.

// gotohShape is the shape of a compiled kernel.
type gotohShape struct {
	lanes   int // of a pair, at most a warp; 0 for blocks of several warps
	columns int // of a strip
	unroll  int // steps
	blocks  int // per SM that the registers must allow
}

var gotohShapes = []gotohShape{
	{2, 8, 4, 20}, {2, 16, 4, 16}, {4, 8, 4, 20}, {4, 12, 4, 20}, {4, 16, 4, 16}, {4, 24, 2, 12}, {8, 12, 4, 18}, {4, 32, 2, 8},
	{8, 20, 4, 12}, {8, 24, 2, 12}, {8, 32, 2, 8}, {16, 20, 4, 12}, {16, 32, 2, 8}, {32, 20, 4, 12}, {32, 28, 2, 8}, {32, 36, 2, 8},
	{0, 20, 4, 1},
}

// gotohFreeShapes are those for patterns within texts.
var gotohFreeShapes = []gotohShape{
	{8, 16, 4, 13}, {8, 20, 4, 12}, {8, 24, 2, 10}, {16, 20, 4, 12}, {16, 32, 2, 8},
	{32, 20, 4, 12}, {32, 28, 2, 8}, {32, 36, 2, 8}, {0, 20, 4, 1},
}

const (
	// gotohWarps is the largest number of warps of a pair; cuda/gotohband.cuh.
	gotohWarps = 16
	// gotohRange is the largest difference between the values of cells that 16 bits hold
	// beside how they change between two shifts.
	gotohRange = 44_000
	// gotohLongest is the longest text that the traceback takes.
	gotohLongest = 1 << 26
	// gotohRows is the number of steps between two checkpoints, gotohLines that of lines that a lane writes at a time,
	// and gotohHead that of words ahead of them; cuda/gotohcheckpoints.cuh.
	gotohRows, gotohLines, gotohHead = 8, 4, 4
	// gotohSpare is the memory behind the pairs that groups without a pair read.
	gotohSpare = 8 << 10
	// gotohSeeded is the least number of lanes of kernels that use broken seeds. Narrower bands take little time.
	gotohSeeded = 4
	// gotohLeaving is the memory of a pair for what broken seeds tell, in bytes, and gotohTables is the number of seed
	// tables that the shared memory of an SM has room for.
	gotohLeaving, gotohTables = 16, 24
	// gotohWide is the least half of bands that certify scores by what is outside;
	// cuda/gotohband.cuh. borderLow is how much lower than others values at borders may be, and
	// mostEdged the largest sum of penalties of pairs for which values at the edges are stored;
	// cuda/gotohrims.cuh and cuda/gotohedges.cuh.
	gotohWide, borderLow, mostEdged = 84, 1100, 1<<27 - 1
	// segmentLetters is the length of a segment, and segmentWarps the number of warps of a block
	// that measures some, at most; cuda/indels.cuh.
	segmentLetters, segmentWarps = 64, 8
)

func (s gotohShape) name() string {
	if s.lanes == 0 {
		return fmt.Sprintf("block_%d", s.columns)
	}
	return fmt.Sprintf("%dx%d", s.lanes, s.columns)
}

// gotohTraces reports whether what is stored for the traceback tells values that steps of penalties lead to.
func gotohTraces(p align.Penalties) bool {
	return p.GapOpen+p.GapExtend < 1<<7 && p.Mismatch+p.GapOpen < 1<<8
}

// gotohName returns the name of a shape's kernel for scores alone, or of that which stores checkpoints.
func gotohName(f *Family, s gotohShape, scoreOnly bool) string {
	form := "checkpoints"
	if scoreOnly {
		form = "score"
	}
	return "wfa_" + f.Name + "_" + s.name() + "_" + form
}

func gotohVariant(f *Family, s gotohShape) Variant {
	v := Variant{Family: f, PairThreads: s.lanes, Words: s.columns, Warps: 1, Pairs: 1}
	if s.lanes == 0 {
		v.PairThreads, v.Warps = 32, gotohWarps
	} else {
		v.Pairs = 32 / s.lanes
	}
	v.Arguments = fmt.Sprintf("%s, %d, %d, %d, %d, %d", s.name(), v.PairThreads, s.columns, v.Warps, s.unroll, s.blocks)
	v.Names = []string{gotohName(f, s, true), gotohName(f, s, false)}
	return v
}

// gotoh is a compiled kernel with some lanes for each pair.
type gotoh struct {
	gotohBand
	family  *Family
	kernel  *driver.Function
	trace   *driver.Function // nil for scores alone
	seeds   *driver.Function // nil if the band certifies by gaps alone
	detours *driver.Function // global: certifies scores after the band; nil if there is none
	outside *driver.Function // with free ends: looks outside of the rims before the band; nil if it has none
	sms     int
	cell    float64 // work of a cell
	longest int     // text that it takes
	whole   int     // longest text of which each kernel that looks outside of bands computes the whole matrix
}

func loadGotoh(f *Family, l *loader) ([]Kernel, error) {
	return loadGotohs(gotoh{family: f, longest: gotohLongest}, gotohShapes, l)
}

// loadGotohFree loads kernels for patterns within texts, of which all letters before the pattern and behind it are
// free and cost nothing.
func loadGotohFree(f *Family, l *loader) ([]Kernel, error) {
	longest := l.withinTexts()
	if longest == 0 {
		return nil, nil
	}
	return loadGotohs(gotoh{family: f, gotohBand: gotohBand{free: true}, longest: min(longest, gotohLongest)}, gotohFreeShapes, l)
}

// loadGotohs loads kernels of some shapes, which have the fields of base.
func loadGotohs(base gotoh, shapes []gotohShape, l *loader) ([]Kernel, error) {
	f, p := base.family, l.Penalties
	base.penalties, base.sms = p, l.device.SMs
	if !gotohCells(p) {
		return nil, nil
	}
	if !l.ScoreOnly && !gotohTraces(p) {
		return nil, nil
	}
	var kernels []Kernel
	for _, s := range shapes {
		k := base
		k.columns = s.columns
		var err error
		if k.kernel, err = l.function(gotohName(f, s, l.ScoreOnly)); err != nil {
			return nil, err
		}
		if !l.ScoreOnly {
			if k.trace, err = l.function("wfa_" + f.Name + "_trace"); err != nil {
				return nil, err
			}
		}
		if s.seeded() {
			if k.seeds, err = l.function("wfa_" + f.Name + "_seeds"); err != nil {
				return nil, err
			}
		}
		switch {
		case base.free && s.rimmed(p, l.ScoreOnly):
			k.outside, err = l.function("wfa_gotoh_free_outside")
		case !base.free && s.wide() && s.bordered(p):
			k.detours, err = l.function("wfa_gotoh_detours")
		}
		if err != nil {
			return nil, err
		}
		widths := []int{s.lanes}
		if s.lanes == 0 {
			widths = widths[:0]
			for warps := 2; warps <= gotohWarps; warps++ {
				widths = append(widths, 32*warps)
			}
		}
		for _, lanes := range widths {
			k := k
			k.lanes = lanes
			if !k.holds(1) {
				continue
			}
			if k.trace == nil && !k.holds(2) {
				k.outside = nil
			}
			k.cell = k.cellWork()
			kernels = append(kernels, &k)
		}
	}
	whole := math.MaxInt
	for _, k := range kernels {
		if k := k.(*gotoh); k.looks() {
			whole = min(whole, k.strips()*k.columns)
		}
	}
	for _, k := range kernels {
		k.(*gotoh).whole = whole
	}
	return kernels, nil
}

// looks reports whether what is outside of bands certifies scores.
func (k *gotoh) looks() bool { return k.detours != nil || k.outside != nil }

// tells reports whether results tell the slack that pairs with a text have in bands. If the whole
// matrix is computed, there is nothing outside, and seeds alone tell too much, unless bands are no
// narrower.
func (k *gotoh) tells(text int) bool {
	return !k.looks() || text > k.strips()*k.columns || text <= k.whole
}

// seeded reports whether kernels of a shape use broken seeds.
func (s gotohShape) seeded() bool { return s.lanes == 0 || s.lanes >= gotohSeeded }

// wide reports whether bands of kernels of a shape are wide enough for what is outside to certify scores.
func (s gotohShape) wide() bool {
	return s.lanes == 0 || gotohBeside(2*s.lanes, s.columns)/2+1 >= gotohWide
}

// bordered reports whether kernels of a shape hold the values at the borders of bands.
func (s gotohShape) bordered(p align.Penalties) bool {
	return 2*p.GapExtend*(s.columns+1)+p.GapOpen <= borderLow
}

// rimmed reports whether bands of kernels of a shape with free ends have rims: cuda/gotohrims.cuh.
// For scores alone costs are doubled then.
func (s gotohShape) rimmed(p align.Penalties, scoreOnly bool) bool {
	if scoreOnly {
		p.Mismatch, p.GapOpen, p.GapExtend = 2*p.Mismatch, 2*p.GapOpen, 2*p.GapExtend
	}
	return s.wide() && s.bordered(p) && gotohCells(p)
}

// gotohCells reports whether the differences between cells fit into a byte.
func gotohCells(p align.Penalties) bool {
	return 2*p.GapExtend <= 128 && p.Mismatch-2*p.GapExtend <= 127
}

func (k *gotoh) Family() *Family          { return k.family }
func (k *gotoh) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

// pad is gotohPad of cuda/gotohband.cuh.
func (k *gotoh) pad() int { return (k.strips() + k.columns + 8 + 15) &^ 15 }

// slack returns the largest slack that the band certifies, negative if it lacks the end cell. It is
// that of a score of sequences of one length: how many diagonals others need on either side of
// those from 0 to the end cell's does not depend on how many these are.
func (k *gotoh) slack(pattern, text int) int {
	half := k.half(pattern, text)
	if half < 0 || half == MaxBound {
		return half
	}
	return gapsCertify(k.penalties, k.free, half-k.rimLoss())
}

// rimLoss returns by how many diagonals on a side a band with rims does less than one without
// strips: by those of a strip.
func (k *gotoh) rimLoss() int {
	if k.outside == nil {
		return 0
	}
	return k.columns + 1
}

// Takes reports whether the band certifies the bound by gaps alone.
func (k *gotoh) Takes(pattern, text, bound int) bool {
	return bound <= k.certifies(pattern, text) && k.holdsLengths(pattern, text)
}

// takesSlack reports whether the band certifies scores with a slack.
func (k *gotoh) takesSlack(pattern, text, slack int) bool {
	return slack <= k.slack(pattern, text) && k.holdsLengths(pattern, text)
}

func (k *gotoh) holdsLengths(pattern, text int) bool {
	return text <= k.longest && pattern <= gotohLongest
}

// stretch returns up to which bound the kernel takes about as long. With broken seeds, what it certifies depends on the
// pair. A higher bound takes more memory for CIGARs, so that fewer pairs are in a launch.
func (k *gotoh) stretch(pattern, text, bound int) int {
	most := bound + bound/4
	if k.seeds != nil {
		return most
	}
	return max(bound, min(k.certifies(pattern, text), most))
}

// MaxBound does not depend on the memory: what is stored depends on the lengths alone.
func (k *gotoh) MaxBound(int) int { return MaxBound }

// letterBytes returns the memory for the letters of a pattern, for the edges or rims of the band,
// and for what broken seeds tell.
func (k *gotoh) letterBytes(pattern, text int) int {
	return 2*k.pad() + (pattern+15)&^15 + k.edgeBytes(pattern, text) + gotohLeaving
}

// edgeBytes returns the memory for what is at the edges of the band or outside: the indels of
// segments on both sides of rims, cuda/gotohrims.cuh; or, cuda/detours.cuh, values at edges, the
// least ones of rims, and indels. If all strips of a text are in flight, there is none.
func (k *gotoh) edgeBytes(pattern, text int) int {
	words := 0
	switch {
	case text <= k.strips()*k.columns:
	case k.outside != nil:
		words = 1 + 2*(pattern/segmentLetters+1)
	case k.detours != nil && 2*k.penalties.GapExtend*(pattern+text) <= mostEdged:
		const values, least = 4, 2
		come := k.steps(pattern, text)/(k.columns+1) + 3 // strips
		words = (values+least)*come + pattern/segmentLetters + text/segmentLetters + 2
	}
	return (4*words + 15) &^ 15
}

func (k *gotoh) Plan(g Group, _ int) (Plan, bool, error) {
	p := Plan{threads: max(k.lanes, 32), pairs: max(32/k.lanes, 1), Fixed: gotohSpare}
	p.PerTask = (k.letterBytes(g.Pattern, g.Text) + 4*k.storedWords(k.steps(g.Pattern, g.Text)) + 15) &^ 15
	perSM, err := k.kernel.BlocksPerSM(p.threads, 0)
	p.blocks = perSM * k.sms
	return p, true, err
}

// storedWords returns the words of what is stored for the traceback in some steps.
func (k *gotoh) storedWords(steps int) int {
	if k.trace == nil {
		return 0
	}
	return gotohHead + (steps/gotohLines+2)*gotohLines*k.lanes + (steps/gotohRows+1)*k.lanes*k.columns
}

func (k *gotoh) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	k.set(&a, g, p)
	if k.seeds != nil {
		if err := launch(s, k.seeds, min(int(a.Count), gotohTables*k.sms), 32, 0, &a); err != nil {
			return err
		}
	}
	if k.outside != nil && a.EdgeWords > 0 {
		if err := k.launchOutside(s, k.outside, a, g, 4); err != nil {
			return err
		}
	}
	if err := launch(s, k.kernel, min(p.blocks, (int(a.Count)+p.pairs-1)/p.pairs), p.threads, 0, &a); err != nil {
		return err
	}
	if k.detours != nil && a.EdgeWords > 0 {
		return k.launchOutside(s, k.detours, a, g, 8)
	}
	return nil
}

// launchOutside launches a kernel of whose blocks each thread takes some segments of the longest pattern.
func (k *gotoh) launchOutside(s *driver.Stream, f *driver.Function, a abi.Params, g Group, segments int) error {
	warps := min(max(g.Pattern/(segments*32*segmentLetters), 1), segmentWarps)
	perSM, err := f.BlocksPerSM(32*warps, 0)
	if err != nil {
		return err
	}
	return launch(s, f, min(int(a.Count), perSM*k.sms), 32*warps, 0, &a)
}

func (k *gotoh) Trace(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	if k.trace == nil {
		return nil
	}
	k.set(&a, g, p)
	return traceback(s, k.trace, 1, &a)
}

// set sets the parameters of both kernels.
func (k *gotoh) set(a *abi.Params, g Group, p Plan) {
	a.MaxScore = int32(g.Bound)
	a.RowStride = uint64(p.PerTask / 4)
	a.PairThreads, a.PairWords = int32(k.lanes), int32(k.columns)
	a.LetterWords = int32(k.letterBytes(g.Pattern, g.Text) / 4)
	a.EdgeWords = int32(k.edgeBytes(g.Pattern, g.Text) / 4)
	if k.seeds != nil {
		a.BrokenSeeds = 1
	}
}

func (k *gotoh) Outcome(flags abi.Flags) Outcome { return exactOutcome(flags) }
