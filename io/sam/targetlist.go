package sam

import (
	"encoding/binary"
	"slices"
)

// targetList has for every target the length of its name, the name, and its own length; for one
// without a name 0, its ordinal less that of the one before, and its length. It is in blocks, which
// do not move.
type targetList struct {
	blocks [][]byte
	last   []byte
}

const listBlock = 1 << 20 // bytes, more for one longer name

// room starts another block unless the last one has room for n bytes.
func (l *targetList) room(n int) {
	if cap(l.last)-len(l.last) >= n {
		return
	}
	if len(l.last) > 0 {
		l.blocks = append(l.blocks, l.last)
	}
	l.last = make([]byte, 0, max(listBlock, n))
}

// all returns the blocks and the last one. It changes nothing: others may look for targets.
func (l *targetList) all() [][]byte { return slices.Concat(l.blocks, [][]byte{l.last}) }

// add returns where the target is.
func (l *targetList) add(name []byte, length int) (at int64) {
	l.room(len(name) + 2*binary.MaxVarintLen64)
	at = int64(len(l.blocks))*listBlock + int64(len(l.last))
	if len(name) < 0x80 && length < 1<<14 && length >= 0x80 { // as below
		l.last = append(append(append(l.last, byte(len(name))), name...), byte(length)|0x80, byte(length>>7))
		return at
	}
	l.last = binary.AppendUvarint(l.last, uint64(len(name)))
	l.last = append(l.last, name...)
	l.last = binary.AppendUvarint(l.last, uint64(length))
	return at
}

// addNumbered adds a target without a name, whose ordinal is step more than that of the one before.
func (l *targetList) addNumbered(step int64, length int) {
	l.room(1 + 2*binary.MaxVarintLen64)
	if step < 0x80 && length < 1<<14 && length >= 0x80 { // as below
		l.last = append(l.last, 0, byte(step), byte(length)|0x80, byte(length>>7))
		return
	}
	l.last = binary.AppendUvarint(append(l.last, 0), uint64(step))
	l.last = binary.AppendUvarint(l.last, uint64(length))
}

// target returns the target with a name at a place.
func (l *targetList) target(at int64) (name []byte, length int) {
	block := l.last
	if i := at / listBlock; i < int64(len(l.blocks)) {
		block = l.blocks[i]
	}
	rest := block[at%listBlock:]
	n, k := binary.Uvarint(rest)
	name, rest = rest[k:][:n], rest[k+int(n):]
	all, _ := binary.Uvarint(rest)
	return name, int(all)
}
