package gpu

import (
	"fmt"
	"slices"
	"unsafe"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/pack"
	"wfagpu/gpu/internal/passes"
)

// decoder copies results of the device to those of batches.
type decoder struct {
	followUp
	assembler *assembler
	inside    *insider // nil for none
	seen      estimate.Observations
	cuts      []cutting    // of the part, in the order of its tasks
	apart     []insidePair // of the part, for the insider
	storage   storage

	// Of the part of the launch that is decoded, without indirection.
	results   []abi.Result
	cigars    []uint32 // elements of all alignments
	out       []align.Result
	scoreOnly bool
	bounds    bool               // the scores are bounds of exact passes
	probes    bool               // results tell of pairs, and have no scores
	gated     bool               // alignments may have open parts
	slacks    bool               // results tell the slack of scores
	sparse    bool               // few pairs are observed
	partials  *partials          // of the part, nil if there are none
	band      align.AdaptiveBand // of the approximate mode, none in others
}

// decode copies the results of a launch to its batches.
func (d *decoder) decode(l *launch, results []abi.Result, cigars []uint32) error {
	d.cigars, d.scoreOnly = cigars, l.room == 0
	d.bounds, d.gated = d.policy.Bounds(l.Key.Kernel), d.policy.Gates(l.Key.Kernel)
	d.probes = int(l.Key.Kernel) == d.policy.Kernels.Probe
	d.slacks = d.policy.Kernels.Seeded(int(l.Key.Kernel))
	d.sparse = len(results) >= manyResults
	d.apart = d.apart[:0]
	d.band = align.AdaptiveBand{}
	if d.policy.Approx != nil && !d.bounds {
		d.band = d.policy.Kernels.Kernels[l.Key.Kernel].Band()
	}
	for i := range l.parts {
		part := &l.parts[i]
		d.results = results[:len(part.tasks)]
		results = results[len(part.tasks):]
		if part.load.call.ended.Load() {
			continue
		}
		d.load, d.out = part.load, part.load.call.batch.Results
		err := d.part(l, part.tasks)
		if d.partials != nil {
			d.partials.fill()
			d.partials = nil
		}
		if err != nil {
			return err
		}
		d.end()
	}
	d.out = nil // idle storage keeps no batch in memory
	return nil
}

// part copies the results of the tasks of one load.
func (d *decoder) part(l *launch, tasks []passes.Task) error {
	var counts [4]int64
	finished, second := int64(0), int64(0)
	d.cut(tasks)
	cuts := d.cuts
	for i := range tasks {
		if ahead := i + aheadResults; ahead < len(tasks) && !d.scoreOnly {
			d.prefetch(ahead, &tasks[ahead], &tasks[min(ahead+2*aheadResults, len(tasks)-1)])
		}
		t, r := &tasks[i], &d.results[i]
		if r.Score >= 0 {
			r.Flags &^= abi.FlagDoubtful // cut asks for it alone
		}
		counts[t.Passes&3]++
		again := t.Attempts > 0 && t.Attempts != passes.Certain
		if len(cuts) > 0 && cuts[0].index == t.Index {
			cut := &cuts[0]
			if cuts = cuts[1:]; cut.ok {
				if err := d.pieces(t, r, again, cut); err != nil {
					return err
				}
				continue
			}
		}
		if d.slacks {
			d.slack(t, r, int(l.Key.Kernel))
		}
		if d.gated {
			taken, err := d.openParts(t, r)
			if err != nil {
				return err
			}
			if taken {
				continue
			}
		}
		if r.Score < 0 || r.Flags != 0 {
			beyond, err := d.another(t, r)
			if err != nil {
				return err
			}
			if beyond {
				finished++
			}
			continue
		}
		if d.probes {
			next := following(t)
			found := kernel.Probed{Seeds: max(r.Score, 1), Apart: int32(r.Cigar)}
			d.choose(&next, d.policy.Probed(&next, found, d.rates, d.maxBounds))
			continue
		}
		if d.bounds {
			next := following(t)
			d.choose(&next, d.policy.Known(&next, int(r.Score), d.rates, d.maxBounds))
			if d.load.call.whole() && !d.rates[t.Class].Known { // a score will be, later
				d.observe(t, int(r.Score))
			}
			continue
		}
		if err := d.finish(t, r); err != nil {
			return err
		}
		finished++
		if again {
			second++
		}
	}
	if len(d.apart) > 0 {
		d.inside.follow(d.load.call, slices.Clone(d.apart))
		d.apart = d.apart[:0]
	}
	d.stats.addPasses(d.policy.Counter(l.Key.Kernel), [3]int64(counts[:3]))
	if int(l.Key.Kernel) == d.policy.Kernels.Gated { // a pass for ends follows one, and is no other try
		d.seen.Tried(int(l.Key.Class), len(tasks))
	}
	if d.load.call.whole() {
		d.stats.SecondPass += second
		d.stats.addAligned(d.policy.Counter(l.Key.Kernel), finished)
	}
	d.assembler.assemble(d.load.call, slices.DeleteFunc(d.cuts, func(t cutting) bool { return !t.ok }))
	return nil
}

