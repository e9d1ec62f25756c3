package gpu

import (
	"bytes"
	"slices"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/pack"
)

// chunk is the part of a batch that a slot aligns at a time. Its storage is reused
// by the next chunk.
type chunk struct {
	policy *policy
	config *kernel.Config
	mem    *buffers
	rows   *rowMemory

	batch     *align.Batch
	index     []int32 // of the chunk's pairs in the batch
	fallback  []int32 // pairs of the batch that another engine has to align
	sequences int     // size of the staged sequences, in bytes
	starts    starts
	todo      []task // tasks of the next pass
	tally     tally  // of the tasks of a pass
	// staged reports that tally counts all of todo as staged, and that room is
	// the largest number of elements that their alignments take.
	staged bool
	room   int
	rates  [lengthClasses]float64
	stats  Stats
}

// stage copies the sequences of the pairs [from, to) of b, or of as many as fit, to
// pinned memory, packed if the host packs, and makes a task of every pair. It
// returns the end of the staged pairs. Pairs with an empty sequence are aligned
// here.
func (c *chunk) stage(b *align.Batch, from, to int) (end int) {
	c.batch = b
	c.starts.clear()
	c.tally.clear()
	c.room = 0
	hostPacks := c.mem.bases != nil
	index := slices.Grow(c.index[:0], to-from)[:to-from]
	todo := slices.Grow(c.todo[:0], to-from)[:to-from]
	pairs := c.mem.pairs[:to-from]
	j := 0  // staged so far
	at := 0 // in words
	for i := from; i < to; i++ {
		p := &b.Pairs[i]
		n, m := len(p.Pattern), len(p.Text)
		if n == 0 || m == 0 {
			c.stageEmpty(i, p)
			continue
		}
		text := at + pack.Words(n)
		after := text + pack.Words(m)
		if after > chunkWords {
			if at > 0 {
				to = i
				break
			}
			c.fallBack(i, errLength)
			continue
		}
		s := c.starts.of(n, m)
		var err error
		if !s.is(n, m) {
			err = c.start(s, n, m)
		}
		if err == errLength {
			c.fallBack(i, errLength)
			continue
		}
		if !hostPacks {
			copy(c.mem.letters[at*abi.LettersPerWord:], p.Pattern)
			copy(c.mem.letters[text*abi.LettersPerWord:], p.Text)
		} else if !pack.Pair(c.mem.bases[at:], p, &b.Pairs[min(i+pack.Ahead, to-1)]) {
			c.fallBack(i, errLetters)
			continue
		}
		if err != nil {
			c.fallBack(i, err)
			continue
		}
		pairs[j] = abi.Pair{
			Pattern: uint32(at), Text: uint32(text), PatternLength: int32(n), TextLength: int32(m),
		}
		at = after
		index[j] = int32(i)
		// Field by field: the compiler builds a whole task on the stack first,
		// and its copy in words after stores in bytes defeats store forwarding.
		t := &todo[j]
		t.pair, t.bound = int32(j), s.bound
		t.kernel, t.class, t.attempts = s.kernel, s.class, 0
		s.count++
		j++
	}
	c.index, c.todo = index[:j], todo[:j]
	for i := range c.starts {
		c.tallyStart(&c.starts[i])
	}
	c.staged = true
	c.sequences = at * abi.LettersPerWord
	if hostPacks {
		c.sequences = at * 4
	}
	return to
}

// start chooses the first pass of pairs of some lengths. The error is the cause of
// a fallback.
func (c *chunk) start(s *start, pattern, text int) error {
	c.tallyStart(s)
	*s = start{}
	// Bounds are at least the cost of the difference in length.
	if c.policy.penalties.LengthGap(pattern, text) > kernel.MaxBound {
		return errLength
	}
	t := task{class: uint8(lengthClass(max(pattern, text)))}
	if err := c.policy.first(&t, c.rates[t.class], c.rows.maxBounds, pattern, text); err != nil {
		return err
	}
	*s = start{
		pattern: int32(pattern), text: int32(text), bound: t.bound, kernel: t.kernel, class: t.class,
	}
	return nil
}

// tallyStart adds the pairs of a start to the tally.
func (c *chunk) tallyStart(s *start) {
	if s.count > 0 {
		n, bound := int(s.count), int(s.bound)
		c.tally.add(s.kernel, s.class, n, bound, int(s.text), int(s.pattern))
		c.room += n * c.config.CigarRoom(bound)
	}
}

// stageEmpty aligns a pair with an empty sequence: its alignment is one gap, or
// empty.
func (c *chunk) stageEmpty(i int, p *align.Pair) {
	if noLetter(p.Pattern) || noLetter(p.Text) {
		c.fallBack(i, errLetters)
		return
	}
	r := &c.batch.Results[i]
	pattern, text := len(p.Pattern), len(p.Text)
	r.Score = c.policy.scale * c.policy.penalties.Gap(pattern+text)
	if !c.policy.scoreOnly {
		r.CIGAR = r.CIGAR[:0].Append(cigar.Ins, pattern).Append(cigar.Del, text)
	}
	c.stats.Trivial++
}

// noLetter reports whether s contains a byte that the CPU engine refuses.
func noLetter(s []byte) bool { return bytes.IndexByte(s, 0) >= 0 || bytes.IndexByte(s, 0xff) >= 0 }

// fallBack marks a pair of the batch for another engine.
func (c *chunk) fallBack(i int, cause error) {
	r := &c.batch.Results[i]
	r.Score, r.CIGAR, r.Err = 0, r.CIGAR[:0], cause
	c.fallback = append(c.fallback, int32(i))
	c.stats.addFallback(cause)
}

// lengths returns the lengths of a task's sequences.
func (c *chunk) lengths(t *task) (pattern, text int) {
	p := &c.mem.pairs[t.pair]
	return int(p.PatternLength), int(p.TextLength)
}
