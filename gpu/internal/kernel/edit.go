package kernel

import (
	"fmt"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// The edit family, cuda/edit.cuh: exact, for edit distance, penalties 1,0,1, and any lengths. A
// part of a warp, a warp or a block computes a band of the matrix, 32 cells to a word. Its time
// depends on the lengths and the width of the band, not on the distance.

// editShape is the shape of a compiled kernel.
type editShape struct {
	lanes  int // of a pair, at most a warp; 0 for blocks of several warps
	words  int // of a strip
	unroll int // columns
	blocks int // per SM that the registers must allow
	// warps are the numbers of warps of a block that aligns a pair. The last is the largest.
	warps []int
}

var editShapes = []editShape{
	{1, 5, 4, 16, nil}, {2, 1, 8, 24, nil}, {2, 2, 8, 24, nil}, {2, 4, 4, 20, nil}, {4, 2, 8, 24, nil}, {4, 4, 4, 20, nil},
	{8, 2, 8, 24, nil}, {8, 4, 4, 20, nil}, {16, 4, 4, 20, nil}, {32, 2, 8, 24, nil}, {32, 4, 4, 20, nil},
	{0, 2, 8, 6, []int{2, 3, 4}}, {0, 4, 4, 1, []int{3, 4, 6, 8, 12, 16, 24}},
}

const (
	// editSide is the number of columns in a stage, and of rows in a word.
	editSide = 32
	// editResident is how many warps of an SM keep its pipelines busy.
	editResident = 16
	// editFew is the number of pairs for each SM below which a warp traces a pair back: a thread
	// takes up to ten times as long, a warp does four times the work. With 8, pairs of 10 kbp
	// took 1.1 to 1.4 times as long.
	editFew = 64
)

func (s editShape) name() string {
	if s.lanes == 0 {
		return fmt.Sprintf("block_%d", s.words)
	}
	return fmt.Sprintf("%dx%d", s.lanes, s.words)
}

func editName(s editShape, scoreOnly bool) string {
	return "wfa_edit_" + s.name() + "_" + suffix(scoreOnly)
}

func editVariant(f *Family, s editShape) Variant {
	v := Variant{
		Family: f, Names: []string{editName(s, true), editName(s, false)},
		PairThreads: s.lanes, Words: s.words, Warps: 1, Pairs: 1,
	}
	v.Arguments = fmt.Sprintf("%d, %d, %d, %d", s.lanes, s.words, s.unroll, s.blocks)
	if s.lanes == 0 {
		v.PairThreads, v.Warps, v.Macro = 32, s.warps[len(s.warps)-1], "EDIT_BLOCK"
		v.Arguments = fmt.Sprintf("%d, %d, %d, %d", s.words, v.Warps, s.unroll, s.blocks)
	} else {
		v.Pairs = 32 / s.lanes
	}
	return v
}

// edit is a compiled kernel with some lanes for each pair.
type edit struct {
	family *Family
	shape  editShape
	lanes  int
	kernel *driver.Function
	trace  *traces // nil for scores alone
	sms    int
}

func loadEdit(f *Family, l *loader) ([]Kernel, error) {
	if l.Penalties != align.EditPenalties {
		return nil, nil
	}
	var kernels []Kernel
	for _, s := range editShapes {
		k := &edit{family: f, shape: s, lanes: s.lanes, sms: l.device.SMs}
		var err error
		if k.kernel, err = l.function(editName(s, l.ScoreOnly)); err != nil {
			return nil, err
		}
		if !l.ScoreOnly {
			if k.trace, err = l.traces("wfa_edit_trace"); err != nil {
				return nil, err
			}
		}
		if s.lanes > 0 {
			kernels = append(kernels, k)
			continue
		}
		for _, warps := range s.warps {
			k := *k
			k.lanes = 32 * warps
			kernels = append(kernels, &k)
		}
	}
	return kernels, nil
}

func (k *edit) Family() *Family          { return k.family }
func (k *edit) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

// lastStrip returns the number of the last strip of a pattern.
func (k *edit) lastStrip(pattern int) int { return (pattern - 1) / (editSide * k.shape.words) }

// certifies returns the largest distance that the band certifies for sequences of some lengths,
// negative if the band lacks the end cell. EditBand of cuda/editband.cuh computes the same.
func (k *edit) certifies(pattern, text int) int {
	if k.lastStrip(pattern) < k.lanes {
		return MaxBound
	}
	end, skew := text-pattern, -text&(editSide-1)
	spread := k.lanes*(k.shape.words+1) - k.shape.words
	first := (end + 2*skew - editSide*spread + editSide) >> 6
	below, above := skew-editSide*first, editSide*(first+spread)-skew
	if above < max(end, 0) || below < max(-end, 0) {
		return -1
	}
	return min(2*above+2-end, 2*below+2+end) - 1
}

// Takes reports whether the band certifies the bound.
func (k *edit) Takes(pattern, text, bound int) bool { return bound <= k.certifies(pattern, text) }

// stretch returns up to which bound the kernel takes about as long.
func (k *edit) stretch(pattern, text, bound int) int {
	return max(bound, min(k.certifies(pattern, text), bound+bound/4))
}

// stages returns the number of stages of a pair.
func (k *edit) stages(pattern, text int) int {
	return (text+editSide-1)/editSide + k.lastStrip(pattern)
}

// Work counts the instructions of the stages, for each word and column of a strip, for each column,
// and others, and those of the tiles of the traceback. Tiles that an alignment passes without a
// difference are not computed.
func (k *edit) Work(pattern, text, score, _ int) float64 {
	stages := k.stages(pattern, text)
	work := k.stageWork() * float64(stages)
	if k.trace != nil {
		work += k.tileWork() * float64(min(score, stages))
	}
	return work
}

func (k *edit) stageWork() float64 { return float64(k.lanes * (42*k.shape.words + 26)) }

// tileWork is that of a tile of the traceback, with about half the words of the strip above it.
func (k *edit) tileWork() float64 { return float64(60 * (k.shape.words + 1)) }

// rank is the work for 32 letters of both sequences.
func (k *edit) rank() float64 {
	work := k.stageWork() * (1 + 1/float64(k.shape.words))
	if k.trace != nil {
		work += k.tileWork()
	}
	return work
}

// MaxBound does not depend on the memory: what is stored depends on the lengths alone.
func (k *edit) MaxBound(int) int { return MaxBound }

// tileWords is editTileWords of cuda/editband.cuh.
func (k *edit) tileWords() int { return 2*k.shape.words + 2 }

func (k *edit) Plan(g Group, _ int) (Plan, bool, error) {
	p := Plan{threads: max(k.lanes, 32), pairs: max(32/k.lanes, 1)}
	if k.trace != nil {
		p.PerTask = 4 * k.stages(g.Pattern, g.Text) * k.lanes * k.tileWords()
	}
	perSM, err := k.kernel.BlocksPerSM(p.threads, 0)
	p.blocks = min(perSM, max(editResident*32/p.threads, 1)) * k.sms
	return p, true, err
}

func (k *edit) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	k.set(&a, g, p)
	return launch(s, k.kernel, min(p.blocks, (int(a.Count)+p.pairs-1)/p.pairs), p.threads, 0, &a)
}

func (k *edit) Trace(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	if k.trace == nil {
		return nil
	}
	k.set(&a, g, p)
	return k.trace.launch(s, int(a.Count) < editFew*k.sms, &a)
}

// set sets the parameters of both kernels.
func (k *edit) set(a *abi.Params, g Group, p Plan) {
	a.MaxScore = int32(g.Bound)
	a.RowStride = uint64(p.PerTask / 4)
	a.PairThreads, a.PairWords = int32(k.lanes), int32(k.shape.words)
}

func (k *edit) Outcome(flags abi.Flags) Outcome { return exactOutcome(flags) }
