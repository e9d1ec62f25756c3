package seqio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"sort"
	"sync"

	"github.com/klauspost/compress/flate"
)

// blockFile is the text of a BGZF file that can be read at any place. Blocks that have
// been read stay in memory, up to a limit. Any number of goroutines may read.
type blockFile struct {
	file   io.ReaderAt
	name   string
	blocks []blockPlace // in order; the last one is the end of both
	cache  blockCache
	spare  sync.Pool // of *blockReader
}

// blockPlace is where a block starts in the file and in the text.
type blockPlace struct{ packed, text int64 }

// errNotBlocks says that a file is no BGZF, or not all of it is.
var errNotBlocks = errors.New("this is not BGZF: gzip in blocks, as bgzip writes it")

const (
	bgzfHeaderSize = len(bgzfHeader)
	mostBlock      = 1 << 16 // bytes of a block's text, and of the block itself
)

// isBGZF recognises the header of a block.
func isBGZF(head []byte) bool {
	return len(head) >= bgzfHeaderSize && string(head[:4]) == bgzfHeader[:4] && string(head[10:16]) == bgzfHeader[10:16]
}

// openBlocks finds the blocks of a file of a size: from known on, which is empty or
// what an index says, by going from one to the next.
func openBlocks(file io.ReaderAt, name string, size int64, known []blockPlace, cached int64) (*blockFile, error) {
	z := &blockFile{file: file, name: name, blocks: known}
	z.spare.New = func() any { return new(blockReader) }
	if len(known) == 0 {
		z.blocks = []blockPlace{{}}
	}
	for at := z.blocks[len(z.blocks)-1]; at.packed < size; {
		packed, text, err := blockSize(file, at.packed)
		if err != nil {
			return nil, fmt.Errorf("%s: byte %d: %w", name, at.packed, err)
		}
		at = blockPlace{at.packed + packed, at.text + text}
		z.blocks = append(z.blocks, at)
	}
	if end := z.blocks[len(z.blocks)-1].packed; end != size {
		return nil, fmt.Errorf("%s: the last block is cut short: it ends at byte %d of %d", name, size, end)
	}
	z.cache = blockCache{most: cached, slots: make([]cachedBlock, len(z.blocks)-1)}
	return z, nil
}

// hasEnd reports whether the last block is an empty one.
func (z *blockFile) hasEnd() bool {
	n := len(z.blocks)
	return n > 1 && z.blocks[n-1].text == z.blocks[n-2].text
}

// blockSize reads how many bytes the block at an offset has, and its text.
func blockSize(file io.ReaderAt, at int64) (packed, text int64, err error) {
	var head [bgzfHeaderSize]byte
	if _, err := file.ReadAt(head[:], at); err != nil {
		return 0, 0, shortBlock(err)
	}
	if !isBGZF(head[:]) {
		return 0, 0, errNotBlocks
	}
	packed = int64(binary.LittleEndian.Uint16(head[16:])) + 1
	if packed < int64(bgzfHeaderSize+gzipTrailer) {
		return 0, 0, errNotBlocks
	}
	var length [4]byte
	if _, err := file.ReadAt(length[:], at+packed-4); err != nil {
		return 0, 0, shortBlock(err)
	}
	text = int64(binary.LittleEndian.Uint32(length[:]))
	if text > mostBlock {
		return 0, 0, errNotBlocks
	}
	return packed, text, nil
}

func shortBlock(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the last block is cut short")
	}
	return err
}

// size is the size of the text.
func (z *blockFile) size() int64 { return z.blocks[len(z.blocks)-1].text }

// ReadAt reads text.
func (z *blockFile) ReadAt(p []byte, offset int64) (n int, err error) {
	// The first block that ends behind the offset.
	i := sort.Search(len(z.blocks)-1, func(i int) bool { return z.blocks[i+1].text > offset })
	for n < len(p) {
		if i == len(z.blocks)-1 {
			return n, io.EOF
		}
		text, err := z.block(i)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], text[offset+int64(n)-z.blocks[i].text:])
		i++
	}
	return n, nil
}

// block returns the text of block i, which nobody writes to.
func (z *blockFile) block(i int) ([]byte, error) {
	if text := z.cache.get(i); text != nil {
		return text, nil
	}
	r := z.spare.Get().(*blockReader)
	defer z.spare.Put(r)
	text, err := r.read(z.file, z.blocks[i], z.blocks[i+1])
	if err != nil {
		if _, ok := errors.AsType[*os.PathError](err); ok {
			return nil, err
		}
		return nil, fmt.Errorf("%s: the block at byte %d: %w", z.name, z.blocks[i].packed, err)
	}
	z.cache.put(i, text)
	return text, nil
}

