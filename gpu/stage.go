package gpu

import (
	"bytes"
	"slices"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/memory"
	"wfagpu/gpu/internal/pack"
	"wfagpu/gpu/internal/passes"
)

// stager packs the sequences of loads and makes tasks of their pairs. Its storage is
// reused by the next load.
type stager struct {
	policy  *passes.Policy
	cutters *cutters

	// Of the load that is being staged.
	call      *call
	rates     *estimate.Rates
	maxBounds []int
	starts    starts
	todo      []passes.Task
	sorter    sorter
	attempts  uint8 // of all tasks
	words     int   // of packed sequences
	packed    []packed
	fallback  []int32 // pairs of the batch that another engine has to align
	cuts      []cutting
	stats     Stats
}

// stage packs the sequences of the pairs [from, to) of the call's batch, or of as many
// as fit into bases, and makes a task of every pair, sorted by key. It returns the end
// of the staged pairs. Pairs with an empty sequence are aligned here. bases has room for
// pack.Tail more words.
func (s *stager) stage(c *call, bases []uint32, from, to int) (end int) {
	b := c.batch
	s.begin(c, to-from)
	room := min(len(bases)-pack.Tail, loadWords)
	samples := c.whole() && s.policy.Samples()
	at := 0 // in words
	for i := from; i < to; i++ {
		p := &b.Pairs[i]
		if c.aside != nil && c.aside[i] {
			continue
		}
		n, m := len(p.Pattern), len(p.Text)
		if n == 0 || m == 0 {
			s.stageTrivial(i, p)
			continue
		}
		after := at + pack.Words(n) + pack.Words(m)
		if after > room {
			if at > 0 {
				to = i
				break
			}
			s.fallBack(i, passes.ErrLength)
			continue
		}
		ahead := &b.Pairs[min(i+pack.Ahead, to-1)]
		if samples {
			if !pack.Pair(bases[at:], p, ahead) {
				s.fallBack(i, passes.ErrLetters)
				continue
			}
			if s.packed = append(s.packed, packed{i, at}); len(s.packed) == samplePairs {
				s.sample(bases)
			}
			at = after
			continue
		}
		t, err := s.startOf(i, n, m, false)
		if err == passes.ErrLength {
			s.fallBack(i, passes.ErrLength)
			continue
		}
		if err == passes.ErrBeyond {
			s.stageTrivial(i, p)
			continue
		}
		if !pack.Pair(bases[at:], p, ahead) {
			s.fallBack(i, passes.ErrLetters)
			continue
		}
		if err != nil {
			s.fallBack(i, err)
			continue
		}
		s.add(t, at, i, n, m)
		at = after
	}
	s.sample(bases)
	s.cut()
	s.words = at
	s.end()
	return to
}

// begin begins a load of at most so many pairs of a call.
func (s *stager) begin(c *call, pairs int) {
	s.call = c
	s.starts.clear()
	s.sorter.clear()
	s.fallback, s.cuts, s.stats = s.fallback[:0], s.cuts[:0], Stats{}
	s.todo = slices.Grow(s.todo[:0], pairs)
	s.sorter.ids = slices.Grow(s.sorter.ids[:0], pairs)[:pairs]
	s.attempts = 0
	if c.bounds {
		s.attempts = passes.Certain
	}
}

// startOf returns the first pass of pair or piece i, which has some lengths, and perhaps few
// errors. The error is the cause of a fallback.
func (s *stager) startOf(i, n, m int, few bool) (*start, error) {
	pattern, text, t := n, m, s.starts.of(n, m, few)
	if s.call.whole() && s.policy.StartsAlike(n, m) {
		pattern, text = alike(n, m)
		t = s.starts.ofAlike(pattern, text)
	}
	if t.is(pattern, text, few) && s.call.whole() {
		return t, nil
	}
	return t, s.start(t, i, pattern, text, few)
}

// add adds a task of pair i, of n and m letters, whose sequences are at some place among those of the load.
func (s *stager) add(t *start, at, i, n, m int) {
	j := len(s.todo)
	s.todo = s.todo[:j+1] // there is room
	// Field by field: the compiler builds a whole task on the stack first,
	// and its copy in words after stores in bytes defeats store forwarding.
	e := &s.todo[j]
	e.At, e.Index = uint32(at), int32(i)
	e.Pattern, e.Text, e.Bound = int32(n), int32(m), t.bound
	e.Kernel, e.Class, e.Attempts, e.Passes = t.kernel, t.class, s.attempts, 0
	s.sorter.ids[j] = t.group
	t.count++
}

