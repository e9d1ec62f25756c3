package gpu

import "wfagpu/gpu/internal/estimate"

// start is the first pass of the pairs of some lengths: a task without a pair. With
// given rates it depends on the lengths alone.
type start struct {
	pattern, text int32 // lengths, 0 if the entry is empty
	bound         int32
	kernel, class uint8
	group         uint16 // of the sorter
	count         uint32 // staged pairs of these lengths
}

func (s *start) is(pattern, text int, few bool) bool {
	return s.pattern == int32(pattern) && s.text == int32(text) && estimate.IsFew(s.class) == few
}

// starts caches the starts of a load: short reads have few distinct lengths, and
// choosing the kernel of a pair takes as long as packing it. The cache is
// direct-mapped.
type starts [128 * lengthGaps]start

// lengthGaps is the number of differences between lengths that do not collide.
const lengthGaps = 16

func (s *starts) clear() { *s = starts{} }

// Pairs of patterns within texts have the start of lengths that are multiples of these, or longer
// by a multiple: letters around patterns vary, and a choice takes as long as packing a short pair.
const (
	alikePattern = 8
	alikeAround  = 32
)

// alike returns such lengths, at least those of a pair whose pattern is no longer than its text.
func alike(pattern, text int) (int, int) {
	around := text - pattern
	pattern = (pattern + alikePattern - 1) / alikePattern * alikePattern
	return pattern, pattern + (around+alikeAround-1)/alikeAround*alikeAround
}

// ofAlike returns the entry of such lengths.
func (s *starts) ofAlike(pattern, text int) *start {
	return &s[uint(64*(pattern/alikePattern)+(text-pattern)/alikeAround)%uint(len(s))]
}

// of returns the entry of some lengths.
func (s *starts) of(pattern, text int, few bool) *start {
	if few { // in another place
		text += lengthGaps / 2
	}
	return &s[uint(lengthGaps*pattern+text-pattern)%uint(len(s))]
}
