package cigar

// Columns counts the columns of an alignment by their operation, and its gaps.
type Columns struct {
	Matches, Mismatches, Insertions, Deletions int
	// Gaps are the maximal runs of I and of D.
	Gaps int
}

// Columns counts. A column of M, of which nothing is known, counts as a mismatch.
func (c CIGAR) Columns() Columns {
	var n Columns
	prev := Elem(noCode)
	for _, e := range c {
		code := e & 15
		switch code {
		case codeMatch:
			n.Matches += e.Len()
		case codeIns, codeDel:
			if code == codeIns {
				n.Insertions += e.Len()
			} else {
				n.Deletions += e.Len()
			}
			if code != prev {
				n.Gaps++
			}
		default:
			n.Mismatches += e.Len()
		}
		prev = code
	}
	return n
}

// All is the number of columns.
func (n Columns) All() int { return n.Matches + n.Edits() }

// Edits is the number of columns that are no matches.
func (n Columns) Edits() int { return n.Mismatches + n.Insertions + n.Deletions }

// PerMillion is the unit of Difference: an alignment without a match has this many.
const PerMillion = 1_000_000

// Difference is 1 - identity in millionths, rounded down, where the identity is the share of
// the columns that are matches. Only an alignment without a difference has 0. There have to be
// columns.
func Difference(matches, columns int64) int {
	different := columns - matches
	share := int(float64(different) * PerMillion / float64(columns))
	if share == 0 && different > 0 {
		share = 1
	}
	return share
}