// end ends the load.
func (s *stager) end() {
	s.sorter.ids = s.sorter.ids[:len(s.todo)]
	for i := range s.starts {
		s.count(&s.starts[i])
	}
	s.call = nil // an idle stager keeps no batch in memory
}

// start chooses the first pass of pairs of some lengths, perhaps of few errors, or of piece i. The error is the cause
// of a fallback.
func (s *stager) start(e *start, i, pattern, text int, few bool) error {
	s.count(e)
	*e = start{}
	// Bounds are at least the cost of the difference in length.
	switch gap := s.policy.Penalties.LengthGap(pattern, text); {
	case s.policy.Spans:
	case gap > s.policy.Limit:
		return passes.ErrBeyond
	case gap > kernel.MaxBound:
		return passes.ErrLength
	}
	t := passes.Task{Pattern: int32(pattern), Text: int32(text), Class: uint8(estimate.LengthClass(max(pattern, text)))}
	if few || !s.call.whole() && s.policy.Approx != nil {
		t.Class += estimate.LengthClasses
	}
	if s.call.bounds {
		s.policy.Bounded(&t, s.call.expected[i], s.rates, s.maxBounds)
	} else if !s.call.whole() {
		s.policy.Piece(&t, s.call.expected[i], s.rates, s.maxBounds)
	} else if s.call.ungated {
		if err := s.policy.FirstWithin(&t, true, 0, s.rates, s.maxBounds); err != nil {
			return err
		}
	} else if err := s.policy.First(&t, s.rates, s.maxBounds); err != nil {
		return err
	}
	*e = start{
		pattern: t.Pattern, text: t.Text, bound: t.Bound, kernel: t.Kernel, class: t.Class,
		group: s.sorter.group(s.policy.Key(&t)),
	}
	return nil
}

// count counts the pairs of a start in their group.
func (s *stager) count(e *start) {
	if e.count > 0 {
		s.sorter.count(e.group, int(e.count), e.bound, e.text, e.pattern)
	}
}

// load makes a load of what was staged, with its sequences at some place on the device,
// and returns it with its tasks in groups, which are valid until the next stage.
func (s *stager) load(c *call, at memory.Span) (*load, []group) {
	l := &load{call: c, sequences: at, open: len(s.todo)}
	storage := takeTasks()
	l.tasks = s.sorter.deal(s.todo, storage)
	if len(s.sorter.groups) == 1 {
		s.todo = storage // the load has that of the stager
	}
	return l, s.sorter.groups
}

// stageTrivial finishes a pair with an empty sequence, whose alignment is one gap, or empty,
// or one whose lengths alone take the score above the limit.
func (s *stager) stageTrivial(i int, p *align.Pair) {
	if noLetter(p.Pattern) || noLetter(p.Text) {
		s.fallBack(i, passes.ErrLetters)
		return
	}
	if s.call.whole() {
		s.stats.Trivial++
	}
	r := s.call.batch.PrepareResult(i)
	pattern, text := len(p.Pattern), len(p.Text)
	cost, place := trivial(&s.policy.Model, pattern, text)
	if cost > s.policy.Limit {
		r.Score = align.Beyond
		if s.policy.Spans {
			r.Place = align.Place{}
		}
		s.stats.Beyond++
		return
	}
	r.Score = s.call.score(&s.policy.Model, cost, pattern+text)
	if s.policy.ScoreOnly {
		if s.policy.Model.Span != align.Global {
			r.Place = align.Place{}
		}
		return
	}
	r.Place = place
	r.CIGAR = r.CIGAR.Append(cigar.Ins, place.PatternEnd-place.PatternBegin).Append(cigar.Del, place.TextEnd-place.TextBegin)
}

// noLetter reports whether s contains a byte that the CPU engine refuses.
func noLetter(s []byte) bool { return bytes.IndexByte(s, 0) >= 0 || bytes.IndexByte(s, 0xff) >= 0 }

// fallBack marks a pair of the batch for another engine.
func (s *stager) fallBack(i int, cause error) {
	markFallback(s.call, i, cause, &s.stats)
	s.fallback = append(s.fallback, int32(i))
}
