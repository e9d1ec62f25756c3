package align

import "encoding/binary"

// Errors tells how many errors a pair has, as far as a sample shows.
type Errors uint8

const (
	// ManyErrors: all that is not below.
	ManyErrors Errors = iota
	// FewErrors all along the pair. It is aligned exactly: what is between gates is short, so that this takes no more
	// time than an adaptive band, which may lose the pair at a gap.
	FewErrors
	// FewAtEnds: a long gap, or a stretch unlike all else, between two ends of few errors. The pair
	// is cut into pieces, or aligned exactly if it cannot be cut.
	FewAtEnds
)

const (
	sampleFrom    = 1 << 14       // letters of the shorter sequence, at least: a sample takes a GPU's host as long as packing thousands
	sampleWords   = 24            // words of a sample,
	sampleLetters = packedLetters // each of so many letters
	sampleMissing = 5             // of which so many may be missing, but for a stretch,
	sampleStretch = 8             // words of a stretch, at most,
	sampleBeside  = 2             // beside which so many words may be missing
	sampleRow     = 2             // words in a row that are missing at a long gap, or in a stretch
	sampleGap     = 1000          // letters of a gap that is not long
	sampleNear    = 4             // diagonals to either side on which a word is looked for,
	sampleWander  = 128           // one more for so many letters between words,
	sampleMost    = 24            // and at most so many,
	sampleFurther = 256           // or so many where two are missing,
	sampleTimid   = 64            // one for so many letters,
	sampleTries   = 1 << 14       // and once for so many
)

// Errors tells how many errors a pair has if the band is automatic. Letters need not be canonical.
//
// It looks for words at even distances in the shorter sequence, each on the diagonals around that
// of the one before: from the begin of the pair up to where two in a row are missing, as they are
// behind a long gap, and for the others from the end of the pair.
func (a Approx) Errors(pattern, text []byte) Errors {
	if !a.samples(len(pattern), len(text)) {
		return ManyErrors
	}
	if len(pattern) > len(text) {
		pattern, text = text, pattern
	}
	s := sample{pattern: pattern, text: text, n: len(pattern), m: len(text)}
	return s.errors()
}

// ErrorsPacked is Errors for a pair of n and m letters in two bits each, sixteen to a word, the
// first in the top bits: the pattern, then, at the next word, the text. pair has a word more.
func (a Approx) ErrorsPacked(pair []uint32, n, m int) Errors {
	if !a.samples(n, m) {
		return ManyErrors
	}
	at := (n + packedLetters - 1) / packedLetters
	s := sample{packed: [2][]uint32{pair, pair[at:]}, n: n, m: m}
	if n > m {
		s.packed[0], s.packed[1], s.n, s.m = s.packed[1], s.packed[0], m, n
	}
	return s.errors()
}

// samples reports whether pairs of n and m letters are sampled.
func (a Approx) samples(n, m int) bool { return a.Band == 0 && min(n, m) >= sampleFrom }

// packedLetters is the number of letters of a packed word.
const packedLetters = 16

// sample looks for words of a pair's pattern in its text.
type sample struct {
	pattern, text []byte
	packed        [2][]uint32 // in place of these, or nil
	n, m          int         // letters
	k             int         // diagonal of the last word that was there
	near          int
	step          int // letters from one word to the next one looked for; negative from the end on
	tries         int // to find words further away
	missing, row  int // words, and of these the last ones in a row
	unlike        int // of row, the last ones that have no word beside them
}

func (s *sample) errors() Errors {
	const words = sampleWords
	step, most := (s.n-sampleLetters)/(words-1), sampleMissing
	s.near, s.step, s.tries = min(sampleNear+step/sampleWander, sampleMost), step, s.n/sampleTries
	at := 0
	for ; at < words && !s.lost(); at++ {
		if s.look(at * step); s.missing > most {
			return ManyErrors
		}
	}
	begin, end := s.k, s.m-s.n
	longest := 0 // of a stretch
	if s.lost() {
		at, s.missing = at-s.row, s.missing-s.row // those are looked for once more
		s.k, s.row, s.unlike, s.step, s.tries = end, 0, 0, -step, s.n/sampleTries
		for last := words - 1; last >= at; last-- {
			s.look(last * step)
			if s.unlike >= sampleRow {
				longest, most = max(longest, s.unlike), sampleBeside
			}
			if s.missing-longest > most || longest > sampleStretch || s.lost() && s.row == words-last {
				return ManyErrors
			}
		}
		end = s.k
	}
	if longest == 0 && abs(end-begin) <= sampleGap {
		return FewErrors
	}
	return FewAtEnds
}

