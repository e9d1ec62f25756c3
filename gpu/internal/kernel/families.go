package kernel

import (
	"cmp"
	"math"
	"slices"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver"
)

// Family is a way of computing alignments on the device.
type Family struct {
	Name string // part of the names of its kernels
	// Counter is the name under which statistics count its pairs.
	Counter string
	// spans tells that its kernels are for models that are not plain, and those of the others for plain ones. Those
	// of the span family are for both.
	spans bool
	// load returns the family's kernels for a configuration, possibly none.
	load func(f *Family, l *loader) ([]Kernel, error)
}

// families is the table of all families.
var families = []*Family{
	{Name: "warp", Counter: "warp", load: loadWarp},
	{Name: "block", Counter: "block", load: loadBlock},
	{Name: "long", Counter: "block", load: loadLong},
	{Name: "edit", Counter: "edit", load: loadEdit},
	{Name: "gotoh", Counter: "gotoh", load: loadGotoh},
	{Name: "tiles", Counter: "tiles", load: loadTiles},
	{Name: "gated", Counter: "gated", load: loadGated},
	{Name: "general", Counter: "general", load: loadGeneral},
	{Name: spanFamily, Counter: spanFamily, spans: true, load: loadSpan},
	{Name: "warp_free", Counter: "warp", spans: true, load: loadWarpFree},
	{Name: "block_free", Counter: "block", spans: true, load: loadBlockFree},
	{Name: "long_free", Counter: "block", spans: true, load: loadLongFree},
	{Name: "gotoh_free", Counter: "gotoh", spans: true, load: loadGotohFree},
	{Name: "gated_free", Counter: "gated", spans: true, load: loadGatedFree},
	{Name: "adaptive_warp", Counter: adaptiveCounter, load: loadAdaptiveWarp},
	{Name: "adaptive_long", Counter: adaptiveCounter, load: loadAdaptiveLong},
	{Name: "adaptive_rings", Counter: adaptiveCounter, load: loadAdaptiveRings},
	{Name: "adaptive_block", Counter: adaptiveCounter, load: loadAdaptiveBlock},
}

// Set is the kernels of a configuration, by family, those of a family by width.
type Set struct {
	Kernels []Kernel
	// General is the index of the kernel that takes every exact pair; negative if the model
	// takes the kernels of the span family.
	General int
	// Gated is the index of the kernel that aligns pairs of few errors part by part, negative if there is
	// none. A pair that it does not align takes another exact pass. If the model is not plain, it aligns patterns
	// within texts.
	Gated int
	// Ends is the index of the kernel that aligns pairs whose ends have too many errors for Gated, negative if
	// there is none.
	Ends int
	// Bounding is the index of the first kernel of Config.Bounds. All from there on are.
	Bounding int
	// Indices of kernels with score bounds and without an adaptive band: those with wavefronts by family, then those
	// with a band of the matrix, by family, those that take less time first.
	wavefronts, bands [][]int
	// Indices of the kernels of whole matrices.
	wholes []int
}

// Load looks up every kernel that a configuration can launch. If the image lacks one
// of them, the error is driver.ErrNoKernels.
func Load(m *driver.Module, device driver.Info, c Config) (*Set, error) {
	l := &loader{Config: c, module: m, device: device, functions: map[string]*driver.Function{}}
	set := &Set{}
	for _, f := range families {
		if len(c.Families) > 0 && !slices.Contains(c.Families, f.Name) || f.spans == c.Model.Plain() && f.Name != spanFamily {
			continue
		}
		kernels, err := f.load(f, l)
		if err != nil {
			return nil, err
		}
		set.Kernels = append(set.Kernels, kernels...)
	}
	set.Bounding = len(set.Kernels)
	if len(c.Bounds) > 0 {
		kernels, err := loadBounding(l)
		if err != nil {
			return nil, err
		}
		set.Kernels = append(set.Kernels, kernels...)
	}
	set.Gated = slices.IndexFunc(set.Kernels, func(k Kernel) bool { g, ok := k.(*gated); return ok && !g.ends })
	set.Ends = slices.IndexFunc(set.Kernels, func(k Kernel) bool { g, ok := k.(*gated); return ok && g.ends })
	set.arrange()
	set.pairTables()
	set.General = slices.IndexFunc(set.Kernels, func(k Kernel) bool { _, ok := k.(*general); return ok })
	return set, nil
}

// banded is a kernel that computes a band of the matrix.
type banded interface {
	Kernel
	// rank is less for kernels that take less time.
	rank() float64
	// stretch returns up to which bound the kernel takes about as long as for a bound.
	stretch(pattern, text, bound int) int
}

