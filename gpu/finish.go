package gpu

import (
	"fmt"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/passes"
)

// finish copies the result of a finished task to the batch.
func (d *decoder) finish(t *passes.Task, r *abi.Result) error {
	out := &d.out[t.Index]
	if d.policy.Spans {
		return d.finishSpan(t, r, out)
	}
	whole := d.policy.Kernels.Whole(int(t.Kernel))
	if int(r.Score) > d.policy.Limit {
		d.beyond(t)
		return nil
	}
	d.prepare(out, t)
	out.Score = d.load.call.score(&d.policy.Model, int(r.Score), int(t.Pattern)+int(t.Text))
	if !d.scoreOnly {
		ahead := 0
		if whole {
			ahead = positionElements
		}
		elems, err := d.elements(t, r, ahead)
		if err != nil {
			return err
		}
		out.CIGAR = d.storage.copy(out.CIGAR, elems[ahead:])
	}
	if d.load.call.whole() {
		d.observe(t, int(r.Score))
		if seeds := t.Probed.Seeds; seeds > 0 {
			d.seen.Probed(int(r.Score), int(seeds), int(t.Class))
			if d.policy.AfterProbe(t) {
				d.seen.ProbedPass(int(t.Class), false)
			}
		}
	}
	return nil
}

// beyond makes the result of a task that of a pair beyond the limit, of which it costs more.
func (d *decoder) beyond(t *passes.Task) {
	d.stats.passBeyond(&d.out[t.Index])
	d.observe(t, d.policy.Limit)
}

// prepare empties the result of a task, which is that of an earlier pair, as
// align.Batch.PrepareResult does: without a look at the pair, which no cache has any more.
func (d *decoder) prepare(out *align.Result, t *passes.Task) {
	out.CIGAR, out.Err = out.CIGAR[:0], nil
	out.Place = align.Place{PatternEnd: int(t.Pattern), TextEnd: int(t.Text)}
}

// observe adds the score of a pair to those from which first bounds are derived. Letters around a pattern within a
// text cost nothing.
func (d *decoder) observe(t *passes.Task, score int) {
	length := max(t.Pattern, t.Text)
	if d.policy.Spans {
		length = t.Pattern
	}
	switch {
	case !d.sparse:
		d.seen.Add(score, int(length), int(t.Class))
	case sampled(d.load.call.batch.First + int64(t.Index)):
		d.seen.AddFor(1<<sparseBits, score, int(length), int(t.Class))
	}
}

// elements returns the elements of a task's alignment, which has at least one, and those ahead of it if there are any.
func (d *decoder) elements(t *passes.Task, r *abi.Result, ahead int) ([]uint32, error) {
	end := uint64(r.Cigar) + uint64(r.CigarLength)
	if int(r.CigarLength) < max(ahead, 1) || end > uint64(len(d.cigars)) {
		return nil, fmt.Errorf("internal error: no alignment of %d and %d letters from the GPU", t.Pattern, t.Text)
	}
	return d.cigars[r.Cigar:end], nil
}

// partial keeps the alignment with open parts of a task, whose pair is finished when they are aligned.
func (d *decoder) partial(t *passes.Task, r *abi.Result) error {
	elements, err := d.elements(t, r, 0)
	if err != nil {
		return err
	}
	if d.partials == nil {
		d.partials = d.assembler.takePartials(d.load.call)
	}
	most, squares, err := d.partials.add(t, int(r.Score), elements)
	if err != nil {
		return err
	}
	if 2*squares > float64(most)*float64(most) {
		d.seen.Failed(int(t.Class))
	}
	if d.load.call.whole() {
		d.observe(t, most)
	}
	return nil
}

// manyResults is the size of launches of which few pairs tell enough, about one of 1 << sparseBits.
const manyResults, sparseBits = 1 << 14, 3

// sampled reports whether a pair of the input is one of the few that are observed: in no regular
// distance, as kinds of pairs may alternate.
func sampled(ordinal int64) bool { return uint32(ordinal)*0x9e3779b1>>(32-sparseBits) == 0 }
