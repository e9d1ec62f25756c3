package gpu

import (
	"fmt"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/pack"
)

// decoder copies results of the device to those of batches.
type decoder struct {
	followUp
	seen observations

	// Of the part of the launch that is decoded, without indirection.
	results   []abi.Result
	cigars    []uint32 // elements of all alignments
	out       []align.Result
	scoreOnly bool
	bounds    bool               // the scores are bounds of exact passes
	band      align.AdaptiveBand // of the approximate mode, none in others
}

// decode copies the results of a launch to its batches.
func (d *decoder) decode(l *launch, results []abi.Result, cigars []uint32) error {
	d.cigars, d.scoreOnly, d.bounds = cigars, l.room == 0, d.policy.bounds(l.key.kernel)
	d.band = align.AdaptiveBand{}
	if d.policy.approx != nil {
		d.band = d.policy.kernels.Kernels[l.key.kernel].Band()
	}
	for i := range l.parts {
		part := &l.parts[i]
		d.results = results[:len(part.tasks)]
		results = results[len(part.tasks):]
		if part.load.call.ended.Load() {
			continue
		}
		d.load, d.out = part.load, part.load.call.batch.Results
		if err := d.part(l, part.tasks); err != nil {
			return err
		}
		d.end()
	}
	d.out = nil // idle storage keeps no batch in memory
	return nil
}

// part copies the results of the tasks of one load.
func (d *decoder) part(l *launch, tasks []task) error {
	var passes [4]int64
	finished, second := int64(0), int64(0)
	for i := range tasks {
		if ahead := i + aheadResults; ahead < len(tasks) && !d.scoreOnly {
			d.prefetch(ahead, &tasks[ahead], &tasks[min(ahead+2*aheadResults, len(tasks)-1)])
		}
		t, r := &tasks[i], &d.results[i]
		passes[t.passes&3]++
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
		if d.bounds {
			next := *t
			next.passes = min(t.passes+1, 2)
			d.policy.bounded(&next, int(r.Score), d.maxBounds)
			d.retry(&next)
			continue
		}
		if d.band.Band > 0 && d.policy.cutters.doubts(&d.load.call.batch.Pairs[t.index], int(r.Score), d.band) {
			d.fallBack(t, errPieces)
			continue
		}
		if err := d.finish(t, r); err != nil {
			return err
		}
		finished++
		if t.attempts > 0 && t.attempts != certain {
			second++
		}
	}
	d.stats.SecondPass += second
	d.stats.addPasses(d.policy.counter(l.key.kernel), [3]int64(passes[:3]))
	d.stats.addAligned(d.policy.counter(l.key.kernel), finished)
	return nil
}

// aheadResults is the prefetch distance of alignments, in tasks.
const aheadResults = 8

// prefetch prefetches the source and the destination of the alignment of the task at
// some place of the part, and the result of a later task. Alignments are in no order in
// memory.
func (d *decoder) prefetch(at int, t, later *task) {
	if r := &d.results[at]; int(r.Cigar) < len(d.cigars) {
		out := d.out[t.index].CIGAR
		pack.Prefetch(unsafe.Pointer(&d.cigars[r.Cigar]), unsafe.Pointer(unsafe.SliceData(out)), unsafe.Pointer(&d.out[later.index]))
	}
}

// finish copies the result of a finished task to the batch.
func (d *decoder) finish(t *task, r *abi.Result) error {
	out := &d.out[t.index]
	if d.policy.spans {
		return d.finishSpan(t, r, out)
	}
	out.Score = d.policy.model.Score(int(r.Score), int(t.pattern)+int(t.text))
	if !d.scoreOnly {
		end := uint64(r.Cigar) + uint64(r.CigarLength)
		if r.CigarLength == 0 || end > uint64(len(d.cigars)) {
			return fmt.Errorf("internal error: no alignment of %d and %d letters from the GPU", t.pattern, t.text)
		}
		elems := d.cigars[r.Cigar:end]
		out.CIGAR = append(out.CIGAR[:0], unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elems)), len(elems))...)
	}
	d.seen.add(int(r.Score), int(max(t.pattern, t.text)), int(t.class))
	return nil
}

// another gives an unaligned task to another pass or to another engine, or reports that
// its score is above the limit.
func (d *decoder) another(t *task, r *abi.Result) (beyond bool, err error) {
	next := *t
	next.passes = min(t.passes+1, 2)
	pair := &d.load.call.batch.Pairs[t.index]
	widened, err := d.policy.next(&next, pair, r.Flags, int(r.Cigar), d.rates, d.maxBounds)
	if widened {
		d.stats.Widened++
	}
	switch err {
	case nil, errMemory, errPieces:
		d.choose(&next, err)
		return false, nil
	case errBeyond:
		out := &d.out[t.index]
		out.Score, out.CIGAR = align.Beyond, out.CIGAR[:0]
		d.seen.add(d.policy.limit, int(max(t.pattern, t.text)), int(t.class)) // it costs more
		d.stats.Beyond++
		return true, nil
	}
	return false, err
}
