package kernel

import (
	"math"
	"slices"

	"wfagpu/align"
)

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
