package kernel

import (
	"fmt"
	"slices"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// The span family, cuda/span.cuh: exact, for all spans, for linear, affine and two-piece
// affine gaps, with and without match scores. It computes the whole matrix. It takes models
// that the other families do not, and pairs of plain ones for which these take longer.

// spanShape is the shape of a compiled kernel.
type spanShape struct {
	lanes   int // of a pair; those of a warp align stripes of a pair
	columns int // of a strip
	unroll  int // steps
	blocks  int // per SM that the registers must allow
	forms   spanForms
}

// spanForms are the bits that kernels of a shape store of each cell; 0: scores alone.
type spanForms struct {
	name string // in cuda/instances.cuh
	bits []int
}

var (
	spanScores  = spanForms{"scores", []int{0}}
	spanTraced  = spanForms{"traced", []int{4, 8}}
	spanNibbles = spanForms{"nibbles", []int{0, 4}}
	spanBytes   = spanForms{"bytes", []int{0, 4, 8}}
)

// spanShapes are those for the costs of gaps, narrow ones first. Two lanes have few borders; four
// write rows in larger pieces. Reads of 100, 125 and 150 letters are the most common ones.
var spanShapes = []struct {
	gaps   string
	shapes []spanShape
}{
	{"linear", []spanShape{
		{2, 32, 4, 12, spanScores}, {2, 40, 4, 12, spanScores}, {4, 16, 4, 16, spanTraced}, {4, 20, 4, 16, spanTraced},
		{8, 24, 4, 16, spanBytes}, {16, 32, 4, 12, spanNibbles}, {32, 32, 4, 12, spanBytes},
	}},
	{"affine", []spanShape{
		{2, 32, 2, 8, spanScores}, {2, 40, 2, 8, spanScores}, {4, 16, 4, 12, spanTraced}, {4, 20, 4, 12, spanTraced},
		{8, 24, 2, 12, spanBytes}, {16, 32, 2, 8, spanNibbles}, {32, 32, 2, 8, spanBytes},
	}},
	{"two", []spanShape{
		{4, 16, 4, 12, spanNibbles}, {4, 20, 4, 12, spanNibbles}, {8, 24, 2, 8, spanBytes}, {32, 16, 2, 12, spanBytes}, {32, 24, 2, 8, spanNibbles},
	}},
}

// spanEnds are where alignments end: in the last row or column, or anywhere.
var spanEnds = []string{"edge", "any"}

const (
	spanFamily = "span"
	// spanPositions is the number of elements before an alignment: the positions at which it
	// begins.
	spanPositions = 2
	spanChunk     = 64 // cuda/spancells.cuh
	// spanWarp is the length of texts from which on a warp traces a pair back.
	spanWarp = 2000
	// spanSpare is the memory behind the pairs that groups without a pair read.
	spanSpare = 8 << 10
	// spanLongest is the most letters of a pair: reciprocals count columns.
	spanLongest = 1 << 26
)

// spanSuffixes are the suffixes of kernels by the bits of each cell that they store for the traceback.
var spanSuffixes = map[int]string{0: "score", 4: "4", 8: "8"}

func spanName(gaps, ends string, s *spanShape, bits int) string {
	return fmt.Sprintf("wfa_span_%s_%s_%dx%d_%s", gaps, ends, s.lanes, s.columns, spanSuffixes[bits])
}

func spanVariants(f *Family) (all []Variant) {
	for _, g := range spanShapes {
		for _, ends := range spanEnds {
			for i := range g.shapes {
				s := &g.shapes[i]
				v := Variant{Family: f, PairThreads: s.lanes, Words: s.columns, Warps: 1, Pairs: 32 / s.lanes}
				for _, b := range s.forms.bits {
					v.Names = append(v.Names, spanName(g.gaps, ends, s, b))
				}
				v.Arguments = fmt.Sprintf("%s, %s, %d, %d, %d, %d, %s", g.gaps, ends, s.lanes, s.columns, s.unroll, s.blocks, s.forms.name)
				all = append(all, v)
			}
		}
	}
	return all
}

// spanned is a compiled kernel.
type spanned struct {
	family *Family
	shape  *spanShape
	model  *align.Model
	domain spanDomain
	bits   int // stored of each cell; 0: scores alone
	kernel *driver.Function
	trace  *traces // nil for scores alone
	sms    int
	// cheapest is the least cost of a run of edits.
	cheapest int
	cell     float64 // work of a cell
}

func loadSpan(f *Family, l *loader) ([]Kernel, error) {
	d, bits := newSpanDomain(&l.Model), 0
	if !d.fits() {
		return nil, nil
	}
	if !l.ScoreOnly {
		if bits = d.bits(); bits == 0 {
			return nil, nil
		}
	}
	var kernels []Kernel
	for _, g := range spanShapes {
		if g.gaps != d.gaps() {
			continue
		}
		for i := range g.shapes {
			s := &g.shapes[i]
			if !slices.Contains(s.forms.bits, bits) || d.spread(2*s.lanes*s.columns, 2*s.lanes) > spanRange {
				continue
			}
			k := &spanned{family: f, shape: s, model: &l.Model, domain: d, bits: bits, sms: l.device.SMs, cheapest: l.CheapestRun()}
			k.cell = k.cellWork()
			var err error
			if k.kernel, err = l.function(spanName(g.gaps, d.ends(), s, bits)); err != nil {
				return nil, err
			}
			if bits > 0 {
				if k.trace, err = l.traces(fmt.Sprintf("wfa_span_trace_%d", bits)); err != nil {
					return nil, err
				}
			}
			kernels = append(kernels, k)
		}
	}
	return kernels, nil
}

func (k *spanned) Family() *Family          { return k.family }
func (k *spanned) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

func (k *spanned) strips() int { return 2 * k.shape.lanes }

// width returns the columns of a stripe.
func (k *spanned) width() int { return k.strips() * k.shape.columns }

// stripes returns the number of stripes for a text.
func (k *spanned) stripes(text int) int { return (text + k.width() - 1) / k.width() }

// Takes reports whether the kernel takes sequences of some lengths; the bound does not matter.
func (k *spanned) Takes(pattern, text, _ int) bool {
	letters := pattern + text
	return (k.shape.lanes == 32 || text <= k.width()) && letters <= spanLongest &&
		max(k.model.Worst(pattern, text), k.domain.potential*letters) <= MaxBound
}

// Work counts the cells of the steps.
func (k *spanned) Work(pattern, text, _, _ int) float64 {
	return k.cell * float64(k.stripes(text)) * float64(pattern+2*k.strips()) * float64(k.strips()*(k.shape.columns+4))
}

// cellWork returns the work of a cell.
func (k *spanned) cellWork() float64 {
	work := map[string]float64{"linear": 0.15, "affine": 0.25, "two": 0.42}[k.domain.gaps()]
	if k.domain.anywhere {
		work *= 1.25
	}
	return work * map[int]float64{0: 1, 4: 1.25, 8: 1.6}[k.bits]
}

// MaxBound does not depend on the memory: what is stored depends on the lengths alone.
func (k *spanned) MaxBound(int) int { return MaxBound }

// mostWhole is the largest memory of a pair of a plain model, in bytes: a device has room for several. The general
// family takes little.
const mostWhole = 16 << 30

// words returns the memory of a pair in words.
func (k *spanned) words(pattern, text int) int {
	return k.stateWords(text) + k.rowWords(Group{Pattern: pattern, Text: text})
}

// letterWords returns the memory for the selectors of a pattern's letters, in words.
func (k *spanned) letterWords(pattern int) int {
	pad := (k.strips() + 31) &^ 15
	return wholeLines((2*pad + pattern&^15 + 16) / 2)
}

// edgeWords returns the memory for the column between two stripes, in words.
func (k *spanned) edgeWords(pattern int) int {
	if k.shape.lanes != 32 {
		return 0
	}
	words := 1
	if k.domain.gaps() == "two" {
		words = 2
	}
	return wholeLines(words*pattern + (pattern+spanChunk-1)/spanChunk)
}

// stateWords returns the memory for the state of a pair, in words.
func (k *spanned) stateWords(text int) int {
	if k.shape.lanes != 32 {
		return 0
	}
	return wholeLines(4 + k.stripes(text))
}

// wholeLines rounds up to lines of the cache: what a pair's warps write is not in lines that
// those of others read.
func wholeLines(words int) int { return (words + 31) &^ 31 }

func (k *spanned) Plan(g Group, _ int) (Plan, bool, error) {
	p := Plan{threads: 32, pairs: 32 / k.shape.lanes, Fixed: spanSpare + 4*k.letterWords(g.Pattern)}
	p.PerTask = 4 * (k.stateWords(g.Text) + k.rowWords(g))
	perSM, err := k.kernel.BlocksPerSM(p.threads, 0)
	p.blocks = perSM * k.sms
	return p, true, err
}

// storedRows rounds up as cuda/rowstore.cuh does.
func storedRows(rows int) int { return (rows + 3) &^ 3 }

// rowWords returns the memory of a pair behind its state, in words.
func (k *spanned) rowWords(g Group) int {
	line := k.shape.lanes * k.shape.columns * k.bits / 16
	cells := k.stripes(g.Text) * storedRows(g.Pattern+k.strips()) * line
	return k.letterWords(g.Pattern) + k.edgeWords(g.Pattern) + wholeLines(cells)
}

func (k *spanned) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	k.set(&a, g)
	if err := s.Fill(a.Rows, 0, 4*int(a.Count)*int(a.StateWords)); err != nil {
		return err
	}
	units := (int(a.Count) + p.pairs - 1) / p.pairs * int(a.Stripes)
	return launch(s, k.kernel, min(p.blocks, units), p.threads, 0, &a)
}