// blockReader decompresses blocks.
type blockReader struct {
	packed []byte
	src    bytes.Reader
	flate  io.ReadCloser
}

// errBlocksMoved is a file of blocks that are not where they were, or where an index says.
var errBlocksMoved = errors.New("the file differs from its index of blocks (.gzi), or has changed")

func (r *blockReader) read(file io.ReaderAt, from, to blockPlace) ([]byte, error) {
	n := to.packed - from.packed
	if n < int64(bgzfHeaderSize+gzipTrailer) || n > mostBlock {
		return nil, errBlocksMoved
	}
	r.packed = append(r.packed[:0], make([]byte, n)...)
	if _, err := file.ReadAt(r.packed, from.packed); err != nil {
		if err == io.EOF {
			err = errBlocksMoved
		}
		return nil, err
	}
	trailer := r.packed[n-gzipTrailer:]
	length := int64(binary.LittleEndian.Uint32(trailer[4:]))
	if !isBGZF(r.packed) || int64(binary.LittleEndian.Uint16(r.packed[16:]))+1 != n || length != to.text-from.text {
		return nil, errBlocksMoved
	}
	r.src.Reset(r.packed[bgzfHeaderSize : n-gzipTrailer])
	if r.flate == nil {
		r.flate = flate.NewReader(&r.src)
	} else if err := r.flate.(flate.Resetter).Reset(&r.src, nil); err != nil {
		return nil, err
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r.flate, text); err != nil {
		return nil, fmt.Errorf("the gzip data is damaged: %w", err)
	}
	if crc32.ChecksumIEEE(text) != binary.LittleEndian.Uint32(trailer) {
		return nil, errors.New("the gzip data is damaged: the checksum differs")
	}
	return text, nil
}

// blockCache keeps the text of blocks. When there are too many bytes, a hand goes round and
// drops those that have not been used since it passed.
type blockCache struct {
	mu    sync.Mutex
	most  int64 // bytes
	bytes int64
	hand  int
	slots []cachedBlock
}

type cachedBlock struct {
	text []byte
	used bool
}

func (c *blockCache) get(i int) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slots[i].used = true
	return c.slots[i].text
}

func (c *blockCache) put(i int, text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.slots[i].text != nil {
		return // another goroutine was faster
	}
	for c.bytes > 0 && c.bytes+int64(len(text)) > c.most {
		slot := &c.slots[c.hand]
		if slot.text != nil && !slot.used {
			c.bytes -= int64(len(slot.text))
			slot.text = nil
		}
		slot.used = false
		c.hand = (c.hand + 1) % len(c.slots)
	}
	c.slots[i] = cachedBlock{text, true}
	c.bytes += int64(len(text))
}

// readGZI reads an index of blocks as bgzip -r writes it: their count, and for each but
// the first where it starts, all as little-endian numbers of 64 bits.
func readGZI(data []byte, size int64) ([]blockPlace, error) {
	damaged := errors.New("the index of blocks is damaged")
	if len(data) < 8 {
		return nil, damaged
	}
	count := binary.LittleEndian.Uint64(data)
	if data = data[8:]; count > math.MaxInt32 || uint64(len(data)) != 16*count {
		return nil, damaged
	}
	places := []blockPlace{{}}
	for ; len(data) > 0; data = data[16:] {
		next := blockPlace{int64(binary.LittleEndian.Uint64(data)), int64(binary.LittleEndian.Uint64(data[8:]))}
		last := places[len(places)-1]
		if next.packed <= last.packed || next.text < last.text {
			return nil, damaged
		}
		if next.packed > size {
			return nil, errors.New("the index of blocks is that of a longer file")
		}
		places = append(places, next)
	}
	return places, nil
}

// appendGZI is the index of blocks as bytes.
func (z *blockFile) appendGZI(dst []byte) []byte {
	inner := z.blocks[min(1, len(z.blocks)-1) : len(z.blocks)-1]
	// bgzip lists no block without text: the one that ends the file.
	for len(inner) > 0 && inner[len(inner)-1].text == z.size() {
		inner = inner[:len(inner)-1]
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(inner)))
	for _, p := range inner {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(p.packed))
		dst = binary.LittleEndian.AppendUint64(dst, uint64(p.text))
	}
	return dst
}
