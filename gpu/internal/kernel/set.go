package kernel

import (
	"cmp"
	"slices"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver"
)

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
	// Probe is the index of the kernel that tells how many errors pairs have, negative if there is none. It is behind Bounding.
	Probe int
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
	set.Probe = -1
	if slices.ContainsFunc(set.Kernels, func(k Kernel) bool { g, ok := k.(*gotoh); return ok && g.outside != nil }) {
		kernels, err := loadProbe(l)
		if err != nil {
			return nil, err
		}
		set.Probe = len(set.Kernels)
		set.Kernels = append(set.Kernels, kernels...)
	}
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
	if s.Seeded(kernel) && b.Slack < b.Score && k.(*gotoh).takesSlack(pattern, text, b.Slack) {
		return true
	}
	return k.Takes(pattern, text, b.Score)
}

// Certified returns the slack of the scores that a kernel with a bound aligns, MaxBound if it
// aligns all up to Most.
func (s *Set) Certified(kernel, pattern, text int) int {
	if s.Seeded(kernel) {
		return s.Kernels[kernel].(*gotoh).slack(pattern, text)
	}
	return MaxBound
}

// Most returns the largest score that a kernel aligns with a bound, MaxBound if none is too large: all up to it, or those with no more
// slack than Certified.
func (s *Set) Most(kernel, pattern, text, bound int) int {
	k := s.Kernels[kernel]
	switch {
	case Exceeds(k) && s.Seeded(kernel):
		return MaxBound
	case Exceeds(k):
		return max(bound, k.(*gotoh).certifies(pattern, text))
	case s.Seeded(kernel):
		return s.Stretch(kernel, pattern, text, bound)
	}
	return bound
}

// Tells reports whether results of a kernel with broken seeds tell the slack that a pair has in bands.
func (s *Set) Tells(kernel, text int) bool { return s.Kernels[kernel].(*gotoh).tells(text) }

// Estimates reports whether the scores that a kernel reports in place of results may be less than
// those of alignments: if its bands have rims.
func (s *Set) Estimates(kernel int) bool {
	k, ok := s.Kernels[kernel].(*gotoh)
	return ok && k.outside != nil
}

// Within reports whether some kernels take patterns within texts alone, whose time depends on scores.
func (s *Set) Within() bool {
	return s.General < 0 && (s.Gated >= 0 || len(s.bands) > 0 || len(s.wavefronts) > 0)
}

// ByLength reports whether the rows of a kernel depend on the lengths of pairs alone, not on bounds.
func (s *Set) ByLength(kernel int) bool {
	_, ok := s.Kernels[kernel].(*gotoh)
	return ok
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

// Waves reports whether a kernel with a score bound has wavefronts.
func (s *Set) Waves(kernel int) bool {
	return slices.ContainsFunc(s.wavefronts, func(family []int) bool { return slices.Contains(family, kernel) })
}
