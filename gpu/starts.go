package gpu

// start is how the pairs of some lengths begin: a task without a pair. Within a
// chunk it depends on nothing else.
type start struct {
	pattern, text int32 // lengths, 0 for a start that is not known
	bound         int32
	kernel, class uint8
	count         uint32 // of pairs that have begun like this
}

func (s *start) is(pattern, text int) bool {
	return s.pattern == int32(pattern) && s.text == int32(text)
}

// starts caches the starts of a chunk: short reads have few different lengths,
// and choosing the kernel of a pair takes as long as packing it. Two starts with
// the same place replace each other.
type starts [128 * lengthGaps]start

// lengthGaps is the number of differences between lengths that do not collide.
const lengthGaps = 16

func (s *starts) clear() { *s = starts{} }

// of returns the place of some lengths.
func (s *starts) of(pattern, text int) *start {
	return &s[uint(lengthGaps*pattern+text-pattern)%uint(len(s))]
}
