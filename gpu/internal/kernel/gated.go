package kernel

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// The gated family, cuda/gated.cuh: exact, for pairs of few errors, any penalties and any lengths. A warp,
// called a worker, finds cells that every optimal alignment passes, and aligns what is between two of them.
// It leaves parts of many errors open, and pairs of too many to other kernels, with an upper bound of their
// score where it has found one. With free ends, it aligns patterns within texts, of which all letters before the
// pattern and behind it are free and cost nothing.

type gated struct {
	family *Family
	config Config
	kernel *driver.Function
	sms    int
	free   bool // ends of the text
	ends   bool // takes pairs after a pass that has not aligned an end
}

const (
	gatedTable = 8 << 10 // bytes of shared memory for words
	gatedLanes = 32      // diagonals of a worker's wavefronts,
	gatedScore = 80      // whose scores are no higher
	gatedStep  = 64      // largest cost of a mismatch or a gap of one letter
	gatedRun   = 8       // words of a run of equal letters
	gatedSpare = 8       // what bounds are above scores, at least
	gatedRoom  = 64      // least room for an alignment
	gatedLeast = 400     // letters of both sequences,
	freeLeast  = 500     // and with free ends: the whole matrix of shorter pairs takes less
	gatedMost  = 1 << 25 // so that costs fit into 31 bits
	endsPerSM  = 16      // workers with wavefronts up to high scores
)

func loadGated(f *Family, l *loader) ([]Kernel, error) {
	if len(l.Bands) > 0 && len(l.Bounds) == 0 || l.Penalties.LongestStep() > gatedStep {
		return nil, nil
	}
	fn, err := l.function("wfa_gated")
	return []Kernel{&gated{family: f, config: l.Config, kernel: fn, sms: l.device.SMs}}, err
}

func loadGatedFree(f *Family, l *loader) ([]Kernel, error) {
	if l.withinTexts() == 0 || l.Penalties.LongestStep() > gatedStep {
		return nil, nil
	}
	fn, err := l.function("wfa_gated_free")
	first := gated{family: f, config: l.Config, kernel: fn, sms: l.device.SMs, free: true}
	ends := first
	ends.ends = true
	return []Kernel{&first, &ends}, err
}

func (k *gated) Family() *Family          { return k.family }
func (k *gated) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

func (k *gated) Takes(pattern, text, bound int) bool {
	least := gatedLeast
	if k.free {
		least = freeLeast
		if free := k.config.Model.Free; text > min(free.TextBegin, free.TextEnd) {
			return false
		}
	}
	return pattern+text >= least && pattern+text <= gatedMost
}

// Work counts letters, errors, and rows of wavefronts, of which a part between gates has more the closer errors
// are. Single launches take 1.3 to 2 times as long as those of bands with that work (BenchmarkGatedSimulated), longer for
// close errors. So much less makes the choice that is quicker for real reads, of which wavefronts of widely different
// scores share launches.
func (k *gated) Work(pattern, text, score, _ int) float64 {
	const (
		perPair, perLetter = 650, 0.9
		perError, perRow   = 720, 50
		perRowDense        = 15_000 // times the errors of a letter,
		mostDense          = 0.02   // of which more make parts fail
	)
	letters, errors := float64(pattern+text), errorsOf(k.config.Penalties, score)
	dense := min(2*errors/max(letters, 1), mostDense)
	return perPair + perLetter*letters + perError*errors + (perRow+perRowDense*dense)*float64(score)
}

// MaxBound is the largest score bound of which the runs of one worker fit.
func (k *gated) MaxBound(words int) int {
	// The kernel computes elements for the bound in 31 bits.
	return min(max(words/(gatedRun+2)-5, 1), MaxBound/2/k.config.CheapestRun()) * k.config.CheapestRun()
}

// Outcome of a pair with open parts is that of one above the bound.
func (k *gated) Outcome(flags abi.Flags) Outcome { return exactOutcome(flags &^ abi.FlagOpen) }

