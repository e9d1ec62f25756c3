package align

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"unsafe"

	"wfagpu/cigar"
)

// ErrLetter is reported for a pair that holds a byte that cannot be a letter:
// 0x00 and 0xFF are the sentinels that end an extension.
var ErrLetter = errors.New("sequence holds byte 0x00 or 0xFF, which is not a letter")

// MaxLength is the largest number of letters in a sequence. Offsets have 32 bits, and
// vectors reach beyond the end.
const MaxLength = 1<<31 - 1<<16

// ErrLength is reported for a pair with a sequence that is longer than MaxLength.
var ErrLength = fmt.Errorf("sequence has more than %d letters", MaxLength)

// Sentinels behind the two sequences. They differ from each other and from
// every letter, so an extension by whole words stops at the end by itself.
const (
	patternEnd = 0x00
	textEnd    = 0xFF
)

// seqPad is how many sentinel bytes stand before and behind a sequence: room
// for one vector load from any position.
const seqPad = 64

var patternPad, textPad = sentinels(patternEnd), sentinels(textEnd)

func sentinels(v byte) *[seqPad]byte {
	var s [seqPad]byte
	for i := range s {
		s[i] = v
	}
	return &s
}

// sequence is a canonical, padded copy of one input sequence.
type sequence struct {
	buf []byte // sentinels, the letters, as many sentinels
	n   int
	pad int // sentinels on each side
}

// letters returns the canonical letters alone.
func (s *sequence) letters() []byte { return s.buf[s.pad : s.pad+s.n] }

// first returns the address of the first letter.
func (s *sequence) first() unsafe.Pointer { return unsafe.Pointer(&s.buf[s.pad]) }

// behind returns the letters of s from letter v on. Those before them are not sentinels.
func (s *sequence) behind(v int) sequence {
	return sequence{buf: s.buf, n: s.n - v, pad: s.pad + v}
}

// resize makes room for n letters and count undefined bytes on each side, and
// returns the part for the letters.
func (s *sequence) resize(n, count int) []byte {
	total := n + 2*count
	if cap(s.buf) < total {
		s.buf = make([]byte, total+total/4)
	}
	s.buf, s.n, s.pad = s.buf[:total], n, count
	return s.letters()
}

// guarded makes room for n letters between sentinels.
func (s *sequence) guarded(n int, sentinels *[seqPad]byte) []byte {
	letters := s.resize(n, seqPad)
	copy(s.buf, sentinels[:])
	copy(s.buf[seqPad+n:], sentinels[:])
	return letters
}

// load copies src in canonical letters.
func (s *sequence) load(k *kernels, src []byte, pad *[seqPad]byte) error {
	if len(src) > MaxLength {
		return ErrLength
	}
	s.resize(len(src), seqPad)
	if !k.canonical(s.buf, src, pad) {
		return ErrLetter
	}
	return nil
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

// canonicalGo writes the canonical form of src to dst, between the sentinels of pad, and reports
// whether all bytes can be letters. Letters in editCodes, as most are, it takes a block at a time.
func canonicalGo(dst, src []byte, pad *[seqPad]byte) bool {
	copy(dst, pad[:])
	dst = dst[seqPad:]
	copy(dst[len(src):], pad[:])
	ok := true
	for len(src) >= canonicalBlock {
		block := src[:canonicalBlock]
		var odd uint64
		for i := 0; i < canonicalBlock; i += 8 {
			_, _, _, o := editBits(binary.LittleEndian.Uint64(block[i:]))
			odd |= o
		}
		if odd == 0 {
			copy(dst[:canonicalBlock], block)
		} else {
			ok = canonicalEach(dst, block) && ok
		}
		dst, src = dst[canonicalBlock:], src[canonicalBlock:]
	}
	return canonicalEach(dst, src) && ok
}

// canonicalBlock is how many letters canonicalGo looks at together.
const canonicalBlock = 32

// canonicalEach is canonicalGo for the letters alone, one by one.
func canonicalEach(dst, src []byte) bool {
	ok := true
	for i, b := range src {
		dst[i] = cigar.Canonical[b]
		if b == patternEnd || b == textEnd {
			ok = false
		}
	}
	return ok
}
