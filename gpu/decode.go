package gpu

import (
	"fmt"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/pack"
)

// decoder copies results of the device to those of a batch.
type decoder struct {
	chunk *chunk
	seen  *observations
	again []task // tasks for another pass

	// Copies of what the loop over tasks reads, without indirection.
	results   []abi.Result
	pairs     []abi.Pair
	cigars    []uint32 // elements of all alignments
	index     []int32  // of the chunk's pairs in out
	out       []align.Result
	scale     int
	scoreOnly bool
}

// newDecoder returns a decoder of the results of a pass over a chunk. It appends to again.
func newDecoder(c *chunk, seen *observations, again []task) *decoder {
	m := c.mem
	return &decoder{
		chunk: c, seen: seen, again: again,
		results: m.results, pairs: m.pairs, cigars: m.cigars[:m.used[0]],
		index: c.index, out: c.batch.Results, scale: c.policy.scale, scoreOnly: c.config.ScoreOnly,
	}
}

// decode copies the results of a group whose kernel has run to the batch.
func (d *decoder) decode(g *group) error {
	tasks := g.tasks
	// A pair whose adaptive band drifted may be aligned exactly in this pass.
	const earlier = abi.UnreachedFlags | abi.FlagLost | abi.FlagDrifted
	finished, second := 0, 0
	for i := range tasks {
		if ahead := i + aheadResults; ahead < len(tasks) && !d.scoreOnly {
			d.prefetch(&tasks[ahead], &tasks[min(ahead+2*aheadResults, len(tasks)-1)])
		}
		t := &tasks[i]
		r := &d.results[t.pair]
		if r.Score < 0 || r.Flags&^earlier != 0 {
			if err := d.retry(t, r); err != nil {
				return err
			}
			continue
		}
		if err := d.finish(t, r); err != nil {
			return err
		}
		finished++
		if t.attempts > 0 {
			second++
		}
	}
	stats := &d.chunk.stats
	stats.SecondPass += int64(second)
	stats.addAligned(d.chunk.policy.kernel(g).Family().Counter, int64(finished))
	return nil
}

// aheadResults is the prefetch distance of alignments, in tasks.
const aheadResults = 8

// prefetch prefetches the source and the destination of t's alignment, and the
// result of a later task. Alignments are in no order in memory.
func (d *decoder) prefetch(t, later *task) {
	if r := &d.results[t.pair]; int(r.Cigar) < len(d.cigars) {
		out := d.out[d.index[t.pair]].CIGAR
		pack.Prefetch(unsafe.Pointer(&d.cigars[r.Cigar]), unsafe.Pointer(unsafe.SliceData(out)), unsafe.Pointer(&d.out[d.index[later.pair]]))
	}
}

// finish copies the result of a finished task to the batch.
func (d *decoder) finish(t *task, r *abi.Result) error {
	pair, out := &d.pairs[t.pair], &d.out[d.index[t.pair]]
	out.Score = int(r.Score) * d.scale
	if !d.scoreOnly {
		end := uint64(r.Cigar) + uint64(r.CigarLength)
		if r.CigarLength == 0 || end > uint64(len(d.cigars)) {
			return fmt.Errorf("internal error: no alignment of %d and %d letters from the GPU", pair.PatternLength, pair.TextLength)
		}
		elems := d.cigars[r.Cigar:end]
		out.CIGAR = append(out.CIGAR[:0], unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elems)), len(elems))...)
	}
	d.seen.add(int(r.Score), int(max(pair.PatternLength, pair.TextLength)), int(t.class))
	return nil
}

// retry gives an unaligned task to another pass or to another engine.
func (d *decoder) retry(t *task, r *abi.Result) error {
	c := d.chunk
	flags := r.Flags &^ abi.UnreachedFlags
	if flags&abi.FlagLetters != 0 {
		c.fallBack(int(c.index[t.pair]), errLetters)
		return nil
	}
	pattern, text := c.lengths(t)
	widened, err := c.policy.next(t, flags, c.rates[t.class], c.rows.maxBounds, pattern, text)
	if widened {
		c.stats.Widened++
	}
	switch err {
	case nil:
		d.again = append(d.again, *t)
	case errMemory:
		c.fallBack(int(c.index[t.pair]), err)
		err = nil
	}
	return err
}