func (k *spanned) Trace(s *driver.Stream, a abi.Params, g Group, _ Plan) error {
	if k.bits == 0 {
		return nil
	}
	k.set(&a, g)
	return k.trace.launch(s, g.Text > spanWarp, &a)
}

// set sets the parameters of both kernels.
func (k *spanned) set(a *abi.Params, g Group) {
	d := &k.domain
	a.MaxScore = int32(min(g.Bound, MaxBound))
	a.RowStride = uint64(k.rowWords(g))
	a.PairThreads, a.PairWords = int32(k.shape.lanes), int32(k.shape.columns)
	a.LetterWords, a.EdgeWords = int32(k.letterWords(g.Pattern)), int32(k.edgeWords(g.Pattern))
	a.StateWords, a.Stripes = int32(k.stateWords(g.Text)), int32(k.stripes(g.Text))
	a.CellMatch, a.CellMismatch, a.CellSlope = int32(d.match), int32(d.mismatch), int32(d.slope)
	a.CellOpen, a.CellExtend = int32(d.gap.Open), int32(d.gap.Extend)
	a.CellOpenLong, a.CellExtendLong = int32(d.long.Open), int32(d.long.Extend)
	a.CellScale, a.Potential, a.FreeLetter = int32(d.scale), int32(d.potential), int32(k.model.FreeLetter)
	if k.model.Span == align.Global {
		a.FreeLetter = 0
	}
	a.Floored, a.Anywhere = flag(d.floored), flag(d.anywhere)
	a.PatternBegin, a.PatternEnd = d.patternFree[0], d.patternFree[1]
	a.TextBegin, a.TextEnd = d.texts[0], d.texts[1]
	a.CheapestRun, a.One = int32(k.cheapest), 1
}

func flag(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// Outcome of a pair without a result: every pair has one.
func (k *spanned) Outcome(abi.Flags) Outcome { return Broken }
