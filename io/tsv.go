package seqio

import (
	"slices"
	"strconv"

	"wfagpu/align"
	"wfagpu/cigar"
)

// The columns AppendTSV writes, with and without CIGARs.
const (
	TSVHeader          = "query_name\ttarget_name\tscore\tcigar\n"
	TSVHeaderScoreOnly = "query_name\ttarget_name\tscore\n"
)

// TSVOptions selects what AppendTSV writes. The zero value writes all columns.
type TSVOptions struct {
	ScoreOnly bool // leave the CIGAR column out
	Style     cigar.Style
}

// AppendTSV appends one line for every pair of b, which must hold results, to
// dst and returns the extended slice: query name, target name, score, CIGAR.
// Names are cut at the first white space; a pair without names shows its ordinal
// in both columns. A pair whose score is align.Beyond has -1 and '*'. A pair whose result
// is an error has '*' for score and CIGAR, so that lines keep matching the input.
//
// It keeps no state: batches may be formatted concurrently.
func AppendTSV(dst []byte, b *align.Batch, o TSVOptions) []byte {
	// Most lines are longer; a later growth of the buffer copies little.
	dst = slices.Grow(dst, 32*len(b.Pairs))
	var digits [20]byte // enough for every int64
	ordinal := strconv.AppendInt(digits[:0], b.First, 10)
	for i := range b.Pairs {
		p, r := &b.Pairs[i], &b.Results[i]
		if i > 0 {
			ordinal = increment(ordinal)
		}
		dst = append(appendName(dst, p.PatternName, ordinal), '\t')
		dst = append(appendName(dst, p.TextName, ordinal), '\t')
		if r.Err != nil {
			dst = append(dst, '*')
		} else {
			dst = strconv.AppendInt(dst, int64(r.Score), 10)
		}
		if !o.ScoreOnly {
			dst = append(dst, '\t')
			if r.Err != nil {
				dst = append(dst, '*')
			} else {
				dst = r.CIGAR.AppendText(dst, o.Style)
			}
		}
		dst = append(dst, '\n')
	}
	return dst
}

func appendName(dst, name, ordinal []byte) []byte {
	if name == nil {
		return append(dst, ordinal...)
	}
	return append(dst, firstWord(name)...)
}

// increment adds 1 to a number in decimal digits. Counting takes less time than
// printing every number anew.
func increment(digits []byte) []byte {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] < '9' {
			digits[i]++
			return digits
		}
		digits[i] = '0'
	}
	digits = append(digits, '0')
	digits[0] = '1'
	return digits
}