// arrange arranges the exact kernels by family.
func (s *Set) arrange() {
	var last *Family
	for i, k := range s.Kernels {
		if s.Whole(i) {
			s.wholes = append(s.wholes, i)
			continue
		}
		if k.Band() != (align.AdaptiveBand{}) || s.Gates(i) {
			continue
		}
		of := &s.wavefronts
		if _, ok := k.(banded); ok {
			of = &s.bands
		}
		if f := k.Family(); f != last {
			*of, last = append(*of, nil), f
		}
		n := len(*of) - 1
		(*of)[n] = append((*of)[n], i)
	}
	for _, family := range s.bands {
		slices.SortStableFunc(family, func(a, b int) int {
			return cmp.Compare(s.Kernels[a].(banded).rank(), s.Kernels[b].(banded).rank())
		})
	}
}

// Gates reports whether a kernel aligns pairs of few errors part by part.
func (s *Set) Gates(kernel int) bool { return kernel == s.Gated || kernel == s.Ends }

// Seeded reports whether a kernel's band certifies scores by broken seeds, and results tell their slack.
func (s *Set) Seeded(kernel int) bool {
	k, ok := s.Kernels[kernel].(*gotoh)
	return ok && k.seeds != nil
}

// takes reports whether a kernel takes a pair with a bound: its band certifies the score by gaps alone, or its slack.
func (s *Set) takes(kernel, pattern, text int, b Bound) bool {
	k := s.Kernels[kernel]
	if s.Seeded(kernel) && k.(*gotoh).takesSlack(pattern, text, b.Slack) {
		return true
	}
	return k.Takes(pattern, text, b.Score)
}

// Certified returns the slack of the scores that a kernel with a bound aligns, MaxBound if it
// aligns all within the bound.
func (s *Set) Certified(kernel, pattern, text int) int {
	if s.Seeded(kernel) {
		return s.Kernels[kernel].(*gotoh).slack(pattern, text)
	}
	return MaxBound
}

// Tells reports whether results of a kernel with broken seeds tell the slack that a pair has in bands.
func (s *Set) Tells(kernel, text int) bool { return s.Kernels[kernel].(*gotoh).tells(text) }

// Estimates reports whether the scores that a kernel reports in place of results may be less than
// those of alignments: if its bands have rims.
func (s *Set) Estimates(kernel int) bool {
	k, ok := s.Kernels[kernel].(*gotoh)
	return ok && k.outside != nil
}

// Span returns the index of the kernel of the span family that takes the least time for a pair,
// negative if none takes it.
func (s *Set) Span(pattern, text int) int {
	best, least := -1, math.Inf(1)
	for _, i := range s.wholes {
		if k := s.Kernels[i]; k.Takes(pattern, text, 0) {
			if work := k.Work(pattern, text, 0, 0); work < least {
				best, least = i, work
			}
		}
	}
	return best
}

// Bounded returns the index of the kernel with a score bound that takes the least time for a pair,
// and its work; that of General and infinity if none takes it. maxBounds is that of Exact.
func (s *Set) Bounded(pattern, text int, b Bound, maxBounds []int) (k int, work float64) {
	k, work = s.cheapest(s.wavefronts, pattern, text, b, maxBounds)
	if band, less := s.cheapest(s.bands, pattern, text, b, maxBounds); less < work {
		k, work = band, less
	}
	return k, work
}

// Within reports whether some kernels take patterns within texts alone, whose time depends on scores.
func (s *Set) Within() bool {
	return s.General < 0 && (s.Gated >= 0 || len(s.bands) > 0 || len(s.wavefronts) > 0)
}

// Exact returns the index of the exact kernel that takes the least time for a pair and a score
// bound: of the first ones of their families that take the pair, or of those with packed tables in
// their place. maxBounds is the largest bound that fits into memory, by kernel; nil if memory does
// not matter. One of the span family is among them, if it takes not very much memory.
func (s *Set) Exact(pattern, text int, b Bound, maxBounds []int) int {
	k, work := s.Bounded(pattern, text, b, maxBounds)
	if k == s.General {
		work = s.Kernels[k].Work(pattern, text, b.Score, b.Score)
	}
	whole := s.Span(pattern, text)
	if whole >= 0 && s.WholeWords(whole, pattern, text) <= mostWhole/4 && s.Kernels[whole].Work(pattern, text, 0, 0) < work {
		return whole
	}
	return s.withTables(k, pattern, text, b.Score, maxBounds)
}

// Whole reports whether a kernel computes the whole matrix: it aligns every pair, whatever the bound.
func (s *Set) Whole(kernel int) bool {
	_, ok := s.Kernels[kernel].(*spanned)
	return ok
}

// WholeWords returns the memory, in words, that a pair takes in a kernel of whole matrices.
func (s *Set) WholeWords(kernel, pattern, text int) int {
	return s.Kernels[kernel].(*spanned).words(pattern, text)
}

// Cost estimates how long the tasks of a group take for a kernel, each, as Kernel.Work does. It
// is at least 1.
func (s *Set) Cost(kernel uint8, g *Group) float64 {
	return max(s.Kernels[kernel].Work(g.Pattern, g.Text, g.Bound, g.Bound), 1)
}

