package align

import "slices"

// windowIndex has the seeds of a pattern by the hash of their letters, for one search of the text for all
// of them.
type windowIndex struct {
	first  [1 << windowBits]uint16 // of the seeds of a hash, numbered from 1
	next   []uint16                // of the same hash
	hashes []uint16
	counts []int32
	sorted []int
}

// windowBits is the length of a hash: six letters in full, longer seeds folded.
const windowBits = 12

// seedHash returns the hash of a seed from the codes of its first letters and of its last ones, of which
// so many bits are those of the first ones, too.
func seedHash(first, last uint8, shared int) uint16 {
	w := uint16(first) | uint16(last>>shared)<<codeBits
	return (w ^ w>>windowBits) & (1<<windowBits - 1)
}

// codeBits is the length of a code.
const codeBits = 2 * codeLetters

// search appends the diagonals on which the text has one of n seeds of the pattern, of so many letters,
// codeLetters to twice as many, and one in each stride, to dst. It reports false where they are more than
// most.
func (x *windowIndex) search(dst []int, c *codes, pattern *sequence, n, letters, stride, most int) ([]int, bool) {
	p, t := pattern.first(), c.text.first()
	behind := letters - codeLetters
	shared := codeBits - 2*behind
	x.next, x.hashes = roomFor(x.next, n+1), x.hashes[:0]
	for i := range n {
		hash := seedHash(codeAt(p, i*stride), codeAt(p, i*stride+behind), shared)
		x.hashes = append(x.hashes, hash)
		x.next[i+1], x.first[hash] = x.first[hash], uint16(i+1)
	}
	firsts := c.buf[:max(0, c.text.n-letters+1)]
	lasts := c.buf[behind:][:len(firsts)]
	for h, first := range firsts {
		i := x.first[seedHash(first, lasts[h], shared)]
		if i == 0 {
			continue
		}
		word := load64(t, h)
		for ; i > 0; i = x.next[i] {
			v := int(i-1) * stride
			if (load64(p, v)^word)<<(64-8*letters) == 0 {
				dst = append(dst, h-v)
			}
		}
		if len(dst) > most {
			break
		}
	}
	for _, hash := range x.hashes {
		x.first[hash] = 0
	}
	return dst, len(dst) <= most
}

// searchEach is windowIndex.search for few seeds, one by one.
func searchEach(dst []int, c *codes, pattern *sequence, n, letters, stride, most int) ([]int, bool) {
	p, t := pattern.first(), c.text.first()
	for v := 0; v < n*stride; v += stride {
		word := load64(p, v)
		c.each(p, v, letters, 0, c.text.n, func(h int) bool {
			if (load64(t, h)^word)<<(64-8*letters) == 0 {
				dst = append(dst, h-v)
			}
			return len(dst) <= most
		})
		if len(dst) > most {
			return dst, false
		}
	}
	return dst, true
}

// sort sorts diagonals, of which the first possible one and the last one are given.
func (x *windowIndex) sort(d []int, lo, hi int) {
	if hi-lo > windowSparse*len(d) {
		slices.Sort(d)
		return
	}
	x.counts = roomFor(x.counts, hi-lo+2)
	clear(x.counts)
	for _, k := range d {
		x.counts[k-lo+1]++
	}
	at := int32(0)
	for i, n := range x.counts {
		at += n
		x.counts[i] = at
	}
	x.sorted = append(x.sorted[:0], d...)
	for _, k := range x.sorted {
		d[x.counts[k-lo]] = k
		x.counts[k-lo]++
	}
}

// windowSparse is how many diagonals there are for each place where it is quicker to compare the
// places with each other.
const windowSparse = 16
