package seqio

import (
	"bytes"
	"fmt"

	"wfagpu/align"
	"wfagpu/io/internal/letters"
)

// hitJob is a batch of hits on its way to pairs. One goroutine adds hits, with the queries
// that it has come by; another one then reads the rest and makes the pairs.
type hitJob struct {
	raw   []byte // names, letters and quality values
	hits  []jobHit
	bases int
	bytes int64
	notes []error
	buf   []byte
	pairs []align.Pair
	// origins are as long as pairs.
	origins []align.Origin
	err     error // follows the last pair
	done    chan struct{}
	work    jobStorage
}

// jobStorage is used again by the next batch.
type jobStorage struct {
	sequence, record, joined []byte
	sum                      byte // of bytes that have been touched
}

// jobHit is one hit of a job.
type jobHit struct {
	// name, letters and qualities are in raw. The letters are those of the place or, with
	// qualities, all of the query; there are none of either if query is not -1.
	name, letters, qualities span
	query                    int64 // its number in the table, or -1
	file                     *reference
	target                   *indexed // of file
	from, to                 int64    // in the target, with its flanks
	queryLength, start, end  int64
	reverse                  bool
	secondary, supplementary bool
	mapQ                     uint8
	line, number             int64 // of the hit, for errors
}

// span is a part of a slice that may move; none has begin -1.
type span struct{ begin, end int }

func (s span) of(buf []byte) []byte {
	if s.begin < 0 {
		return nil
	}
	return buf[s.begin:s.end:s.end]
}

var noSpan = span{-1, -1}

// put appends bytes to raw.
func (j *hitJob) put(text []byte) span {
	begin := len(j.raw)
	j.raw = append(j.raw, text...)
	return span{begin, len(j.raw)}
}

func (j *hitJob) reset() {
	j.raw, j.hits, j.notes, j.bases, j.bytes, j.err = j.raw[:0], j.hits[:0], nil, 0, 0, nil
	j.buf, j.pairs, j.origins = j.buf[:0], j.pairs[:0], j.origins[:0]
}

// complete makes the pairs, up to the first hit of which this is not possible.
func (j *hitJob) complete(p *hitPairs) {
	j.reserve(p.qualities)
	i := 0
	fail := func(err error) {
		j.err = &ParseError{p.hits.src.name, j.hits[i].line, j.hits[i].number, err}
	}
	defer recoverFault(func() { fail(j.hits[i].file.differs(j.hits[i].target)) })
	for i = range j.hits {
		if i%touched == 0 {
			j.touch(j.hits[i:min(i+touched, len(j.hits))])
		}
		if err := j.pair(p, &j.hits[i]); err != nil {
			fail(err)
			return
		}
	}
}

// touched is how many hits touch looks at.
const touched = 16

// touch reads a byte of each cache line of the hits' targets, of the first ones: loads that do
// not wait for each other take the time of one where the reference is larger than all caches.
func (j *hitJob) touch(hits []jobHit) {
	const line, most = 64, 8
	defer recoverFault(func() {}) // the pair's own reading finds it again
	for i := range hits {
		h := &hits[i]
		text := h.file.mapped
		if text == nil || h.from == h.to {
			continue
		}
		at := h.target.at(h.from)
		end := min(at+(h.to-h.from)+line, at+most*line, int64(len(text)))
		for ; at < end; at += line {
			j.work.sum += text[at]
		}
	}
}

// reserve allocates buf at once: the pairs' slices point into it.
func (j *hitJob) reserve(qualities bool) {
	size := j.bases
	for i := range j.hits {
		h := &j.hits[i]
		size += h.name.end - h.name.begin + len(h.target.name)
		if qualities {
			size += 2 * int(h.queryLength)
		}
	}
	if cap(j.buf) < size {
		j.buf = make([]byte, 0, size)
	}
}

// pair appends the pair of a hit.
func (j *hitJob) pair(p *hitPairs, h *jobHit) error {
	query := record{letters: h.letters.of(j.raw), qualities: h.qualities.of(j.raw)}
	at := h.start // of the place in query.letters
	if h.query < 0 && !p.qualities {
		at = 0
	}
	if h.query >= 0 {
		var err error
		query, j.work.record, j.work.joined, err = p.queries.table.read(h.query, j.work.record, j.work.joined)
		if err != nil {
			return err
		}
		if err := p.queries.fits(h, query, j.raw); err != nil {
			return err
		}
	}
	if i := badQuality(query.qualities); p.qualities && i >= 0 {
		return fmt.Errorf("the query %.80q: position %d: %s is no quality value", h.name.of(j.raw), i+1, showByte(query.qualities[i]))
	}
	o := align.Origin{
		QueryLength: int(h.queryLength), QueryStart: int(h.start), Reverse: h.reverse,
		TargetLength: int(h.target.length), TargetStart: int(h.from),
		Secondary: h.secondary, Supplementary: h.supplementary, MapQ: h.mapQ, Line: h.line,
	}
	pair := align.Pair{PatternName: j.keep(h.name.of(j.raw)), TextName: j.keep([]byte(h.target.name))}
	n := h.end - h.start
	if p.qualities {
		o.Query = j.directed(query.letters, h.reverse)
		lead := at
		if h.reverse {
			lead = int64(len(o.Query)) - at - n
		}
		pair.Pattern = o.Query[lead : lead+n : lead+n]
		if query.qualities != nil {
			begin := len(j.buf)
			if h.reverse {
				j.buf = letters.AppendReverse(j.buf, query.qualities)
			} else {
				j.buf = append(j.buf, query.qualities...)
			}
			o.Qualities = j.buf[begin:len(j.buf):len(j.buf)]
		}
	} else {
		pair.Pattern = j.directed(query.letters[at:at+n], h.reverse)
	}
	begin := len(j.buf)
	var err error
	if j.buf, j.work.sequence, err = h.file.fetch(j.buf, h.target, h.from, h.to, j.work.sequence); err != nil {
		return err
	}
	pair.Text = j.buf[begin:len(j.buf):len(j.buf)]
	j.pairs = append(j.pairs, pair)
	j.origins = append(j.origins, o)
	return nil
}

// fits refuses a record of the table that is not the hit's query.
func (q *hitQueries) fits(h *jobHit, query record, raw []byte) error {
	name := h.name.of(raw)
	if !bytes.Equal(query.name, name) && !bytes.Equal(query.name, plainName(name)) {
		return q.missing(name)
	}
	if n := int64(len(query.letters)); n != h.queryLength {
		return lengthDiffers(name, n, h.queryLength, q.table.place(h.query))
	}
	return nil
}

// keep copies bytes to buf.
func (j *hitJob) keep(text []byte) []byte {
	begin := len(j.buf)
	j.buf = append(j.buf, text...)
	return j.buf[begin:len(j.buf):len(j.buf)]
}

// directed copies a sequence to buf, or its reverse complement.
func (j *hitJob) directed(sequence []byte, reverse bool) []byte {
	begin := len(j.buf)
	if reverse {
		j.buf = letters.AppendReverseComplement(j.buf, sequence)
	} else {
		j.buf = append(j.buf, sequence...)
	}
	return j.buf[begin:len(j.buf):len(j.buf)]
}
