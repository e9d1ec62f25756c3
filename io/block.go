package seqio

import (
	"bytes"
	"slices"

	"wfagpu/align"
)

// seqBlock is one block of a pairs file, see seqBlocks, and what is in it.
type seqBlock struct {
	index      int64
	buf        []byte
	pairs      []align.Pair // slices of buf
	start, end int64        // in cut.file: of the first pair, and behind the last
	lines      int64        // between the two
	ok         bool         // read has found all of this
	done       chan struct{}
}

// read fills the block. It returns false when the block is not pairs and blank
// lines alone, or holds no pair or too many. seqPairs finds out what is wrong.
func (k *seqBlock) read(cut *blockCut) bool {
	room := cut.room
	for 2*room <= cut.most && 2*room+cut.lead <= cap(k.buf) {
		room *= 2 // of a block before
	}
	for {
		ok, short := k.readWithin(cut, room)
		if room *= 2; ok || !short || room > cut.most {
			return ok
		}
	}
}

// readWithin is read with so many bytes at most, besides the lead. short says that they are too few.
func (k *seqBlock) readWithin(cut *blockCut, room int) (ok, short bool) {
	if want := max(cut.storage, room) + cut.lead; cap(k.buf) < want {
		k.buf = largeBytes(want)
	}
	k.buf, k.pairs, k.lines = k.buf[:0], k.pairs[:0], 0
	from, own := cut.text+k.index*int64(cut.size), cut.size
	k.start = from
	used := 0
	if k.index > 0 {
		// The byte before the block tells whether a line begins with it.
		lead := int(min(int64(cut.lead), from-cut.text))
		from, own, room = from-int64(lead), own+lead, room+lead
		used = lead - 1
	}
	for begun := k.index == 0; k.readOn(cut, from, own, room); {
		if !begun {
			if used >= len(k.buf) {
				continue
			}
			i := bytes.Index(k.buf[used:], []byte("\n>"))
			if i < 0 {
				if used = len(k.buf) - 1; used >= own { // it may be the newline
					return false, false
				}
				continue
			}
			begun, used = true, used+i+1
			k.start = from + int64(used)
		}
		var more bool
		used, more = k.cutPairs(used, own)
		if len(k.pairs) > cut.pairs {
			return false, false
		}
		if !more {
			k.end = from + int64(used)
			return len(k.pairs) > 0 && used >= own && k.buf[used] == '>', false
		}
		k.makeRoom(used, own, cut.pairs)
	}
	return false, len(k.buf) >= room
}

// makeRoom allocates for all pairs of the block, estimated from its first used
// bytes. Where the estimate is too low, append allocates more.
func (k *seqBlock) makeRoom(used, own, most int) {
	n := len(k.pairs)
	if n == 0 {
		return
	}
	if all := min(int(int64(n)*int64(own)/int64(used)), most); cap(k.pairs) < all {
		k.pairs = slices.Grow(k.pairs, all+all/8-n)
	}
}

// readOn reads the block and a tail behind it, a step at a time, and then as much
// as its last pair needs, up to room bytes. It returns false when there is no more.
func (k *seqBlock) readOn(cut *blockCut, from int64, own, room int) bool {
	have := len(k.buf)
	end := have + cut.step
	if have < own+cut.tail {
		end = min(end, own+cut.tail)
	}
	end = min(end, room)
	n, _ := cut.file.ReadAt(k.buf[have:end], from+int64(have)) // what fails will fail again for seqPairs
	k.buf = k.buf[:have+n]
	return n > 0
}

// cutPairs cuts off the pairs that begin in buf[used:own], and the blank lines
// behind them. It returns the position after them, and whether it needs more text
// to continue. If not, the position is that of the line behind these pairs or,
// before own, of a fault.
func (k *seqBlock) cutPairs(used, own int) (_ int, more bool) {
	for {
		for used < own {
			query, target, n := wholePair(k.buf[used:])
			if n == 0 {
				break
			}
			k.add(align.Pair{Pattern: query, Text: target}, 2)
			used += n
		}
		n, lines := blankLines(k.buf[used:])
		used += n
		k.lines += int64(lines)
		rest := k.buf[used:]
		if len(rest) == 0 || rest[0] == '\r' && len(rest) == 1 {
			return used, true
		}
		if used >= own {
			return used, false
		}
		pair, n, lines, f := cutPair(rest, 1)
		if n == 0 {
			return used, f == nil
		}
		k.add(pair, lines)
		used += n
	}
}

func (k *seqBlock) add(pair align.Pair, lines int) {
	k.pairs = append(k.pairs, pair)
	k.lines += int64(lines)
}
