package formattest

import (
	"fmt"
	"strconv"
	"strings"
)

// Op is a run of a CIGAR.
type Op struct {
	Letter byte
	Length int
}

// ParseCIGAR reads a CIGAR of any operations.
func ParseCIGAR(text string) ([]Op, error) {
	var ops []Op
	for text != "" {
		i := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
		if i <= 0 {
			return nil, fmt.Errorf("no run at %q", text)
		}
		n, err := strconv.Atoi(text[:i])
		if err != nil || n == 0 {
			return nil, fmt.Errorf("a run of %s", text[:i])
		}
		if len(ops) > 0 && ops[len(ops)-1].Letter == text[i] {
			return nil, fmt.Errorf("two neighbouring runs of %c", text[i])
		}
		ops = append(ops, Op{text[i], n})
		text = text[i+1:]
	}
	return ops, nil
}

// Counts are what Replay finds.
type Counts struct {
	Matches, Mismatches   int
	Insertions, Deletions int // letters
	InsertionRuns         int
	DeletionRuns          int
	Penalty               int // for Penalties
}

// Columns is the length of the alignment.
func (c Counts) Columns() int { return c.Matches + c.Mismatches + c.Insertions + c.Deletions }

// Penalties are of a mismatch, and of opening and extending a gap.
type Penalties struct{ Mismatch, Open, Extend int }

// fold is a letter as it compares: in upper case, and U as T.
func fold(b byte) byte {
	if b >= 'a' && b <= 'z' {
		b -= 'a' - 'A'
	}
	if b == 'U' {
		b = 'T'
	}
	return b
}

// Replay checks that the runs turn query into target, both of which they consume. Clips are
// not among them.
func Replay(ops []Op, query, target string, p Penalties) (Counts, error) {
	var c Counts
	q, t := 0, 0
	for _, op := range ops {
		useQ, useT := op.Letter != 'D', op.Letter != 'I'
		if useQ && q+op.Length > len(query) || useT && t+op.Length > len(target) {
			return c, fmt.Errorf("%d%c runs past an end", op.Length, op.Letter)
		}
		switch op.Letter {
		case '=', 'X', 'M':
			for i := range op.Length {
				equal := fold(query[q+i]) == fold(target[t+i])
				if op.Letter != 'M' && equal != (op.Letter == '=') {
					return c, fmt.Errorf("%c at %d and %d over %c and %c", op.Letter, q+i, t+i, query[q+i], target[t+i])
				}
				if equal {
					c.Matches++
				} else {
					c.Mismatches++
				}
			}
		case 'I':
			c.Insertions += op.Length
			c.InsertionRuns++
		case 'D':
			c.Deletions += op.Length
			c.DeletionRuns++
		default:
			return c, fmt.Errorf("operation %c", op.Letter)
		}
		if useQ {
			q += op.Length
		}
		if useT {
			t += op.Length
		}
	}
	if q != len(query) || t != len(target) {
		return c, fmt.Errorf("the runs consume %d of %d and %d of %d letters", q, len(query), t, len(target))
	}
	c.Penalty = c.Mismatches*p.Mismatch + (c.InsertionRuns+c.DeletionRuns)*p.Open + (c.Insertions+c.Deletions)*p.Extend
	return c, nil
}

// Reverse is the reverse complement of DNA.
func Reverse(s string) string {
	pairs := map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A', 'N': 'N', 'a': 't', 'c': 'g', 'g': 'c', 't': 'a', 'n': 'n'}
	out := make([]byte, 0, len(s))
	for i := len(s) - 1; i >= 0; i-- {
		out = append(out, pairs[s[i]])
	}
	return string(out)
}

// tags splits TAG:TYPE:VALUE fields.
func tags(fields []string) (map[string]string, error) {
	all := map[string]string{}
	for _, f := range fields {
		parts := strings.SplitN(f, ":", 3)
		if len(parts) != 3 {
			return nil, fmt.Errorf("field %q is no tag", f)
		}
		key := parts[0] + ":" + parts[1]
		if _, twice := all[key]; twice {
			return nil, fmt.Errorf("tag %s is there twice", key)
		}
		all[key] = parts[2]
	}
	return all, nil
}

// numbers reads integers.
func numbers(fields ...string) ([]int, error) {
	var all []int
	for _, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no number", f)
		}
		all = append(all, n)
	}
	return all, nil
}

// isTag checks a number of a tag.
func isTag(tags map[string]string, key string, want int) error {
	if tags[key] != strconv.Itoa(want) {
		return fmt.Errorf("%s is %q, want %d", key, tags[key], want)
	}
	return nil
}
