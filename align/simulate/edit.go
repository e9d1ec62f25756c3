package simulate

import "slices"

type editKind uint8

const (
	mismatch editKind = iota
	insertion
	deletion
)

// edit is one error, placed on the coordinates of the sequence that it changes.
type edit struct {
	pos    int // the base it changes, precedes (insertion) or begins at (deletion)
	kind   editKind
	length int
}

// applyEdits appends the bases from with g.edits made in them to dst. It sorts the
// edits by position so that one pass over the bases is enough; edits at the
// same base act in the order they were drawn.
func (g *Generator) applyEdits(dst, from []byte) []byte {
	slices.SortStableFunc(g.edits, func(a, b edit) int { return a.pos - b.pos })
	next := 0 // first base not copied or deleted yet
	for _, e := range g.edits {
		if next < e.pos {
			dst = append(dst, from[next:e.pos]...)
			next = e.pos
		}
		switch e.kind {
		case insertion:
			dst = g.draw.bases(dst, e.length)
		case deletion:
			next = min(max(next, e.pos+e.length), len(from))
		case mismatch:
			if next == e.pos {
				dst = append(dst, g.draw.otherBase(from[e.pos]))
				next++
			}
		}
	}
	return append(dst, from[next:]...)
}
