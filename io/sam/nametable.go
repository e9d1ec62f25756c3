package sam

import (
	"encoding/binary"
	"hash/maphash"
)

// nameTable finds names by their hashes. A slot has the upper half of a hash and a number, so
// that a name that is new costs one access to memory, as a rule: a map of Go takes three times as
// long for millions of names.
type nameTable struct {
	entries []nameEntry
	slots   []uint64 // half of a hash, and the number of an entry from 1; 0 is free
	shift   uint     // of a hash, to its home
	seed    maphash.Seed
}

// nameEntry is where the name is, and a hash of the target's letters, 0 where they are not
// known.
type nameEntry struct {
	at      int64
	letters uint64
}

func newNameTable() nameTable {
	const bits = 8
	return nameTable{slots: make([]uint64, 1<<bits), shift: 64 - bits, seed: maphash.MakeSeed()}
}

func (t *nameTable) hash(text []byte) uint64 { return maphash.Bytes(t.seed, text) }

// hashLetters returns the hash of a sequence, whatever the case of its letters, and with T in place of U.
func (t *nameTable) hashLetters(s []byte) uint64 {
	if isCanonical(s) {
		return t.hash(s)
	}
	var h maphash.Hash
	h.SetSeed(t.seed)
	for piece := [4096]byte{}; len(s) > 0; {
		n := copy(piece[:], s)
		s = s[n:]
		for i, b := range piece[:n] {
			piece[i] = canonical(b)
		}
		h.Write(piece[:n])
	}
	return h.Sum64()
}

// isCanonical reports whether all letters of s are canonical. It may miss that where there are other characters.
func isCanonical(s []byte) bool {
	const each = 0x0101010101010101
	for ; len(s) >= 8; s = s[8:] {
		w := binary.LittleEndian.Uint64(s)
		u := w ^ 'U'*each
		if w&(0x20*each)|(u-each)&^u&(0x80*each) != 0 {
			return false
		}
	}
	for _, b := range s {
		if b&0x20 != 0 || b == 'U' {
			return false
		}
	}
	return true
}

// half is the part of a hash that a slot has.
const half = 0xffffffff << 32

// home is where the search for a hash begins: its upper bits, so that the slots keep their order
// when the table grows. Halves are fewer than the names of a very large table may be, and linear
// probing goes on.
func (t *nameTable) home(slot uint64) uint64 { return (slot & half) >> t.shift }

// next returns the number of the first entry from slot i on whose hash agrees as far as slots have
// it, and the slot behind it; -1 if there is none.
func (t *nameTable) next(hash, i uint64) (entry int, after uint64) {
	mask := uint64(len(t.slots) - 1)
	for ; ; i++ {
		s := t.slots[i&mask]
		if s == 0 {
			return -1, i
		}
		if (s^hash)&half == 0 {
			return int(s&^half) - 1, i + 1
		}
	}
}

// add adds an entry whose name is new.
func (t *nameTable) add(hash uint64, e nameEntry) {
	t.entries = append(t.entries, e)
	if 2*len(t.entries) > len(t.slots) {
		old := t.slots
		t.slots = make([]uint64, 2*len(old))
		t.shift--
		for _, s := range old {
			if s != 0 {
				t.put(s)
			}
		}
	}
	t.put(hash&half | uint64(len(t.entries)))
}

// put takes the first free slot from the home on.
func (t *nameTable) put(slot uint64) {
	mask := uint64(len(t.slots) - 1)
	i := t.home(slot)
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = slot
}
