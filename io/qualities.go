package seqio

import (
	"fmt"
	"slices"

	"wfagpu/io/internal/letters"
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
	if letters.Values(s) {
		return -1
	}
	return slices.IndexFunc(s, func(b byte) bool { return b < '!' || b > '~' })
}
