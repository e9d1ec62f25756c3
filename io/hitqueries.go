package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// hitQueries finds the queries of hits: in their files' order as long as the hits have it,
// and by name from then on. It is for one goroutine.
type hitQueries struct {
	files  []*source
	stream *queryStream
	table  *recordTable // nil while stream is read
	note   func(error)

	cur   record // of stream
	place recordPlace
	valid bool
	named bool // a hit has just its name: the next record has another one
	mate  int  // how many records in a row have the name, /1 and /2 aside
	last  []byte
	// found is the number in table of the query that has been found last.
	found   int64
	scratch []int64
	seen    [][]uint64 // of each file, a bit for each query with a primary hit
}

func newHitQueries(files []*source, stop <-chan struct{}, wg *sync.WaitGroup) *hitQueries {
	return &hitQueries{files: files, stream: newQueryStream(files, stop, wg)}
}

// find goes to the query of a name.
func (q *hitQueries) find(name []byte) error {
	if q.table == nil {
		err := q.follow(name)
		if err != io.EOF {
			return err
		}
		if err := q.index(name); err != nil {
			return err
		}
	}
	found, err := q.table.find(name, &q.scratch)
	if err == errNoName {
		return q.missing(name)
	}
	if err != nil {
		if _, ok := errors.AsType[*twoRecords](err); ok {
			err = fmt.Errorf("the query %.80q: %w", name, err)
		}
		return err
	}
	f := q.table.fileNumber(found)
	q.found, q.place = found, recordPlace{f, found - q.table.files[f].first}
	return nil
}

func (q *hitQueries) missing(name []byte) error {
	return fmt.Errorf("the query %.80q is not in %s", name, fileList(q.files))
}

func fileList(files []*source) string {
	var names []string
	for _, src := range files {
		names = append(names, src.name)
	}
	return strings.Join(names, ", ")
}

// follow reads queries up to that of a name.
func (q *hitQueries) follow(name []byte) error {
	for !q.valid || !q.matches(name) {
		if err := q.advance(); err != nil {
			return err
		}
	}
	if q.named || !bytes.Equal(name, q.cur.name) {
		return nil
	}
	q.named = true
	next, err := q.stream.peekName()
	if err == nil && bytes.Equal(name, next) {
		return fmt.Errorf("the query %.80q: two records in a row have that name, %s and the next one", name, showRecord(q.place.number, q.files[q.place.file]))
	}
	return nil // an error comes again
}

// matches reports whether the current query is that of a hit. A mapper of read pairs adds
// /1 and /2 to their names.
func (q *hitQueries) matches(name []byte) bool {
	if bytes.Equal(name, q.cur.name) {
		return true
	}
	n := len(q.cur.name)
	return len(name) == n+2 && name[n] == '/' && int(name[n+1]-'0') == q.mate && bytes.Equal(name[:n], q.cur.name)
}

// advance goes to the next query.
func (q *hitQueries) advance() error {
	q.last = append(q.last[:0], q.cur.name...)
	r, err := q.stream.next()
	if err != nil {
		return err
	}
	if q.valid && bytes.Equal(plainName(q.last), plainName(r.name)) {
		q.mate++
	} else {
		q.mate = 1
	}
	q.cur, q.place, q.valid, q.named = r, q.stream.at, true, false
	return nil
}

// index makes the table of all queries, for a hit whose query did not follow.
func (q *hitQueries) index(name []byte) error {
	for _, src := range q.files {
		if src.disk == nil {
			return fmt.Errorf("%w behind the queries of the hits before: write %s to a file if the hits are not in its order", q.missing(name), src.name)
		}
	}
	table := newRecordTable()
	for _, src := range q.files {
		if err := table.addSource(src); err != nil {
			table.close()
			return err
		}
	}
	q.table = table
	q.note(fmt.Errorf("the hits are not in the order of %s: queries are found by name from %.80q on, with a table of %s in %d MB",
		fileList(q.files), name, count(int64(len(table.starts)), "record"), table.bytes()/1e6))
	return nil
}

// end is called behind the last hit. It reads pipes to their end, so that who writes to
// them does not fail.
func (q *hitQueries) end() {
	if q.table != nil || !slices.ContainsFunc(q.files, func(src *source) bool { return src.pipe != nil }) {
		return
	}
	for {
		if _, err := q.stream.next(); err != nil {
			return // no hit needs what is malformed
		}
	}
}

// primary reports whether the query that has been found has not had a primary hit, and
// notes that it has one.
func (q *hitQueries) primary() bool {
	for len(q.seen) <= q.place.file {
		q.seen = append(q.seen, nil)
	}
	seen := &q.seen[q.place.file]
	word, bit := int(q.place.number/64), uint64(1)<<(q.place.number%64)
	for len(*seen) <= word {
		*seen = append(*seen, 0)
	}
	first := (*seen)[word]&bit == 0
	(*seen)[word] |= bit
	return first
}

// lengthDiffers is the error of a query that has not the length that its hit says.
func lengthDiffers(name []byte, length, want int64, where string) error {
	return fmt.Errorf("the query %.80q has %s by its hit, and %d as %s", name, count(want, "letter"), length, where)
}
