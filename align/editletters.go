package align

import "encoding/binary"

// editLetters are the letters of a pair in three bits each: of the pattern in planes, one bit of
// 64 letters to a word, of the text as bytes.
type editLetters struct {
	encoder *editEncoder
	planes  [3][]uint64
	text    []byte // codes, between pad undefined ones on each side
	pad     int
	// masks, for the vector kernel, has the three planes of the text back to front, as bytes 0
	// and 255, each stride long. Letter i of plane p is masks[p*stride+origin-i].
	masks          []byte
	stride, origin int

	translated [2]sequence
}

// editCodes are the letters that stand for the codes from 0 on: bits 1 to 3 of each are its code.
const editCodes = "ACTGHJLN"

// editGroup is the number of letters that are encoded at a time.
const editGroup = 64

// editEncoder has the routines that encode whole groups of letters. They report false if not all
// of them are among editCodes.
type editEncoder struct {
	// pattern writes the planes of src from word at on.
	pattern func(planes *[3][]uint64, at int, src []byte) bool
	// text writes the codes of src and, unless masks is empty, their masks, the first one to
	// the last element. Those of the further planes are stride and 2·stride after these.
	text func(codes, masks []byte, stride int, src []byte) bool
}

// load encodes a pair; with masks is for the vector kernel. It reports false for a pair with more
// kinds of letters than there are codes.
func (l *editLetters) load(pattern, text *sequence, masks bool) bool {
	if l.encode(pattern, text, masks) {
		return true
	}
	return l.translate(pattern, text) && l.encode(&l.translated[0], &l.translated[1], masks)
}

// encode reports false if the pair has letters that are not among editCodes.
func (l *editLetters) encode(pattern, text *sequence, masks bool) bool {
	strips := (pattern.n + 63) / 64
	for p := range l.planes {
		l.planes[p] = roomFor(l.planes[p], strips+editLanes)
	}
	// Strips run ahead of the column of the last one, and behind that of the first one.
	l.pad = strips + editLanes + editSteps
	l.text = roomFor(l.text, text.n+2*l.pad)
	l.origin, l.stride = text.n+l.pad, text.n+2*l.pad
	if masks {
		l.masks = roomFor(l.masks, 3*l.stride)
	}
	to := func(i int) []byte {
		if !masks {
			return nil
		}
		return l.masks[:l.origin-i+1]
	}

	letters, whole := pattern.letters(), pattern.n&^(editGroup-1)
	ok := whole == 0 || l.encoder.pattern(&l.planes, 0, letters[:whole])
	if whole < pattern.n {
		rest := restOf(letters[whole:])
		ok = l.encoder.pattern(&l.planes, whole/64, rest[:]) && ok
	}
	letters, whole = text.letters(), text.n&^(editGroup-1)
	if whole > 0 {
		ok = l.encoder.text(l.text[l.pad:], to(0), l.stride, letters[:whole]) && ok
	}
	if whole < text.n {
		rest := restOf(letters[whole:])
		ok = l.encoder.text(l.text[l.pad+whole:], to(whole), l.stride, rest[:]) && ok
	}
	return ok
}

// restOf completes a group.
func restOf(letters []byte) (group [editGroup]byte) {
	for i := copy(group[:], letters); i < len(group); i++ {
		group[i] = editCodes[0]
	}
	return group
}

// translate replaces the letters of a pair by those of editCodes. Letters that occur in the text
// alone need only differ from the others.
func (l *editLetters) translate(pattern, text *sequence) bool {
	var code [256]byte
	kinds := 0
	for _, c := range pattern.letters() {
		if code[c] == 0 {
			if kinds == len(editCodes) {
				return false
			}
			code[c] = editCodes[kinds]
			kinds++
		}
	}
	for _, c := range text.letters() {
		if code[c] == 0 {
			if kinds == len(editCodes) {
				return false
			}
			code[c] = editCodes[kinds]
		}
	}
	for i, s := range [2]*sequence{pattern, text} {
		to := l.translated[i].guarded(s.n, patternPad)
		for j, c := range s.letters() {
			to[j] = code[c]
		}
	}
	return true
}

// editEncoderGo makes no masks, for only vector kernels read them.
var editEncoderGo = &editEncoder{
	pattern: func(planes *[3][]uint64, at int, src []byte) bool {
		var bad uint64
		for ; len(src) > 0; at, src = at+1, src[editGroup:] {
			var a, b, c uint64
			for i := 0; i < editGroup; i += 8 {
				x, y, z, odd := editBits(binary.LittleEndian.Uint64(src[i:]))
				bad |= odd
				a |= x * gatherBits >> 56 << i
				b |= y * gatherBits >> 56 << i
				c |= z * gatherBits >> 56 << i
			}
			planes[0][at], planes[1][at], planes[2][at] = a, b, c
		}
		return bad == 0
	},
	text: func(codes, _ []byte, _ int, src []byte) bool {
		var bad uint64
		codes = codes[:len(src)]
		for i := 0; i+8 <= len(src); i += 8 {
			x, y, z, odd := editBits(binary.LittleEndian.Uint64(src[i:]))
			bad |= odd
			binary.LittleEndian.PutUint64(codes[i:], x|y<<1|z<<2)
		}
		return bad == 0
	},
}

// gatherBits times a word of bytes 0 and 1 has their bits in the high byte.
const gatherBits = 0x0102040810204080