// withTables returns a kernel, or the one with packed tables and the same shape if its look-ups
// take less time.
func (s *Set) withTables(kernel, pattern, text, bound int, maxBounds []int) int {
	k, ok := s.Kernels[kernel].(*registers)
	if !ok || k.packed == 0 || maxBounds != nil && bound > maxBounds[k.packed] {
		return kernel
	}
	other := s.Kernels[k.packed].(*registers)
	length := max(pattern, text)
	if other.Takes(pattern, text, bound) && other.tables.of(length, bound, bound) < k.tables.of(length, bound, bound) {
		return k.packed
	}
	return kernel
}

// pairTables tells kernels with entries which ones of their shape have packed tables.
func (s *Set) pairTables() {
	for _, k := range s.Kernels {
		k, ok := k.(*registers)
		if !ok || k.shape.bases == packed {
			continue
		}
		k.packed = max(0, slices.IndexFunc(s.Kernels, func(other Kernel) bool {
			o, ok := other.(*registers)
			return ok && o.family == k.family && o.shape.bases == packed &&
				o.shape.words == k.shape.words && o.shape.pairThreads == k.shape.pairThreads
		}))
	}
}

// Stretch returns up to which bound a kernel takes about as long as for a bound. Wavefronts
// grow with the bound; a band of the matrix has its width.
func (s *Set) Stretch(kernel, pattern, text, bound int) int {
	if k, ok := s.Kernels[kernel].(banded); ok {
		return k.stretch(pattern, text, bound)
	}
	return bound
}

// Wide returns a kernel in place of one with 16-bit offsets, too few for the pair: the one for the same
// adaptive band, or the cheapest one with wavefronts.
func (s *Set) Wide(kernel, pattern, text, bound int, maxBounds []int) int {
	if band := s.Kernels[kernel].Band(); band != (align.AdaptiveBand{}) {
		end := s.Bounding
		if kernel >= end {
			end = len(s.Kernels)
		}
		for i := end - 1; ; i-- {
			if s.Kernels[i].Band() == band {
				return i // of the adaptive-block family, the last one
			}
		}
	}
	wide := slices.DeleteFunc(slices.Clone(s.wavefronts), func(family []int) bool { return s.Kernels[family[0]].Family().Name == "long" })
	k, _ := s.cheapest(wide, pattern, text, Plain(bound), maxBounds)
	return k
}

// Waves reports whether a kernel with a score bound has wavefronts.
func (s *Set) Waves(kernel int) bool {
	return slices.ContainsFunc(s.wavefronts, func(family []int) bool { return slices.Contains(family, kernel) })
}

// Wavefront returns the one of the kernels with wavefronts: what these store depends on the
// bound more than on the lengths.
func (s *Set) Wavefront(pattern, text, bound int, maxBounds []int) int {
	k, _ := s.cheapest(s.wavefronts, pattern, text, Plain(bound), maxBounds)
	return s.withTables(k, pattern, text, bound, maxBounds)
}

// cheapest also returns the estimated work, infinity if no kernel takes the pair.
func (s *Set) cheapest(of [][]int, pattern, text int, b Bound, maxBounds []int) (best int, least float64) {
	best, least = s.General, math.Inf(1)
	for _, family := range of {
		for _, i := range family {
			if (maxBounds == nil || b.Score <= maxBounds[i]) && s.takes(i, pattern, text, b) {
				k := s.Kernels[i]
				if work := k.Work(pattern, text, b.Score, b.Score); work < least {
					best, least = i, work
				}
				break
			}
		}
	}
	return best, least
}

// Adaptive returns the index of the cheapest kernel for a pair in an adaptive band of Config.Bands,
// negative if there is none.
func (s *Set) Adaptive(band align.AdaptiveBand, pattern, text int) int {
	return inBand(s.Kernels[:s.Bounding], band, pattern, text)
}

// Bounds returns the same for one of Config.Bounds, whose score is an upper bound of the optimum.
func (s *Set) Bounds(band align.AdaptiveBand, pattern, text int) int {
	k := inBand(s.Kernels[s.Bounding:], band, pattern, text)
	if k >= 0 {
		k += s.Bounding
	}
	return k
}

func inBand(kernels []Kernel, band align.AdaptiveBand, pattern, text int) int {
	return slices.IndexFunc(kernels, func(k Kernel) bool { return k.Band() == band && k.Takes(pattern, text, 0) })
}

// loader looks kernels up in a module, each once.
type loader struct {
	Config
	module    *driver.Module
	device    driver.Info
	functions map[string]*driver.Function
}

func (l *loader) function(name string) (*driver.Function, error) {
	if f := l.functions[name]; f != nil {
		return f, nil
	}
	f, err := l.module.Function(name)
	if err == nil {
		l.functions[name] = f
	}
	return f, err
}

// large looks up a kernel and allows it the most dynamic shared memory of a block.
// It also returns that size, in bytes.
func (l *loader) large(name string) (*driver.Function, int, error) {
	f, err := l.function(name)
	if err != nil {
		return nil, 0, err
	}
	static, err := f.StaticShared()
	if err != nil {
		return nil, 0, err
	}
	most := l.device.SharedPerBlockOptin - static
	return f, most, f.SetSharedBytes(most)
}
