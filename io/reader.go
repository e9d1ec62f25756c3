package seqio

import (
	"errors"
	"io"

	"wfagpu/align"
)

// Limits bound a batch, which is full when the next pair would exceed either.
// One pair alone may exceed Bases: pairs are never split. Batches of a plain
// pairs file on disk may be an eighth smaller, see Open, and those of a pipe that
// pauses have any size. Zero or less selects the default.
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

// Inputs names what to read: Pairs, or Query and Target. "-" is standard input
// and may stand once.
type Inputs struct {
	Pairs, Query, Target string
	// Names says how the two names of a pair from Query and Target are compared.
	Names NameCheck
	// Note is called for what is odd and no error, unless it is nil, by the
	// goroutine that calls ReadBatch.
	Note func(error)
	// Qualities asks for the qualities of a FASTQ query file, in Batch.Origins.
	Qualities bool
	// Shard selects a part of the input.
	Shard Shard
}

func (in Inputs) validate() error {
	switch {
	case in.Pairs == "" && in.Query == "" && in.Target == "":
		return errors.New("no input: want a pairs file, or a query and a target file")
	case in.Pairs != "" && (in.Query != "" || in.Target != ""):
		return errors.New("want a pairs file, or a query and a target file, not both")
	case in.Pairs == "" && in.Target == "":
		return errors.New("a query file needs a target file beside it")
	case in.Pairs == "" && in.Query == "":
		return errors.New("a target file needs a query file beside it")
	case in.Query == "-" && in.Target == "-":
		return errors.New("standard input cannot be both the query and the target file")
	}
	return in.Shard.validate()
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
	limits  Limits
	in      Inputs
	pairs   pairSource // nil until the input has been looked at
	done    int64      // pairs delivered
	err     error      // ends the input
	closed  bool
}

// Open opens the inputs. It looks at the first bytes of files on disk, and
// content of another kind than in says is an error. ReadBatch reads from pipes and
// stdin first, as they may block for long.
//
// A plain pairs file on disk of several batches, of 256 Ki to 32 Mi bases each, is
// read by up to six goroutines, and by at most GOMAXPROCS. They prefetch as many
// batches as there are goroutines, and two more.
func Open(in Inputs, stdin io.Reader, lim Limits) (*Reader, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	paths := []string{in.Pairs}
	if in.Pairs == "" {
		paths = []string{in.Query, in.Target}
	}
	for _, path := range paths {
		if in.Shard.whole() {
			break
		}
		if err := regular(path, stdin); err != nil {
			return nil, err
		}
	}
	r := &Reader{limits: lim.withDefaults(), in: in}
	var err error
	if r.sources, err = openSources(paths, stdin); err != nil {
		return nil, err
	}
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

// start looks at the first bytes of every input. Of two inputs of which one may
// block it waits for neither: the first pairs do.
func (r *Reader) start() error {
	if len(r.sources) == 2 {
		p := newFastxPairs(r.sources[0], r.sources[1], r.limits, r.in)
		r.pairs = p
		if r.onDisk() {
			err := p.opened()
			r.done = p.pairs
			return err
		}
		return nil
	}
	p, err := r.startSeq(r.sources[0])
	if err != nil {
		return err
	}
	r.pairs = p
	if cut := cutIntoBlocks(p.src, r.limits); cut.count > 1 {
		r.pairs = newSeqBlocks(p, cut)
	}
	return nil
}

// startSeq opens a pairs file up to its first pair.
func (r *Reader) startSeq(src *source) (*seqPairs, error) {
	if r.in.Shard.whole() {
		if err := src.start(); err != nil {
			return nil, err
		}
		return newSeqPairs(src, r.limits)
	}
	if err := src.startShard(); err != nil {
		return nil, err
	}
	p, err := newSeqPairs(src, r.limits)
	if err != nil {
		return nil, err
	}
	err = p.cutSeq(r.in.Shard)
	r.done = p.record
	return p, err
}

// ReadBatch resets b and fills it with the next pairs, whose bytes lie in
// b.Buf; b.First is the first one's ordinal from 1. At the end of the input it
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
	r.err = r.pairs.fill(b)
	if len(b.Pairs) == 0 {
		return r.err
	}
	b.First = r.done + 1
	r.done += int64(len(b.Pairs))
	if r.err == io.EOF {
		return nil
	}
	return r.err
}

// BytesRead returns how many bytes of the inputs, as stored, have been read so
// far, without those before a shard. Decompression reads ahead of the batches.
func (r *Reader) BytesRead() int64 {
	var n int64
	for _, s := range r.sources {
		n += s.raw.n.Load()
		if s.own != nil {
			n -= s.own.before
		}
	}
	return n
}

// Size returns the summed size of the inputs in bytes as stored, about that of the
// shard if there is one, or -1 when one of the inputs is a pipe.
func (r *Reader) Size() int64 {
	var n int64
	for _, s := range r.sources {
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
