package cigar

import "strconv"

// AppendCS appends the alignment of query with target as minimap2's cs tag in its short form:
// :n for n matches, *tq for a mismatch of the letters t and q, +qq and -tt for letters that
// the query and the target have alone, all in lower case. The alignment must have
// no M and consume both sequences.
func (c CIGAR) AppendCS(dst, query, target []byte) []byte {
	q, t, matches := 0, 0, 0
	flush := func() {
		if matches > 0 {
			dst = strconv.AppendInt(append(dst, ':'), int64(matches), 10)
			matches = 0
		}
	}
	prev := Elem(noCode)
	for _, e := range c {
		n, code := e.Len(), e&15
		if code == codeMatch {
			matches += n
			q, t, prev = q+n, t+n, code
			continue
		}
		flush()
		switch code {
		case codeMismatch:
			for i := range n {
				dst = append(dst, '*', lower(target[t+i]), lower(query[q+i]))
			}
			q, t = q+n, t+n
		case codeIns:
			if code != prev {
				dst = append(dst, '+')
			}
			dst = appendLower(dst, query[q:q+n])
			q += n
		case codeDel:
			if code != prev {
				dst = append(dst, '-')
			}
			dst = appendLower(dst, target[t:t+n])
			t += n
		}
		prev = code
	}
	flush()
	return dst
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

func appendLower(dst, letters []byte) []byte {
	for _, b := range letters {
		dst = append(dst, lower(b))
	}
	return dst
}
