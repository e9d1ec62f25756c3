package seqio

import (
	"encoding/binary"
	"fmt"
)

// eachValues calls look with every line of quality values of a framed FASTQ record, without
// its end.
func eachValues(record []byte, look func(values []byte)) {
	letters := 0
	_, n := cutLine(record)
	for {
		text, m := cutLine(record[n:])
		n += m
		if len(text) > 0 && text[0] == '+' {
			break
		}
		letters += len(text)
	}
	for letters > 0 {
		values, m := cutLine(record[n:])
		n += m
		letters -= len(values)
		look(values)
	}
}

// hideHeaders overwrites what bio may take for a header in a framed FASTQ record: a line of
// quality values that starts with '@'. At each, bio would parse the whole record so far.
func hideHeaders(record []byte) {
	eachValues(record, func(values []byte) {
		if len(values) > 0 && values[0] == '@' {
			values[0] = 'A'
		}
	})
}

// qualitiesOf returns the quality values of a framed FASTQ record: a part of it or, where there
// are several lines of them, a copy.
func qualitiesOf(record []byte) []byte {
	var all []byte
	eachValues(record, func(values []byte) {
		if all == nil {
			all = values[:len(values):len(values)]
		} else {
			all = append(all, values...)
		}
	})
	return all
}

// checkQualities refuses bytes that are no quality values: they are printable.
func checkQualities(values []byte) error {
	if i := badQuality(values); i >= 0 {
		return fmt.Errorf("quality value %d: %s is outside '!' to '~'", i+1, showByte(values[i]))
	}
	return nil
}

// badQuality returns the index of the first byte that is no quality value of FASTQ, '!' to
// '~', or -1.
func badQuality(s []byte) int {
	i := 0
	for ; len(s)-i >= 32; i += 32 {
		w := s[i : i+32 : i+32]
		if badValues(w)|badValues(w[8:])|badValues(w[16:])|badValues(w[24:]) != 0 {
			break
		}
	}
	for ; len(s)-i >= 8 && badValues(s[i:]) == 0; i += 8 {
	}
	for ; i < len(s); i++ {
		if s[i] < '!' || s[i] > '~' {
			return i
		}
	}
	return -1
}

// badValues is 0 if the first eight bytes are quality values: none has its high bit set or gets it
// from an addition of 1, and none loses it, if it had it, by a subtraction of '!'.
func badValues(s []byte) uint64 {
	const each = 0x0101010101010101
	w := binary.LittleEndian.Uint64(s)
	return (w | (w + each) | ^((w | 0x80*each) - '!'*each)) & (0x80 * each)
}
