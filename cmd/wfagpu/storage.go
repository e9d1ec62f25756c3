package main

import (
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/cmd/wfagpu/internal/tally"
)

// buffer is one batch on its way through the pipeline, with its results.
type buffer struct {
	batch    align.Batch
	bases    int
	leave    []bool // pairs that are not written, nil without a filter
	filtered int64  // how many
	problems []pairProblem
	beyond   int64         // pairs beyond the cutoff
	empty    int64         // pairs whose alignment has no columns
	tally    *tally.Pairs  // of the batch, nil if none is wanted
	readErr  error         // ended the input after this batch
	err      error         // from the engine
	done     chan struct{} // receives once when process is through

	// charged is what the ledger counts for the buffer. measured is its storage
	// after process, and loose says that CIGARs of earlier batches are most of it.
	charged, measured int64
	loose             bool
}

// Sizes of what a batch has for each pair beside its letters and its CIGAR.
const (
	pairBytes   = int64(unsafe.Sizeof(align.Pair{}) + unsafe.Sizeof(align.Result{}))
	elemBytes   = int64(unsafe.Sizeof(cigar.Elem(0)))
	looseBytes  = 1 << 20 // of CIGARs, never too much
	looseFactor = 4
)

// guess is the storage of a batch that has been read, before it is aligned: its CIGARs
// take about a byte for each base at ten percent of errors.
func (s *buffer) guess() int64 {
	b := &s.batch
	return int64(b.Stored()) + int64(s.bases) + int64(len(b.Pairs))*pairBytes +
		int64(cap(b.Origins))*int64(unsafe.Sizeof(align.Origin{}))
}

// measure sets measured and loose. It looks at the storage that is kept for later
// batches, too.
func (s *buffer) measure() {
	b := &s.batch
	var used, kept int64
	for i := range b.Results {
		used += int64(len(b.Results[i].CIGAR)) * elemBytes
	}
	for _, r := range b.Results[:cap(b.Results)] {
		kept += int64(cap(r.CIGAR)) * elemBytes
	}
	s.loose = kept > looseFactor*used+looseBytes
	s.measured = kept + int64(b.Stored()) +
		int64(cap(b.Pairs))*int64(unsafe.Sizeof(align.Pair{})) +
		int64(cap(b.Results))*int64(unsafe.Sizeof(align.Result{})) +
		int64(cap(b.Origins))*int64(unsafe.Sizeof(align.Origin{})) +
		int64(cap(s.leave)) + int64(cap(s.problems))*int64(unsafe.Sizeof(pairProblem{}))
	if s.tally != nil {
		s.measured += s.tally.Bytes()
	}
}

// countUnaligned counts the pairs beyond the cutoff and, where results have alignments, those whose alignment has
// no columns.
func (s *buffer) countUnaligned(traced bool) {
	for i := range s.batch.Results {
		switch r := &s.batch.Results[i]; {
		case r.Err != nil:
		case r.Score == align.Beyond:
			s.beyond++
		case traced && len(r.CIGAR) == 0:
			s.empty++
		}
	}
}

// count makes the tally of the batch.
func (s *buffer) count() {
	if s.tally == nil {
		s.tally = new(tally.Pairs)
	}
	s.tally.Add(&s.batch)
}

// first returns a buffer of the first n pairs, with their counts. It leaves s as it is: the text of the
// other pairs may still be made.
func (s *buffer) first(n int) *buffer {
	b := &s.batch
	f := &buffer{batch: align.Batch{Pairs: b.Pairs[:n], Results: b.Results[:n], First: b.First}}
	f.bases = f.batch.Bases()
	if s.beyond+s.empty > 0 {
		f.countUnaligned(s.empty > 0)
	}
	if s.tally != nil {
		f.count()
	}
	for i, left := range s.leave {
		if left && i < n {
			f.filtered++
		}
	}
	for _, problem := range s.problems {
		if problem.record < b.First+int64(n) {
			f.problems = append(f.problems, problem)
		}
	}
	return f
}

// reset empties the buffer and keeps its storage, unless a giant pair has made
// it much larger than batches usually are.
func (s *buffer) reset(keepBytes int) {
	if s.batch.Stored() > keepBytes {
		s.batch = align.Batch{}
	}
	if s.loose {
		s.batch.Results = nil
	}
	s.batch.Reset()
	s.problems = s.problems[:0]
	if s.tally != nil {
		s.tally.Reset()
	}
	s.leave, s.filtered = s.leave[:0], 0
	s.bases, s.beyond, s.empty, s.readErr, s.err, s.loose = 0, 0, 0, nil, nil, false
}

// drop gives up the storage.
func (s *buffer) drop() {
	s.batch, s.leave, s.problems, s.tally, s.measured, s.loose = align.Batch{}, nil, nil, nil, 0, false
}

// ledger bounds the storage of all buffers. The goroutine that reads has it.
type ledger struct {
	most    int64 // bytes
	flying  int64 // charged to buffers in flight
	idle    int64 // and to others
	typical int64 // of a buffer, the mean of late
}

// room reports whether another buffer may go on its way.
func (l *ledger) room() bool { return l.flying+l.typical <= l.most }

// begin moves a buffer that has been read from idle to in flight. What aligning adds
// to it is not known yet.
func (l *ledger) begin(s *buffer) {
	l.idle -= s.charged
	s.charged = max(s.guess(), s.measured, l.typical)
	l.flying += s.charged
}

// end moves a buffer from in flight to idle. If there is too much storage, the
// buffer's is given up.
func (l *ledger) end(s *buffer) {
	l.flying -= s.charged
	s.charged = s.measured
	l.typical += (s.measured - l.typical) / 8
	if l.flying+l.idle+s.charged > l.most {
		s.drop()
		s.charged = 0
	}
	l.idle += s.charged
}
