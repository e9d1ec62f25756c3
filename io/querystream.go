package seqio

import (
	"bytes"
	"io"
	"sync"
)

// queryStream is the queries of hits, one file behind the other or, of two files of mates,
// in turn, as a mapper of read pairs takes them.
type queryStream struct {
	streams []*recordStream
	turn    int
	mates   bool
	looked  bool
	ended   [2]bool
	at      recordPlace // of the record that next has returned last
}

// next returns the next record, or io.EOF. Its slices are valid until the next call of next.
func (q *queryStream) next() (record, error) {
	if _, err := q.peekName(); err != nil {
		return record{}, err
	}
	s := q.streams[q.turn]
	r, err := s.next()
	if err != nil {
		return record{}, err
	}
	q.at = s.at
	if other := 1 - q.turn; q.mates && !q.ended[other] {
		q.turn = other
	}
	return r, nil
}

// peekName returns the name of the next record, or io.EOF.
func (q *queryStream) peekName() ([]byte, error) {
	if !q.looked {
		if err := q.look(); err != nil {
			return nil, err
		}
	}
	for {
		name, err := q.streams[q.turn].peekName()
		other := (q.turn + 1) % len(q.streams)
		if err != io.EOF || other == q.turn || q.ended[other] {
			return name, err
		}
		q.ended[q.turn] = true
		q.turn = other
	}
}

// look finds out whether two files have mates: the names of their first records agree.
func (q *queryStream) look() error {
	q.looked = true
	if len(q.streams) != 2 {
		return nil
	}
	a, err := q.streams[0].peekName()
	if err != nil && err != io.EOF {
		return err
	}
	b, err := q.streams[1].peekName()
	if err != nil && err != io.EOF {
		return err
	}
	q.mates = len(a) > 0 && bytes.Equal(plainName(a), plainName(b))
	return nil
}

// peekName returns the name of the next record, or io.EOF. The slices of the record before
// stay valid.
func (s *recordStream) peekName() ([]byte, error) {
	if err := s.await(); err != nil {
		return nil, err
	}
	return s.cur.records[s.used].name, nil
}

// newQueryStream starts reading files; wg covers its goroutines.
func newQueryStream(files []*source, stop <-chan struct{}, wg *sync.WaitGroup) *queryStream {
	if len(files) != 2 {
		return &queryStream{streams: []*recordStream{startRecords(files, 0, stop, wg)}}
	}
	return &queryStream{streams: []*recordStream{
		startRecords(files[:1], 0, stop, wg),
		startRecords(files[1:], 1, stop, wg),
	}}
}