// runs returns the most runs of equal letters of an alignment within a bound: each follows an error.
func (k *gated) runs(bound int) int { return bound/k.config.CheapestRun() + 3 }

// scores returns the highest score of wavefronts: no alignment of a lower one leaves the diagonals.
func (k *gated) scores() int {
	p := k.config.Penalties
	return min(2*p.GapOpen+gatedLanes*p.GapExtend, gatedScore)
}

// shared returns the shared memory of a worker: rows of wavefronts and an alignment, or words.
func (k *gated) shared() int {
	return max(gatedTable, 2*3*gatedLanes*(k.scores()+1)+4*(2*k.scores()+1))
}

// wideScores are the highest scores of wavefronts in a worker's memory, of which a launch takes the first that
// fits. They have as many diagonals as a score certifies.
var (
	wideScores     = []int{128, 64, 0}
	wideFreeScores = []int{256, 128, 64, 0} // with free ends
	endScores      = []int{512, 384}        // of few pairs, whose ends have many errors
)

func (k *gated) wideScores() []int {
	switch {
	case k.ends:
		return endScores
	case k.free:
		return wideFreeScores
	}
	return wideScores
}

// wide returns the diagonals and the rows of wavefronts up to a score, none if those in shared memory have as
// many diagonals. From a free end, an alignment may be as far away to either side as its score allows.
func (k *gated) wide(score int) (width, rows int) {
	p := k.config.Penalties
	if k.free && score > 0 {
		return (2*max(score-p.GapOpen+1, 0)/p.GapExtend + 2 + gatedLanes - 1) / gatedLanes * gatedLanes, score + 1
	}
	width = (max(score-2*p.GapOpen, 0)/p.GapExtend + 3 + gatedLanes) / gatedLanes * gatedLanes
	if score == 0 || width == gatedLanes {
		return 0, 0
	}
	return width, score + 1
}

// words returns the memory of a worker with wavefronts up to a score: runs, the elements of an alignment, the
// rows of wavefronts, and the elements of a part.
func (k *gated) words(bound, score int) int {
	width, rows := k.wide(score)
	return gatedRun*k.runs(bound) + (k.config.CigarRoom(bound)+3)&^3 + 3*width*rows/2 + (2*rows+3)&^3
}

func (k *gated) Plan(g Group, budget int) (Plan, bool, error) {
	perSM, err := k.kernel.BlocksPerSM(32, k.shared())
	if err != nil {
		return Plan{}, false, err
	}
	if k.ends {
		perSM = min(perSM, endsPerSM)
	}
	most := min(g.Count, k.sms*perSM)
	scores := k.wideScores()
	for i, score := range scores {
		if k.ends {
			score = min(score, g.Bound)
		}
		words := k.words(g.Bound, score)
		workers := min(most, budget/4/words)
		if workers == 0 || workers < most && i < len(scores)-1 {
			continue
		}
		width, rows := k.wide(score)
		return Plan{
			Fixed: 4 * words * workers, blocks: workers, threads: 32, pairs: 1, shared: k.shared(),
			slab: slab{words: words, width: width, segmentRows: rows},
		}, true, nil
	}
	return Plan{}, false, nil
}

// Room returns less than an alignment with a score at the bound takes: bounds are far above most scores, and a
// pair without room takes another pass.
func (k *gated) Room(bound int) int { return max(k.config.CigarRoom(bound)/gatedSpare, gatedRoom) }

func (k *gated) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	a.MaxScore = int32(g.Bound)
	a.Span = int32(k.scores())
	a.RowStride, a.Scratch = uint64(p.slab.words), int32(k.runs(g.Bound))
	a.Width, a.SegmentRows = int32(p.slab.width), int32(p.slab.segmentRows)
	return launch(s, k.kernel, p.blocks, p.threads, p.shared, &a)
}

// Trace does nothing: the kernel traces back itself.
func (k *gated) Trace(*driver.Stream, abi.Params, Group, Plan) error { return nil }