// slack notes what a result of a kernel with a slack tells of that, and takes what it tells from its flags if that is
// too much.
func (d *decoder) slack(t *passes.Task, r *abi.Result, kernel int) {
	if r.Score >= 0 || r.CigarLength == 0 { // a score above the limit has no slack
		if from, ok := d.policy.PassFor(t); ok {
			d.seen.SlackPass(from, int(t.Bound), int(t.Pattern), int(t.Class), false)
		}
	}
	switch {
	case r.Score < 0:
	case d.policy.Kernels.Tells(kernel, int(t.Text)):
		d.seen.Slack(r, int(t.Pattern), int(t.Class))
	default:
		r.Flags &^= abi.FlagSlack
	}
}

// openParts takes a result of a gated pass that has open parts or ends, if others align these, and makes it one without a
// score if nobody does.
func (d *decoder) openParts(t *passes.Task, r *abi.Result) (taken bool, err error) {
	if r.Flags == abi.FlagOpen && d.policy.Spans && d.inside == nil {
		*r = abi.Result{Score: -1}
	}
	if r.Score < 0 && d.inside != nil {
		if taken, err := d.within(t, r); taken || err != nil {
			return taken, err
		}
	}
	if r.Score >= 0 && r.Flags == abi.FlagOpen {
		return true, d.partial(t, r)
	}
	return false, nil
}

// cut cuts the pairs of tasks that are cut after a pass in an adaptive band.
func (d *decoder) cut(tasks []passes.Task) {
	d.cuts = d.cuts[:0]
	if d.band.Band == 0 {
		return
	}
	for i := range tasks {
		if most, ok := d.policy.MayCut(&tasks[i], &d.results[i], d.band); ok {
			d.cuts = append(d.cuts, cutting{index: tasks[i].Index, most: most})
		}
	}
	d.assembler.cutters.cut(d.load.call.batch.Pairs, d.cuts)
}

// pieces notes what a pass of a pair that has been cut has found. again tells that it was another
// one with a higher bound.
func (d *decoder) pieces(t *passes.Task, r *abi.Result, again bool, cut *cutting) error {
	if r.Score < 0 || r.Flags != 0 {
		return nil
	}
	cut.rival = rival{int(r.Score), d.policy.Counter(t.Kernel), again}
	return d.finish(t, r)
}

// aheadResults is the prefetch distance of alignments, in tasks.
const aheadResults = 8

// prefetch prefetches the source and the destination of the alignment of the task at
// some place of the part, and the result of a later task. Alignments are in no order in
// memory.
func (d *decoder) prefetch(at int, t, later *passes.Task) {
	if r := &d.results[at]; int(r.Cigar) < len(d.cigars) {
		out := d.out[t.Index].CIGAR
		pack.Prefetch(unsafe.Pointer(&d.cigars[r.Cigar]), unsafe.Pointer(unsafe.SliceData(out)), unsafe.Pointer(&d.out[later.Index]))
	}
}

// within gives an unaligned task of a gated pass to the insider, or reports that it is none for that: one with
// open parts, whose place is known, or with a large matrix and few errors, or of which no band is
// enough.
func (d *decoder) within(t *passes.Task, r *abi.Result) (taken bool, err error) {
	pattern, text := int(t.Pattern), int(t.Text)
	pair := insidePair{index: t.Index}
	switch {
	case r.Flags == abi.FlagOpen:
		begin, end := int(r.Cigar), int(r.CigarLength)
		if begin >= end || end > text {
			return false, fmt.Errorf("internal error: letters %d to %d of a text of %d from the GPU", begin, end, text)
		}
		pair.found, pair.Middle = true, align.Place{PatternEnd: pattern, TextBegin: begin, TextEnd: end}
		if !d.scoreOnly {
			pair.Place = pair.Middle
		}
	case r.Flags == 0 && d.policy.GoesOnGated(t, int(r.Cigar)):
		return false, nil
	case r.Flags == 0 && pattern*text >= d.inside.least:
		pair.few = d.policy.Few(int(r.Cigar), max(pattern, text))
		if !pair.few && d.policy.TakesBound(pattern, text) {
			return false, nil
		}
		d.seen.Failed(int(t.Class))
	default:
		return false, nil
	}
	d.apart = append(d.apart, pair)
	return true, nil
}

// following returns a task for the next pass of t.
func following(t *passes.Task) passes.Task {
	next := *t
	next.Passes = min(t.Passes+1, 2)
	return next
}

// another gives an unaligned task to another pass or to another engine, or reports that
// its score is above the limit.
func (d *decoder) another(t *passes.Task, r *abi.Result) (beyond bool, err error) {
	next := following(t)
	upper := kernel.Bound{Score: int(r.Cigar)}
	if d.slacks {
		upper.Slack = int(r.CigarLength)
	}
	widened, err := d.policy.Next(&next, r.Flags, upper, d.rates, d.maxBounds)
	if from, ok := d.policy.PassFor(t); ok && r.Score < 0 && upper.Slack > 0 {
		failed := err != nil || d.policy.FailedFor(t, &next, d.maxBounds)
		d.seen.SlackPass(from, int(t.Bound), int(t.Pattern), int(t.Class), failed)
	}
	if d.policy.AfterProbe(t) {
		d.seen.ProbedPass(int(t.Class), true)
	}
	if d.gated && !d.policy.Gates(next.Kernel) {
		d.seen.Failed(int(t.Class))
	}
	if widened { // no piece, which has no band
		d.stats.Widened++
	}
	switch err {
	case nil, passes.ErrMemory:
		d.choose(&next, err)
		return false, nil
	case passes.ErrBeyond:
		d.beyond(t)
		return true, nil
	}
	return false, err
}
