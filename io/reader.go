package seqio

import (
	"errors"
	"io"

	"wfagpu/align"
)

// Limits bound a batch, which is full when the next pair would exceed either.
// One pair alone may exceed Bases: pairs are never split. Batches of a plain
// pairs file on disk may be an eighth smaller, or exceed Bases by the rest of their last pair, see Open,
// and those of a pipe that pauses have any size. Zero or less selects the default.
type Limits struct {
	Bases int // letters of queries and targets together; default 4 Mi
	Pairs int // default 32,768
}

const (
	defaultBases = 4 << 20
	defaultPairs = 1 << 15
)

func (l Limits) withDefaults() Limits {
	if l.Bases <= 0 {
		l.Bases = defaultBases
	}
	if l.Pairs <= 0 {
		l.Pairs = defaultPairs
	}
	return l
}

// storage is the size of the text of a full batch of a pairs file: the bases, and
// four bytes of markers and newlines for each pair, six with CRLF, less where
// lines are long.
func (l Limits) storage() int {
	return l.Bases + min(6*l.Pairs, l.Bases) + 1024
}

// full reports whether a batch of the given bases has no room for the pair.
func (l Limits) full(b *align.Batch, bases, pair int) bool {
	return len(b.Pairs) >= l.Pairs || len(b.Pairs) > 0 && bases+pair > l.Bases
}

// pairSource fills empty batches: with at least one pair unless it returns an
// error. Any error, io.EOF too, may come with pairs and is the last call's.
type pairSource interface {
	fill(b *align.Batch) error
	halt() // asks goroutines that read ahead to end
	wait() // returns when they have
}

// Reader yields pairs in batches, in the order of the input. Only BytesRead
// and Size may be called while another call is under way.
type Reader struct {
	sources []*source
	// sized are those whose bytes tell how far the reader is.
	sized  []*source
	limits Limits
	in     Inputs
	pairs  pairSource // nil until the input has been looked at
	done   int64      // pairs delivered
	err    error      // ends the input
	closed bool
}

// Open opens the inputs. It looks at the first bytes of files on disk, and
// content of another kind than in says is an error. ReadBatch reads from pipes and
// stdin first, as they may block for long.
//
// A plain pairs file on disk of several batches, of 256 Ki to 32 Mi bases each, is
// read by up to six goroutines, ten if it is large, and by at most GOMAXPROCS. They prefetch as many
// batches as there are goroutines, and two more.
func Open(in Inputs, stdin io.Reader, lim Limits) (*Reader, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	if err := in.checkShard(stdin); err != nil {
		return nil, err
	}
	r := &Reader{limits: lim.withDefaults(), in: in}
	var err error
	if r.sources, err = openSources(in.Files(), stdin); err != nil {
		return nil, err
	}
	r.sized = r.measured()
	if r.onDisk() {
		if err := r.start(); err != nil {
			r.Close()
			return nil, err
		}
	}
	return r, nil
}

// onDisk reports whether no input can block.
func (r *Reader) onDisk() bool {
	for _, s := range r.sources {
		if s.disk == nil {
			return false
		}
	}
	return true
}

// measured are the sources whose bytes tell how far the reader is: of hits, whose queries
// and targets need not all be read, the hits or, if they come from a pipe, the queries.
func (r *Reader) measured() []*source {
	if r.in.Hits == "" {
		return r.sources
	}
	if hits := r.sources[:1]; hits[0].size >= 0 {
		return hits
	}
	return r.sources[1 : 1+len(r.in.Query)]
}

// start looks at the first bytes of every input. Of two inputs of which one may
// block it waits for neither: the first pairs do.
func (r *Reader) start() error {
	n := len(r.in.Query)
	switch {
	case len(r.in.Pairs) > 0:
		return r.startPairs()
	case r.in.Hits != "":
		return r.startHits(r.sources[0], r.sources[1:1+n], r.sources[1+n:])
	case r.in.ByName:
		return r.startByName(r.sources[:n], r.sources[n:])
	}
	p := newFastxPairs(r.sources[:n], r.sources[n:], r.limits, r.in)
	r.pairs = p
	if r.onDisk() {
		err := p.opened()
		r.done = p.pairs
		return err
	}
	return nil
}

// ReadBatch resets b and fills it with the next pairs, whose bytes lie in
// the storage of b; b.First is the first one's ordinal. At the end of the input it
// returns io.EOF and an empty batch. At malformed input it returns a
// *ParseError or *UnevenError and leaves in b the pairs before it, if any.
// Every call after an error returns the same error and an empty batch.
func (r *Reader) ReadBatch(b *align.Batch) error {
	b.Reset()
	if r.err == nil && r.pairs == nil {
		r.err = r.start()
	}
	if r.err != nil {
		return r.err
	}
	if r.err = r.pairs.fill(b); r.err == io.EOF {
		r.noteEnds()
	}
	if len(b.Pairs) == 0 {
		return r.err
	}
	b.First = r.done + max(r.in.FirstNumber, 1)
	r.done += int64(len(b.Pairs))
	if r.err == io.EOF {
		return nil
	}
	return r.err
}

// noteEnds tells of files that may be cut short.
func (r *Reader) noteEnds() {
	for _, s := range r.sources {
		if s.noEnd.Load() {
			r.note(s.missingEnd())
		}
	}
}

// BytesRead returns how many bytes of the inputs, as stored, have been read so
// far, without those before a shard. Decompression reads ahead of the batches.
func (r *Reader) BytesRead() int64 {
	var n int64
	for _, s := range r.sized {
		n += max(s.raw.n.Load(), s.passed.Load())
		if s.own != nil {
			n -= s.own.before
		}
	}
	return n
}

// Size returns the summed size of the inputs in bytes as stored, about that of the
// shard if there is one, or -1 when one of the inputs is a pipe. Of hits it is that of the PAF file or, if
// that is a pipe, of the queries.
func (r *Reader) Size() int64 {
	var n int64
	for _, s := range r.sized {
		if s.size < 0 {
			return -1
		}
		if s.own != nil {
			n += s.own.size
		} else {
			n += s.size
		}
	}
	return n
}

// Close releases the inputs, but not the stdin given to Open. It does not wait for
// a read that blocks on a pipe. Later calls of ReadBatch fail, and closing again
// does nothing.
func (r *Reader) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	pairs := r.pairs
	r.pairs = nil
	if r.err == nil {
		r.err = errClosed
	}
	if pairs != nil {
		pairs.halt()
	}
	var errs []error
	prompt := true
	for _, s := range r.sources {
		errs = append(errs, s.closeFile())
		prompt = prompt && s.disk != nil && s.file != nil
	}
	release := func() {
		if pairs != nil {
			pairs.wait()
		}
		for _, s := range r.sources {
			s.closePacked()
		}
	}
	if prompt {
		release()
	} else {
		go release()
	}
	return errors.Join(errs...)
}

var errClosed = errors.New("seqio: read from a closed Reader")
