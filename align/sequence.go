package align

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"wfagpu/cigar"
)

// ErrLetter is reported for a pair that holds a byte that cannot be a letter:
// 0x00 and 0xFF are the sentinels that end an extension.
var ErrLetter = errors.New("sequence holds byte 0x00 or 0xFF, which is not a letter")

// Sentinels behind the two sequences. They differ from each other and from
// every letter, so an extension by whole words stops at the end by itself.
const (
	patternPad = 0x00
	textPad    = 0xFF
)

// seqPad is how many sentinel bytes stand before and behind a sequence: room
// for one vector load from any position.
const seqPad = 64

// sequence is a canonical, padded copy of one input sequence.
type sequence struct {
	buf []byte // seqPad sentinels, the letters, seqPad sentinels
	n   int
}

// letters returns the canonical letters alone.
func (s *sequence) letters() []byte { return s.buf[seqPad : seqPad+s.n] }

// resize makes room for n letters, surrounds it with pad and returns it.
func (s *sequence) resize(n int, pad byte) []byte {
	total := n + 2*seqPad
	if cap(s.buf) < total {
		s.buf = make([]byte, total+total/4)
	}
	s.buf, s.n = s.buf[:total], n
	fill(s.buf[:seqPad], pad)
	fill(s.buf[seqPad+n:], pad)
	return s.letters()
}

// load copies src in canonical letters.
func (s *sequence) load(k *kernels, src []byte, pad byte) error {
	if !k.canonical(s.resize(len(src), pad), src) {
		return ErrLetter
	}
	return nil
}

// copyOf copies letters that are canonical already.
func (s *sequence) copyOf(letters []byte, pad byte) {
	copy(s.resize(len(letters), pad), letters)
}

// loadReverse makes s the reverse of canonical letters (not complemented), for
// wavefronts that run from the end.
func (s *sequence) loadReverse(letters []byte, pad byte) {
	reverseInto(s.resize(len(letters), pad), letters)
}

// reverseInto writes src back to front into dst, which has the same length.
func reverseInto(dst, src []byte) {
	i, n := 0, len(src)
	for ; i+8 <= n; i += 8 {
		w := binary.LittleEndian.Uint64(src[n-i-8:])
		binary.LittleEndian.PutUint64(dst[i:], bits.ReverseBytes64(w))
	}
	for ; i < n; i++ {
		dst[i] = src[n-1-i]
	}
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// canonicalGo writes the canonical form of src to dst and reports whether all
// bytes can be letters.
func canonicalGo(dst, src []byte) bool {
	ok := true
	for i, b := range src {
		dst[i] = cigar.Canonical[b]
		if b == patternPad || b == textPad {
			ok = false
		}
	}
	return ok
}
