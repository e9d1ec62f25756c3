package gpu

// start is how the pairs of some lengths begin: a task without a pair. Within a
// load it depends on nothing else.
type start struct {
	pattern, text  int32 // lengths, 0 for a start that is not known
	limit          int32
	variant, class uint8
	count          uint32 // of pairs that have begun like this
}

func (s *start) is(pattern, text int) bool {
	return s.pattern == int32(pattern) && s.text == int32(text)
}

// starts remembers the starts of a load: short reads have few different lengths,
// and looking for the kernel of a pair takes as long as packing it. Two starts
// that belong in the same place take turns.
type starts [128 * diagonals]start

// diagonals is the number of differences between lengths that do not get into
// each other's way.
const diagonals = 16

func (s *starts) forget() { *s = starts{} }

// of returns the place of some lengths.
func (s *starts) of(pattern, text int) *start {
	return &s[uint(diagonals*pattern+text-pattern)%uint(len(s))]
}

// start finds out how pairs of some lengths begin. It returns the reason where the
// device is not for them.
func (l *lane) start(s *start, pattern, text int) error {
	l.tallyStart(s)
	*s = start{}
	// Limits are at least the cost of the difference in length.
	if l.e.penalties.LengthGap(pattern, text) > maxLimit {
		return errLength
	}
	t := task{class: uint8(lengthClass(max(pattern, text)))}
	if err := l.begin(&t, pattern, text); err != nil {
		return err
	}
	*s = start{
		pattern: int32(pattern), text: int32(text), limit: t.limit, variant: t.variant, class: t.class,
	}
	return nil
}

// tallyStart adds the pairs of a start to the lane's tally.
func (l *lane) tallyStart(s *start) {
	if s.count > 0 {
		n, limit := int(s.count), int(s.limit)
		l.tally.add(s.variant, s.class, n, limit, int(s.text), int(s.pattern))
		l.room += n * l.e.cigarRoom(limit)
	}
}
