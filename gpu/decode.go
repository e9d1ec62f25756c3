package gpu

import (
	"fmt"
	"unsafe"

	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/pack"
)

// decode takes the results of tasks of one kernel that has run. Tasks that need
// another pass go to again.
func (p *pass) decode(tasks []task) error {
	if len(tasks) == 0 {
		return nil
	}
	c := p.chunk
	// A pair whose adaptive band drifted may be aligned exactly in this pass.
	const earlier = abi.UnreachedFlags | abi.FlagLost | abi.FlagDrifted
	k, finished := c.policy.kernels.Kernels[tasks[0].kernel], 0
	scoreOnly := c.config.ScoreOnly
	for i := range tasks {
		if ahead := i + aheadResults; ahead < len(tasks) && !scoreOnly {
			p.prefetch(&tasks[ahead], &tasks[min(ahead+2*aheadResults, len(tasks)-1)])
		}
		t := &tasks[i]
		r := &p.mem.results[t.pair]
		var err error
		if r.Score >= 0 && r.Flags&^earlier == 0 {
			finished++
			err = p.finish(t, r)
		} else {
			err = p.retry(t, r)
		}
		if err != nil {
			return err
		}
	}
	c.stats.addAligned(k.Family().Counter, int64(finished))
	return nil
}

// aheadResults is how many tasks before its own an alignment is prefetched.
const aheadResults = 8

// prefetch loads the memory between which t's alignment will be copied, which is
// in no order, and where that of a later task will go.
func (p *pass) prefetch(t, later *task) {
	c := p.chunk
	if r := &p.mem.results[t.pair]; int(r.Cigar) < len(p.mem.cigars) {
		out := c.batch.Results[c.index[t.pair]].CIGAR
		pack.Prefetch(unsafe.Pointer(&p.mem.cigars[r.Cigar]), unsafe.Pointer(unsafe.SliceData(out)), unsafe.Pointer(&c.batch.Results[c.index[later.pair]]))
	}
}

// finish takes the result of a task that is done.
func (p *pass) finish(t *task, r *abi.Result) error {
	c := p.chunk
	pair, out := &p.mem.pairs[t.pair], &c.batch.Results[c.index[t.pair]]
	out.Score = int(r.Score) * c.policy.scale
	if !c.config.ScoreOnly {
		elems := p.alignment(r)
		if elems == nil {
			return fmt.Errorf("internal error: no alignment of %d and %d letters from the GPU", pair.PatternLength, pair.TextLength)
		}
		out.CIGAR = append(out.CIGAR[:0], unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elems)), len(elems))...)
	}
	if t.attempts > 0 {
		c.stats.SecondPass++
	}
	p.seen.add(int(r.Score), int(max(pair.PatternLength, pair.TextLength)), int(t.class))
	return nil
}

// retry decides how a task goes on that is not done: with another pass or on
// another engine.
func (p *pass) retry(t *task, r *abi.Result) error {
	c := p.chunk
	flags := r.Flags &^ abi.UnreachedFlags
	if flags&abi.FlagLetters != 0 {
		c.fallBack(int(c.index[t.pair]), errLetters)
		return nil
	}
	pattern, text := c.lengths(t)
	widened, err := c.policy.next(t, flags, c.rates[t.class], p.rows.maxBounds, pattern, text)
	if widened {
		c.stats.Widened++
	}
	switch err {
	case nil:
		p.again = append(p.again, *t)
	case errMemory:
		c.fallBack(int(c.index[t.pair]), err)
		err = nil
	}
	return err
}

// alignment returns a result's elements, nil if there are none where they should
// be.
func (p *pass) alignment(r *abi.Result) []uint32 {
	end := uint64(r.Cigar) + uint64(r.CigarLength)
	if r.CigarLength == 0 || end > uint64(p.mem.used[0]) {
		return nil
	}
	return p.mem.cigars[r.Cigar:end]
}
