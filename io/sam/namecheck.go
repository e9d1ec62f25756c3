package sam

// nameCheck finds out whether many names are different, by their hashes alone: 8 bytes each, in
// parts that fit into the processor's caches. A table of millions of names would wait for memory at
// every name.
type nameCheck struct {
	parts [checkParts]checkPart
	count int
}

// checkPart has the hashes with the same upper bits.
type checkPart struct {
	full [][]uint64 // blocks
	last []uint64
}

const (
	checkBits  = 8
	checkParts = 1 << checkBits
	checkBlock = 1 << 10 // hashes
)

func (c *nameCheck) add(hash uint64) {
	p := &c.parts[hash>>(64-checkBits)]
	if len(p.last) == cap(p.last) {
		if p.last != nil {
			p.full = append(p.full, p.last)
		}
		p.last = make([]uint64, 0, checkBlock)
	}
	p.last = append(p.last, hash)
	c.count++
}

// different reports whether no hash came twice, and forgets them.
func (c *nameCheck) different() bool {
	var table []uint64
	for i := range c.parts {
		p := &c.parts[i]
		n := len(p.full)*checkBlock + len(p.last)
		size := checkBlock
		shift := uint(64 - checkBits - 10)
		for ; size < 2*n; size *= 2 {
			shift--
		}
		if len(table) < size {
			table = make([]uint64, size)
		}
		t := table[:size]
		clear(t)
		for _, block := range append(p.full, p.last) {
			if !allNew(t, block, shift) {
				return false
			}
		}
		*p = checkPart{}
	}
	c.count = 0
	return true
}

// allNew adds hashes to a table, 0 for a free slot, until one is there already. Where the search for
// a hash begins is in its bits above shift, less those that all have in common.
func allNew(table, hashes []uint64, shift uint) bool {
	mask := uint64(len(table) - 1)
	for _, h := range hashes {
		h |= 1 // 0 is free
		i := h >> shift & mask
		for ; table[i] != 0; i = (i + 1) & mask {
			if table[i] == h {
				return false
			}
		}
		table[i] = h
	}
	return true
}
