package sam

import "hash/maphash"

// nameTable finds names by their hashes. A slot has the upper half of a hash and a number, so
// that a name that is new costs one access to memory, as a rule: a map of Go takes three times as
// long for millions of names.
type nameTable struct {
	entries []nameEntry
	slots   []uint64 // half of a hash, and the number of an entry from 1; 0 is free
	seed    maphash.Seed
}

// nameEntry is where the name is, and a hash of the target's letters, 0 where they are not
// known.
type nameEntry struct {
	at      int64
	letters uint64
}

func newNameTable() nameTable {
	return nameTable{slots: make([]uint64, 1<<8), seed: maphash.MakeSeed()}
}

func (t *nameTable) hash(text []byte) uint64 { return maphash.Bytes(t.seed, text) }

// half is the part of a hash that a slot has.
const half = 0xffffffff << 32

// home is the slot of a half of a hash. Halves are fewer than the names of a very large table
// may be, and linear probing goes on.
func (t *nameTable) home(slot uint64) uint64 {
	return (slot >> 32 * 0x9e3779b97f4a7c15 >> 16) & uint64(len(t.slots)-1)
}

// find returns the number of the entry of a hash that same accepts, or -1.
func (t *nameTable) find(hash uint64, same func(nameEntry) bool) int {
	mask := uint64(len(t.slots) - 1)
	for i := t.home(hash); ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			return -1
		}
		if (s^hash)&half == 0 && same(t.entries[s&^half-1]) {
			return int(s&^half) - 1
		}
	}
}

// add adds an entry whose name is new.
func (t *nameTable) add(hash uint64, e nameEntry) {
	t.entries = append(t.entries, e)
	if 2*len(t.entries) > len(t.slots) {
		old := t.slots
		t.slots = make([]uint64, 2*len(old))
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
