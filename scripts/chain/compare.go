package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"wfagpu/io/formattest"
)

// result is what the chain does with a set.
type result struct {
	*sample
	judgement
	faults
	spent   times
	checked [2]int // records that samtools calmd computes NM and MD of: pairs, hits
	lines   int    // of bcftools mpileup
}

// compare runs the commands on a set and compares what they write.
func compare(ctx context.Context, t *tools, s *sample, o options) (*result, error) {
	r := &result{sample: s}
	if err := s.write(t.dir); err != nil {
		return nil, err
	}
	var err error
	if r.spent, err = t.mapReads(ctx, s, o.rounds); err != nil {
		return nil, err
	}
	if err := t.alignMore(ctx, s, o.longest); err != nil {
		return nil, err
	}
	if r.lines, err = t.pile(ctx, s); err != nil {
		return nil, err
	}
	if r.checked[0], err = t.calmd(ctx, "pairs.sam", "targets.fa", &r.faults); err != nil {
		return nil, err
	}
	if r.checked[1], err = t.calmd(ctx, "chain.bam", "ref.fa", &r.faults); err != nil {
		return nil, err
	}
	if err := r.replayPairs(t); err != nil {
		return nil, err
	}
	return r, r.replayHits(t)
}

// wrong reports whether a score is worse than minimap2's, or a record is wrong.
func (r *result) wrong() bool {
	return r.faults.n > 0 || r.chain.worse+r.same.worse+r.wide.worse > 0
}

// log writes what is wrong, and what the tables leave out.
func (r *result) log(w io.Writer) {
	fmt.Fprintf(w, "%s: minimap2's AS is that of the replay in %d of %d records; reads without a hit: %d; hits without a record: %d; whole reads elsewhere: %d\n",
		r.name, r.ownScores, r.mapped, r.lost, r.extra, r.elsewhere)
	for _, c := range []*tally{&r.chain, &r.same, &r.wide} {
		if c.first != "" {
			fmt.Fprintf(w, "%s: worse: %s\n", r.name, c.first)
		}
	}
	for _, f := range r.some {
		fmt.Fprintf(w, "%s: %s\n", r.name, f)
	}
}

// replayPairs replays the alignments of the pairs of the set.
func (r *result) replayPairs(t *tools) error {
	var sources []source
	for i, p := range r.pairs {
		name := strconv.Itoa(i + 1)
		sources = append(sources, source{p[0], p[1], true, &formattest.PAF{
			Query: name, Target: name, QueryEnd: len(p[0]), TargetEnd: len(p[1]), MapQ: 255,
		}, penalty})
	}
	sam, err := t.readSAM("pairs.sam")
	if err != nil {
		return err
	}
	paf, err := t.readPAF("pairs.paf")
	if err != nil {
		return err
	}
	r.replaySAM("pairs.sam", sam.Records, sources)
	r.replayPAF("pairs.paf", paf, sam.Records, sources)
	return nil
}

// sources are those of hits: the whole of each, or any part with a wider target.
func (r *result) sources(hits []*formattest.PAF, whole bool, flank int) ([]source, error) {
	var sources []source
	for _, h := range hits {
		i, known := r.number[h.Query]
		target, knownToo := r.genome[h.Target]
		if !known || !knownToo {
			return nil, fmt.Errorf("a hit of %s in %s, which are not there", h.Query, h.Target)
		}
		h.TargetStart, h.TargetEnd = max(0, h.TargetStart-flank), min(h.TargetLength, h.TargetEnd+flank)
		sources = append(sources, source{r.reads[i].letters, target, whole, h, r.kind.scheme.similarity})
	}
	return sources, nil
}

// replayed reads the records of hits and replays them.
func (r *result) replayed(t *tools, name string, hits []*formattest.PAF, whole bool, flank int) (*formattest.SAM, []source, error) {
	sources, err := r.sources(hits, whole, flank)
	if err != nil {
		return nil, nil, err
	}
	sam, err := t.readSAM(name)
	if err == nil {
		r.replaySAM(name, sam.Records, sources)
	}
	return sam, sources, err
}

// replayHits replays the alignments of hits and compares them with those of minimap2.
func (r *result) replayHits(t *tools) error {
	files := map[string][]*formattest.PAF{"hits.paf": nil, "mapped.paf": nil, "wide.paf": nil, "chain.paf": nil}
	for name := range files {
		var err error
		if files[name], err = t.readPAF(name); err != nil {
			return err
		}
	}
	theirs, err := t.readSAM("mapped.sam")
	if err != nil {
		return err
	}
	mapped, err := r.alignments(theirs.Records)
	if err != nil {
		return err
	}
	theirs.Records = slices.DeleteFunc(theirs.Records, func(r *formattest.Record) bool { return !r.Mapped() })
	for i, a := range mapped {
		if n, _ := a.score(r.kind.scheme); theirs.Records[i].Tags["AS:i"] == strconv.Itoa(n) {
			r.ownScores++
		}
	}

	sam, sources, err := r.replayed(t, "chain.sam", files["hits.paf"], true, 0)
	if err != nil {
		return err
	}
	r.replayPAF("chain.paf", files["chain.paf"], sam.Records, sources)
	ours, err := r.alignments(sam.Records)
	if err != nil {
		return err
	}
	r.join(r.kind.scheme, ours, mapped)

	if err := r.judgeSame(t, files["mapped.paf"]); err != nil {
		return err
	}

	if sam, _, err = r.replayed(t, "wide.sam", files["wide.paf"], false, flank); err != nil {
		return err
	}
	wide, err := r.alignments(sam.Records)
	if err != nil {
		return err
	}
	parts := map[string]part{}
	for _, h := range files["wide.paf"] { // widened by now
		r.whole += h.QueryLength
		parts[h.Query] = part{h.Target, h.Reverse, h.TargetStart, h.TargetEnd}
	}
	r.widened(r.kind.scheme, wide, mapped, parts)
	r.aligned = [3]int{letters(ours), letters(wide), letters(mapped)}
	return nil
}

// judgeSame compares alignments of the places of minimap2's own ones, line by line.
func (r *result) judgeSame(t *tools, lines []*formattest.PAF) error {
	sam, _, err := r.replayed(t, "same.sam", lines, true, 0)
	if err != nil {
		return err
	}
	if len(sam.Records) != len(lines) {
		return nil // which replaySAM has found
	}
	for i, line := range lines {
		if !sam.Records[i].Mapped() {
			continue // which it has found, too
		}
		theirs, err := r.fromPAF(line)
		if err != nil {
			return err
		}
		ours, err := r.fromSAM(sam.Records[i])
		if err != nil {
			return err
		}
		r.same.add(r.kind.scheme, ours, theirs)
	}
	return nil
}
