package seqio

import (
	"io"
	"math"
	"runtime"
	"sync"

	"wfagpu/align"
)

// seqBlocks reads a plain pairs file on disk with several goroutines. The file
// is divided into blocks of equal size, and a pair belongs to the block in which
// its first byte lies. Each block is read and cut into pairs by itself, into
// storage that fill then exchanges for the batch's own, so that fill takes the
// same short time however much a batch holds.
//
// A block in which no pair begins is passed. Any other is valid only if it consists of whole
// pairs and blank lines, and if it begins where the previous one ended: a sequential reader reaches that place, too,
// and continues as the block does. seqPairs reads everything after the last valid
// block: faults, pairs that are many times as long as a block or more than a batch may
// hold, a file that has changed meanwhile, and the end of the file.
type seqBlocks struct {
	plain *seqPairs
	cut   blockCut
	ring  []*seqBlock // block i uses ring[i%len(ring)]
	next  int64       // block that fill takes next
	start int64       // where that block has to begin
	over  bool        // plain reads from here on

	todo    chan *seqBlock // has room for all of ring
	stop    chan struct{}
	running sync.WaitGroup
}

// blockCut is the division of a file into blocks. All but count and pairs are bytes.
type blockCut struct {
	file  io.ReaderAt // the file from the reader's start on
	text  int64       // where in it the text starts
	count int64       // blocks; seqPairs reads the rest of the file
	size  int         // of a block
	lead  int         // read ahead of a block, at least one; see blockLead
	// room bounds the bytes read for a block, the rest of its last pair included but not lead;
	// storage is its allocation, without lead, too. For a last pair that is long both are doubled, up to most.
	room, storage, most int
	// step is how much is read at once, and tail how much of the next block is
	// read at first, enough for the rest of a short pair.
	step, tail int
	pairs      int // the most that a batch may hold
}

const (
	// Smaller blocks do not pay for their goroutines. Several larger ones could
	// take more memory than the rest of a run.
	minBlockRoom = 256 << 10
	maxBlockRoom = 32 << 20
	// mostBlockRoom is for the pairs of a block whose last one is long.
	mostBlockRoom = 2 * maxBlockRoom
	blockTail     = 4 << 10

	// blockLead keeps places in the file and in storage, modulo a page, apart: some processors
	// copy to a place that is a few bytes ahead of its origin at a third of their speed.
	blockLead = 512

	// maxBlockReaders goroutines read faster than most consumers. A large file, of which one GPU aligns long reads with
	// few errors as fast as more of them read, has one more for each moreReader bytes, up to mostBlockReaders.
	maxBlockReaders  = 6
	moreReader       = 4 << 30
	mostBlockReaders = 10
)

// cutIntoBlocks divides the source's file; the count is 0 if blocks do not pay. A block
// has fewer bases than bytes, and so is within the limits but for the rest of a long last pair.
func cutIntoBlocks(src *source, limits Limits) blockCut {
	room := limits.Bases
	if src.disk == nil || src.size < 0 || src.packed() || room < minBlockRoom || room > maxBlockRoom {
		return blockCut{}
	}
	size := room - room/8
	file := src.part
	if file == nil {
		file = io.NewSectionReader(src.disk, src.base, math.MaxInt64-src.base)
	}
	return blockCut{
		file:  file,
		text:  src.skipped,
		count: (src.size - src.skipped - 1) / int64(size), // all that end before the file does
		size:  size, lead: blockLead, room: room, storage: limits.storage(), most: mostBlockRoom,
		step: seqStep, tail: blockTail,
		pairs: limits.Pairs,
	}
}

// newSeqBlocks starts the goroutines. plain has not been called yet.
func newSeqBlocks(plain *seqPairs, cut blockCut) *seqBlocks {
	readers := min(runtime.GOMAXPROCS(0), blockReaders(cut.count*int64(cut.size)))
	ring := readers + 2 // one being taken, one waiting to be
	s := &seqBlocks{
		plain: plain,
		cut:   cut,
		ring:  make([]*seqBlock, ring),
		start: cut.text,
		todo:  make(chan *seqBlock, ring),
		stop:  make(chan struct{}),
	}
	for i := range s.ring {
		s.ring[i] = &seqBlock{index: int64(i), done: make(chan struct{}, 1)}
		s.request(s.ring[i])
	}
	for range readers {
		s.running.Go(s.read)
	}
	return s
}

// blockReaders is the number of goroutines that read a file of a size.
func blockReaders(size int64) int { return int(min(maxBlockReaders+size/moreReader, mostBlockReaders)) }

// request sends a block to the readers, if the file has a block of its index.
func (s *seqBlocks) request(k *seqBlock) {
	if k.index < s.cut.count {
		s.todo <- k
	}
}

func (s *seqBlocks) read() {
	for {
		select {
		case k := <-s.todo:
			k.ok = k.read(&s.cut)
			k.done <- struct{}{}
		case <-s.stop:
			return
		}
	}
}

func (s *seqBlocks) halt() {
	if !s.over {
		s.over = true
		close(s.stop)
	}
}

func (s *seqBlocks) wait() { s.running.Wait() }

func (s *seqBlocks) fill(b *align.Batch) error {
	for !s.over && s.next < s.cut.count {
		k := s.ring[s.next%int64(len(s.ring))]
		<-k.done
		if s.start >= s.cut.text+(s.next+1)*int64(s.cut.size) { // a pair goes on beyond it
			s.pass(k)
			continue
		}
		if !k.ok || k.start != s.start {
			break
		}
		s.take(k, b)
		return nil
	}
	if !s.over {
		s.halt()
		if err := s.plain.src.seek(s.start); err != nil {
			return err
		}
	}
	return s.plain.fill(b)
}

// take makes the block the batch, and passes it with the batch's storage.
func (s *seqBlocks) take(k *seqBlock, b *align.Batch) {
	b.Buf, k.buf = k.buf, b.Buf
	b.Pairs, k.pairs = k.pairs, b.Pairs
	s.start = k.end
	s.plain.record += int64(len(b.Pairs))
	s.plain.line += k.lines
	s.plain.src.raw.n.Store(k.end)
	s.pass(k)
}

// pass goes on to the next block, and has the storage of this one filled with a later one.
func (s *seqBlocks) pass(k *seqBlock) {
	s.next++
	k.index += int64(len(s.ring))
	s.request(k)
}
