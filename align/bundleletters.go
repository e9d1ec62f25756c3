package align

import "encoding/binary"

// putLanes returns vectors of the letters of members, in dst's storage. Behind a sequence there is end;
// lanes without members have any letters.
func putLanes(dst []byte, lanes, letters int, members []*bundleMember, end byte, of func(*bundleMember) *sequence) []byte {
	dst = roomFor(dst, (letters+7)&^7*lanes)
	for lane := 0; lane < len(members); lane += 8 {
		eight := members[lane:min(lane+8, len(members))]
		for i := 0; i < letters; i += 8 {
			var w [8]uint64
			for k, m := range eight {
				w[k] = 0x0101010101010101 * uint64(end)
				if s := of(m); i < s.n {
					w[k] = load64(s.first(), i)
				}
			}
			transpose(&w)
			for k := range w {
				binary.LittleEndian.PutUint64(dst[(i+k)*lanes+lane:], w[k])
			}
		}
	}
	return dst
}

// transpose makes rows of bytes columns.
func transpose(w *[8]uint64) {
	for k := range 4 {
		swapBytes(&w[k], &w[k+4], 32, 0x00000000ffffffff)
	}
	for _, k := range [4]int{0, 1, 4, 5} {
		swapBytes(&w[k], &w[k+2], 16, 0x0000ffff0000ffff)
	}
	for _, k := range [4]int{0, 2, 4, 6} {
		swapBytes(&w[k], &w[k+1], 8, 0x00ff00ff00ff00ff)
	}
}

// swapBytes exchanges the parts of a above those of mask with those of b in mask.
func swapBytes(a, b *uint64, shift int, mask uint64) {
	t := (*a>>shift ^ *b) & mask
	*b ^= t
	*a ^= t << shift
}
