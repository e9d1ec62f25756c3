package seqio

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"sync"

	"wfagpu/align"
)

// hitPairs makes pairs of hits, their queries and their targets:
//
//	hits, queries -> join -> several complete -> fill
//
// join reads hits and, as long as they are in the order of the queries, the queries beside
// them. What is read by its place, targets and then queries, complete reads.
type hitPairs struct {
	hits      *pafReader
	targets   references
	queries   *hitQueries
	limits    Limits
	flank     int64
	extend    int64
	qualities bool // origins have the whole queries, with their qualities

	// waiting is a hit that did not fit into the last job.
	waiting *blockHit
	held    heldQuery

	free, todo, order chan *hitJob
	note              func(error)
	stop              chan struct{}
	running           sync.WaitGroup
}

// heldQuery is the query whose letters were put into a job last.
type heldQuery struct {
	job                *hitJob
	place              recordPlace
	letters, qualities span
}

// start starts the goroutines.
func (p *hitPairs) start() {
	workers := min(runtime.GOMAXPROCS(0), maxBlockReaders)
	jobs := workers + 2 // one being filled, one being taken
	p.free, p.todo, p.order = make(chan *hitJob, jobs), make(chan *hitJob, jobs), make(chan *hitJob, jobs)
	for range jobs {
		p.free <- &hitJob{done: make(chan struct{}, 1)}
	}
	p.hits.start(p.targets, p.stop, &p.running)
	p.running.Go(p.join)
	for range workers {
		p.running.Go(p.completeAll)
	}
}

func (p *hitPairs) halt() { close(p.stop) }

func (p *hitPairs) wait() {
	p.running.Wait()
	if p.queries.table != nil {
		p.queries.table.close()
	}
	p.targets.release()
}

// fill takes the next job. An error is that of the first hit that has one.
func (p *hitPairs) fill(b *align.Batch) error {
	for {
		j := <-p.order
		<-j.done
		for _, note := range j.notes {
			p.note(note)
		}
		b.Pairs, j.pairs = j.pairs, b.Pairs
		b.Origins, j.origins = j.origins, b.Origins
		b.Buf, j.buf = j.buf, b.Buf
		err := j.err
		p.free <- j
		if err != nil || len(b.Pairs) > 0 {
			return err
		}
	}
}

func (p *hitPairs) completeAll() {
	debug.SetPanicOnFault(true)
	for {
		select {
		case j, ok := <-p.todo:
			if !ok {
				return
			}
			j.complete(p)
			j.done <- struct{}{}
		case <-p.stop:
			return
		}
	}
}

// join makes jobs up to the end of the hits, or an error.
func (p *hitPairs) join() {
	defer close(p.todo)
	for {
		var j *hitJob
		select {
		case j = <-p.free:
		case <-p.stop:
			return
		}
		j.reset()
		j.err = p.joinSome(j)
		last := j.err != nil // complete may set it, too
		p.order <- j         // these have room for all jobs
		p.todo <- j
		if last {
			return
		}
	}
}

// joinSome fills a job.
func (p *hitPairs) joinSome(j *hitJob) error {
	p.queries.note = func(err error) { j.notes = append(j.notes, err) }
	for {
		h := p.waiting
		if h == nil {
			next, paused, err := p.hits.next(len(j.hits) > 0)
			if paused {
				return nil
			}
			if err == io.EOF {
				return p.end(j)
			}
			if err != nil {
				return err
			}
			h = next
		}
		p.waiting = h
		full, err := p.add(j, h)
		if err != nil {
			return p.hits.fail(err)
		}
		if full {
			return nil
		}
		p.waiting = nil
	}
}

// end is the error at the end of the hits.
func (p *hitPairs) end(j *hitJob) error {
	if n := p.hits.unmapped; n > 0 {
		j.notes = append(j.notes, fmt.Errorf("%s: %s without a place in a target", p.hits.src.name, count(n, "query")))
	}
	p.queries.end()
	return io.EOF
}

// add adds a hit to a job, unless it is full.
func (p *hitPairs) add(j *hitJob, h *blockHit) (full bool, err error) {
	if h.target == nil {
		if h.file, h.target, err = p.targets.sequence(h.hit.target); err != nil {
			return false, err
		}
	}
	if h.target.length != h.targetLength {
		return false, fmt.Errorf("the target %.80q has %s by its hit, and %d in %s", h.hit.target, count(h.targetLength, "letter"), h.target.length, h.file.file)
	}
	place := h.extended(p.extend, p.flank)
	size := place.end - place.start + place.to - place.from
	if size > math.MaxInt32 || h.queryLength > math.MaxInt32 {
		return false, fmt.Errorf("a pair of %d letters, or its query of %d, is too long", size, h.queryLength)
	}
	bytes := size
	if p.qualities {
		bytes += 2 * h.queryLength
	}
	if n := len(j.hits); n >= p.limits.Pairs || n > 0 && (int64(j.bases)+size > int64(p.limits.Bases) || j.bytes+bytes > wholeFactor*int64(p.limits.Bases)) {
		return true, nil
	}
	if err := p.queries.find(h.query); err != nil {
		return false, err
	}
	hit := jobHit{
		name: j.put(h.query), file: h.file, target: h.target, from: place.from, to: place.to,
		queryLength: h.queryLength, start: place.start, end: place.end,
		reverse: h.reverse, mapQ: h.mapQ, secondary: h.secondary(),
		line: p.hits.line, number: p.hits.record, query: -1,
	}
	hit.supplementary = !hit.secondary && (!p.queries.primary() || p.hits.primaryBefore(h.query))
	if p.queries.table != nil {
		hit.query = p.queries.found
	} else if err := p.put(j, &hit); err != nil {
		return false, err
	}
	j.hits = append(j.hits, hit)
	j.bases += int(size)
	j.bytes += bytes
	return false, nil
}

// wholeFactor bounds the bytes of whole queries in a batch, as a multiple of its bases.
const wholeFactor = 4

// put puts what the hit needs of the stream's query into the job.
func (p *hitPairs) put(j *hitJob, h *jobHit) error {
	q := p.queries
	if n := int64(len(q.cur.letters)); n != h.queryLength {
		return lengthDiffers(h.name.of(j.raw), n, h.queryLength, showRecord(q.place.number, q.files[q.place.file]))
	}
	if !p.qualities {
		h.letters, h.qualities = j.put(q.cur.letters[h.start:h.end]), noSpan
		return nil
	}
	if p.held.job != j || p.held.place != q.place || len(j.hits) == 0 {
		p.held = heldQuery{j, q.place, j.put(q.cur.letters), noSpan}
		if q.cur.qualities != nil {
			p.held.qualities = j.put(q.cur.qualities)
		}
	}
	h.letters, h.qualities = p.held.letters, p.held.qualities
	return nil
}
