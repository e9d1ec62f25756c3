package cigar

import (
	"errors"
	"fmt"
	"strconv"
)

// Style selects the letters an alignment is printed with.
type Style uint8

const (
	// Extended prints equal columns as '=' and differing ones as 'X'.
	Extended Style = iota
	// Classic prints both as 'M' and joins neighbouring runs, as most SAM
	// files do. It cannot be scored again, for M does not tell the two apart.
	Classic
)

// empty is the text of an alignment without columns, as in SAM.
const empty = "*"

// maxColumns bounds a parsed alignment, so that a few bytes of text cannot ask for
// gigabytes of elements. No sequence comes near it. It bounds all runs together:
// AppendText joins neighbouring ones.
const maxColumns = 1 << 36

// AppendText appends the alignment's text, such as 12=1X3I, to dst and returns
// the extended slice; "*" when there are no columns. Neighbouring elements
// printed with the same letter become one run. It allocates only to grow dst.
func (c CIGAR) AppendText(dst []byte, s Style) []byte {
	if len(c) == 0 {
		return append(dst, empty...)
	}
	letters := &extendedLetters
	if s == Classic {
		letters = &classicLetters
	}
	n, letter := c[0].Len(), letters[c[0]&15]
	for _, e := range c[1:] {
		if l := letters[e&15]; l != letter {
			dst = appendRun(dst, n, letter)
			n, letter = 0, l
		}
		n += e.Len()
	}
	return appendRun(dst, n, letter)
}

// appendRun writes one run. Most runs of a read alignment are short, and for
// those the digits are cheaper to place here than in strconv.
func appendRun(dst []byte, n int, letter byte) []byte {
	switch {
	case n < 10:
		return append(dst, byte('0'+n), letter)
	case n < 100:
		return append(dst, byte('0'+n/10), byte('0'+n%10), letter)
	case n < 1000:
		return append(dst, byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10), letter)
	}
	return append(strconv.AppendInt(dst, int64(n), 10), letter)
}

// String returns the alignment in extended style.
func (c CIGAR) String() string { return string(c.AppendText(nil, Extended)) }

// Parse reads what AppendText writes, in either style. "*" gives an empty
// alignment. The clipping, skip and padding operations of SAM (S, H, N, P) are
// errors, for a global alignment has none.
func Parse(text string) (CIGAR, error) {
	if text == empty {
		return nil, nil
	}
	if text == "" {
		return nil, errors.New("cigar: empty text; an alignment without columns is written *")
	}
	var c CIGAR
	columns := 0
	for i := 0; i < len(text); {
		start, n := i, 0
		for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			if n = n*10 + int(text[i]-'0'); n > maxColumns-columns {
				return nil, fmt.Errorf("cigar: position %d: the alignment has more than %d columns", start+1, maxColumns)
			}
		}
		columns += n
		switch {
		case i == len(text):
			return nil, fmt.Errorf("cigar: position %d: length %s has no operation after it", start+1, text[start:])
		case i == start:
			return nil, fmt.Errorf("cigar: position %d: want a length, found %q", i+1, text[i])
		case n == 0:
			return nil, fmt.Errorf("cigar: position %d: a run of length 0", start+1)
		}
		switch op := Op(text[i]); op {
		case Match, Mismatch, Ins, Del, AlignMatch:
			c = c.Append(op, n)
		default:
			return nil, fmt.Errorf("cigar: position %d: operation %q is none of = X I D M", i+1, text[i])
		}
		i++
	}
	return c, nil
}
