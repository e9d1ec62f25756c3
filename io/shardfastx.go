package seqio

import "io"

// A part of a query and a target file. The query file is cut by bytes. How many
// records stand before the cut is known once they have been framed, from the last
// mark of an index on or else from the first record; so many the target file skips.
// Both count at the same time. Framing, and not a search for headers, finds
// the cut, so that a quality line that looks like a header misleads nobody.

// recordCut cuts one of the two files.
type recordCut struct {
	shard Shard
	query bool
	// counts tells the target file how many records it skips at least, as a number
	// that grows. It is closed after the last of them, which is exact.
	counts chan int64
}

// countStep is after how many records of the query file the target file hears of
// them.
const countStep = 1 << 10

// cutRecords returns the cuts of the query and of the target file, nil for all of
// them.
func cutRecords(shard Shard) (query, target *recordCut) {
	if shard.whole() {
		return nil, nil
	}
	counts := make(chan int64, 16)
	return &recordCut{shard, true, counts}, &recordCut{shard, false, counts}
}

// open is the method of ahead: it reads up to the first record of the shard.
func (c *recordCut) open(a *ahead) error {
	if c.query {
		defer close(c.counts)
	} else {
		defer func() {
			for range c.counts { // the query does not wait for a file that failed
			}
		}()
	}
	if err := a.src.startShard(); err != nil {
		return err
	}
	index, err := openIndex(a.src)
	if err != nil {
		return err
	}
	var f *framer
	if c.query {
		f, err = c.cutQuery(a.src, index)
	} else {
		f, err = c.cutTarget(a.src, index)
	}
	if err != nil {
		return err
	}
	a.before = f.record
	if record, _ := f.peek(); len(record) > 0 {
		a.before = f.record - 1
	}
	if a.before == f.record && !f.finished() {
		return f.err
	}
	a.file = &fastxFile{framer: f, fasta: f.fasta, records: a.before}
	a.src.own = &ownBytes{before: a.src.raw.n.Load(), size: c.size(a.src)}
	return nil
}

// ownBytes are those of a file of which a shard needs only a part: about how many, and how
// many have been read before them.
type ownBytes struct{ before, size int64 }

// size is the size of the shard's part of a file, for the target file a guess.
func (c *recordCut) size(src *source) int64 {
	from, to := c.shard.cuts(src.size)
	return to - from
}

func (c *recordCut) cutQuery(src *source, index *index) (*framer, error) {
	from, to := c.shard.cuts(src.size)
	f, err := newFramerAt(src, index, index.before(from))
	if err != nil {
		return nil, err
	}
	if !c.shard.last() {
		f.end = to
	}
	c.counts <- f.record
	for f.peekedBefore(from) {
		f.drop()
		if f.record%countStep == 0 {
			c.counts <- f.record
		}
	}
	before := f.record
	if f.given < f.framed {
		before--
	}
	c.counts <- before
	return f, nil
}

func (c *recordCut) cutTarget(src *source, index *index) (f *framer, err error) {
	for n := range c.counts {
		if f == nil {
			if f, err = newFramerAt(src, index, index.ofRecord(n)); err != nil {
				return nil, err
			}
		}
		f.skip(n)
	}
	if f == nil { // the query file has failed
		f, err = newFramerAt(src, index, mark{})
	}
	return f, err
}

// newFramerAt starts at a mark of the file's index.
func newFramerAt(src *source, index *index, m mark) (*framer, error) {
	f := emptyFramer(src)
	if m.offset == 0 {
		return f, nil
	}
	if err := index.verify(m); err != nil {
		return nil, err
	}
	if err := src.seek(m.offset); err != nil {
		return nil, src.diskError(err)
	}
	f.at, f.record, f.line = m.offset, m.records, m.lines
	return f, nil
}

// peekedBefore reports whether there is a record that starts before the offset.
func (f *framer) peekedBefore(offset int64) bool {
	record, _ := f.peek()
	return len(record) > 0 && f.at+int64(f.given) < offset
}

// skip drops records until n of the file have been, or there are no more.
func (f *framer) skip(n int64) {
	for f.record < n && f.err == nil {
		f.peek()
		f.drop()
	}
}

// finished reports whether the text has come to an end without a fault.
func (f *framer) finished() bool { return f.err == io.EOF }

// cutOff reports whether the shard, and not the file, has ended, once next has
// returned io.EOF.
func (a *ahead) cutOff() bool { return a.file != nil && a.file.framer.cut }