// lost reports whether the last words are missing, as behind a long gap or in a stretch.
func (s *sample) lost() bool { return s.row >= sampleRow }

// look looks for the word at pattern letter v. Where it is missing and others may be, it looks
// further away, for there may be a gap.
func (s *sample) look(v int) {
	if s.find(v) {
		s.row, s.unlike = 0, 0
		return
	}
	s.missing++
	s.row++
	if s.unlike++; s.step < 0 && s.find(s.beside(v)) {
		s.unlike = 0
	}
	if s.tries == 0 || !s.lost() {
		return
	}
	s.tries--
	near := s.near
	s.near = min(s.n/sampleTimid, sampleFurther)
	gap := s.find(v)
	s.near = near
	if !gap {
		return
	}
	s.missing--
	if s.row > 1 && s.find(v-s.step) {
		s.missing--
		s.find(v)
	}
	s.row, s.unlike = 0, 0
}

// beside returns where the word beside that at pattern letter v begins.
func (s *sample) beside(v int) int {
	if v += sampleLetters; v+sampleLetters > s.n {
		v -= 2 * sampleLetters
	}
	return v
}

// find reports whether the text has the word at pattern letter v on a diagonal nearby, and goes on
// from the nearest one.
func (s *sample) find(v int) bool {
	if s.packed[0] != nil {
		return s.findPacked(v)
	}
	h := v + s.k
	for i := 0; i <= 2*s.near; i++ {
		if h = around(h, i); s.same(v, h) {
			s.k = h - v
			return true
		}
	}
	return false
}

// around returns the i-th of the places around one, from the (i-1)-th: to one side and to the other.
func around(h, i int) int {
	if i&1 == 0 {
		return h - i
	}
	return h + i
}

// same reports whether the words at pattern letter v and text letter h are the same.
func (s *sample) same(v, h int) bool {
	if uint(h) > uint(s.m-sampleLetters) {
		return false
	}
	p, t := s.pattern[v:], s.text[h:]
	return sameCodes(binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(t)) &&
		sameCodes(binary.LittleEndian.Uint64(p[8:]), binary.LittleEndian.Uint64(t[8:]))
}

// findPacked is find for packed letters.
func (s *sample) findPacked(v int) bool {
	word, text := packedWord(s.packed[0], v), s.packed[1]
	from := v + s.k
	if uint(from) <= uint(s.m-sampleLetters) && packedWord(text, from) == word {
		return true
	}
	if s.near <= packedLetters && from >= s.near && from+s.near+sampleLetters <= s.m {
		return s.findBeside(word, from)
	}
	best := s.near + 1
	h, last := max(from-s.near, 0), min(from+s.near, s.m-sampleLetters)
	for h <= last {
		i := uint(h) / packedLetters
		two := uint64(text[i])<<32 | uint64(text[i+1])
		two <<= 2 * (uint(h) % packedLetters)
		for end := min(last, int(i*packedLetters+packedLetters-1)); h <= end; h++ {
			if uint32(two>>32) == word && abs(h-from) <= abs(best) {
				best = h - from
			}
			two <<= 2
		}
	}
	if best > s.near {
		return false
	}
	s.k += best
	return true
}

// findBeside looks for a word on either side of a text letter, up to near letters away, of which
// there are as many as a word has at most. The nearest one counts.
func (s *sample) findBeside(word uint32, from int) bool {
	text := s.packed[1]
	behind, ahead := packedWords(text, from), packedWords(text, from-s.near)
	for d := 1; d <= s.near; d++ {
		if uint32(behind>>(32-2*d)) == word {
			s.k += d
			return true
		}
		if uint32(ahead>>(32-2*(s.near-d))) == word {
			s.k -= d
			return true
		}
	}
	return false
}

// packedWords returns 32 letters from one on.
func packedWords(s []uint32, at int) uint64 {
	i := uint(at) / packedLetters
	two := uint64(s[i])<<32 | uint64(s[i+1])
	by := 2 * (uint(at) % packedLetters)
	return two<<by | uint64(s[i+2])>>(32-by)
}

// packedWord returns the sixteen letters from one on.
func packedWord(s []uint32, at int) uint32 {
	i := uint(at) / packedLetters
	two := uint64(s[i])<<32 | uint64(s[i+1])
	return uint32(two >> (32 - 2*(uint(at)%packedLetters)))
}

// sameCodes reports whether eight letters are the same but for case, and for T and U: bits 1 and 2 tell bases apart.
func sameCodes(a, b uint64) bool { return (a^b)&0x0606060606060606 == 0 }
