package aligntest

import (
	"wfagpu/align"
	"wfagpu/cigar"
)

// infinity is a score no alignment reaches; it leaves room for additions.
const infinity = 1 << 40

// cell holds the best scores of aligning a pattern prefix to a text prefix:
// m whatever the last column is, i and d when it is an insertion or deletion.
type cell struct{ m, i, d int }

// Gotoh aligns a pair by the quadratic dynamic program with three states per
// cell (Gotoh 1982) and returns the optimal penalty with one alignment that
// has it. It stores the whole matrix and is for short pairs.
func Gotoh(pattern, text []byte, p align.Penalties) (int, cigar.CIGAR) {
	n, m := len(pattern), len(text)
	open, extend := p.GapOpen+p.GapExtend, p.GapExtend

	rows := make([][]cell, n+1)
	for v := range rows {
		rows[v] = make([]cell, m+1)
		for h := range rows[v] {
			c := cell{infinity, infinity, infinity}
			if v == 0 && h == 0 {
				c.m = 0
			}
			if v > 0 {
				up := rows[v-1][h]
				c.i = min(up.m+open, up.i+extend)
			}
			if h > 0 {
				left := rows[v][h-1]
				c.d = min(left.m+open, left.d+extend)
			}
			if v > 0 && h > 0 {
				c.m = rows[v-1][h-1].m + substitution(pattern[v-1], text[h-1], p)
			}
			c.m = min(c.m, c.i, c.d)
			rows[v][h] = c
		}
	}
	return rows[n][m].m, gotohTraceback(rows, pattern, text, p)
}

// gotohTraceback goes back from the last cell to the first, at each step to any predecessor that
// explains the cell's score.
func gotohTraceback(rows [][]cell, pattern, text []byte, p align.Penalties) cigar.CIGAR {
	open := p.GapOpen + p.GapExtend
	var c cigar.CIGAR
	v, h := len(pattern), len(text)
	gap := cigar.Op(0) // the open gap's operation, when inside one
	for v > 0 || h > 0 {
		at := rows[v][h]
		switch {
		case gap == cigar.Ins || gap == 0 && at.m == at.i:
			gap = cigar.Ins
			if at.i == rows[v-1][h].m+open {
				gap = 0
			}
			c = c.Append(cigar.Ins, 1)
			v--
		case gap == cigar.Del || gap == 0 && at.m == at.d:
			gap = cigar.Del
			if at.d == rows[v][h-1].m+open {
				gap = 0
			}
			c = c.Append(cigar.Del, 1)
			h--
		case sameLetter(pattern[v-1], text[h-1]):
			c = c.Append(cigar.Match, 1)
			v, h = v-1, h-1
		default:
			c = c.Append(cigar.Mismatch, 1)
			v, h = v-1, h-1
		}
	}
	c.Reverse()
	return c
}

// substitution is the cost of a column that holds both letters.
func substitution(a, b byte, p align.Penalties) int {
	if sameLetter(a, b) {
		return 0
	}
	return p.Mismatch
}

func sameLetter(a, b byte) bool { return cigar.Canonical[a] == cigar.Canonical[b] }
