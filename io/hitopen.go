package seqio

import "math"

// startHits opens hits, and the targets they name.
func (r *Reader) startHits(hits *source, queries, targets []*source) error {
	if err := hits.startHits(); err != nil {
		return err
	}
	cached := r.in.ReferenceCache
	if cached <= 0 {
		cached = DefaultReferenceCache
	}
	p := &hitPairs{
		hits:      newPAFReader(hits),
		limits:    r.limits,
		flank:     int64(min(max(r.in.Flank, 0), math.MaxInt32)),
		extend:    int64(min(max(r.in.Extend, 0), math.MaxInt32)),
		qualities: r.in.Qualities,
		note:      r.note,
		stop:      make(chan struct{}),
	}
	var err error
	if r.done, err = p.hits.cutHits(r.in.Shard, r.in.Qualities); err != nil {
		return err
	}
	if p.targets, err = openTargets(targets, cached, r.note); err != nil {
		return err
	}
	p.queries = newHitQueries(queries, p.stop, &p.running)
	p.start()
	r.pairs = p
	return nil
}

// note passes on what is odd.
func (r *Reader) note(err error) {
	if r.in.Note != nil {
		r.in.Note(err)
	}
}

// hitTargets calls visit with the targets of a reference, by its index if it has one.
func hitTargets(in Inputs, visit TargetVisitor) error {
	note := in.Note
	if note == nil {
		note = func(error) {}
	}
	for _, path := range in.Target {
		x, err := targetIndex(path, note)
		if err != nil {
			return nil // a fault
		}
		if x == nil {
			err = eachFile([]string{path}, &targetGroup{visit: visit})
		} else {
			err = x.each(&targetGroup{file: path, visit: visit})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// targetIndex returns the index of a file, nil if it is to be read whole.
func targetIndex(path string, note func(error)) (*textIndex, error) {
	src, err := openSource(path, nil)
	if err != nil {
		return nil, err
	}
	defer closeSource(src)
	r, _, err := indexReference(src, 1, note)
	if r == nil || err != nil {
		return nil, err
	}
	r.release()
	return r.index, nil
}

// each has the targets of an index visited.
func (x *textIndex) each(g *targetGroup) error {
	for i := range x.all {
		s := &x.all[i]
		if err := g.add(Target{Name: []byte(s.name), Length: int(s.length)}, recordLine{record: int64(i + 1)}); err != nil {
			return err
		}
	}
	return g.flush()
}
