package seqio

import (
	"slices"
	"strconv"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/io/internal/line"
)

// TSVOptions selects what AppendTSV writes. The zero value writes query name, target name,
// score and CIGAR.
type TSVOptions struct {
	ScoreOnly bool // leave the CIGAR column out
	Style     cigar.Style
	// Coordinates adds the columns of begins and ends.
	Coordinates bool
	// Columns, if there are any, take the place of all these.
	Columns []Column
	// Leave, if not nil, says of every pair whether it is left out.
	Leave []bool
}

// columns are those to write.
func (o *TSVOptions) columns() []Column {
	if len(o.Columns) > 0 {
		return o.Columns
	}
	switch {
	case o.ScoreOnly && o.Coordinates:
		return scoresPlaced
	case o.ScoreOnly:
		return scoresPlaced[:3]
	case o.Coordinates:
		return usualPlaced
	}
	return usualPlaced[:4]
}

// The usual columns with the coordinates behind them, with and without the CIGAR.
var (
	usualPlaced  = []Column{QueryName, TargetName, Score, CIGARText, QueryStart, QueryEnd, TargetStart, TargetEnd}
	scoresPlaced = slices.Delete(slices.Clone(usualPlaced), 3, 4)
)

// TSVHeader returns the line of column names.
func TSVHeader(o TSVOptions) string {
	text := ""
	for _, c := range o.columns() {
		text += "\t" + c.String()
	}
	return text[1:] + "\n"
}

// AppendTSV appends one line for every pair of b, which must hold results, to
// dst and returns the extended slice. Names are cut at the first white space; a pair
// without names shows its ordinal as both. A pair whose score is align.Beyond has -1, and
// '*' in the columns of its alignment. A pair whose result is an error has '*' for the score,
// too, so that lines keep matching the input. An alignment without columns has the
// identity '*'.
//
// It keeps no state: batches may be formatted concurrently.
func AppendTSV(dst []byte, b *align.Batch, o TSVOptions) []byte {
	// Most lines are longer; a later growth of the buffer copies little.
	dst = slices.Grow(dst, 32*len(b.Pairs))
	w := tsvWriter{style: o.Style, columns: o.columns(), ordinal: line.NewOrdinal(b.First)}
	w.counted = slices.ContainsFunc(w.columns, func(c Column) bool { return c >= Identity && c <= GapLetters })
	usual := len(o.Columns) == 0 && !o.Coordinates
	for i := range b.Pairs {
		if i > 0 {
			w.ordinal.Next()
		}
		switch {
		case o.Leave != nil && o.Leave[i]:
		case usual:
			dst = w.usualLine(dst, &b.Pairs[i], &b.Results[i], o.ScoreOnly)
		default:
			dst = w.line(dst, b, i)
		}
	}
	return dst
}

type tsvWriter struct {
	columns []Column
	counted bool // some show the counts of columns
	style   cigar.Style
	ordinal line.Ordinal

	// Of the pair that is written:
	counts cigar.Columns
	origin align.Origin
	place  align.Place // in the whole sequences
}

// usualLine is line for the usual columns, in half the time.
func (w *tsvWriter) usualLine(dst []byte, p *align.Pair, r *align.Result, scoreOnly bool) []byte {
	dst = append(append(dst, w.ordinal.Name(p.PatternName)...), '\t')
	dst = append(append(dst, w.ordinal.Name(p.TextName)...), '\t')
	if r.Err != nil {
		dst = append(dst, '*')
	} else {
		dst = appendScore(dst, r.Score)
	}
	if scoreOnly {
		return append(dst, '\n')
	}
	dst = append(dst, '\t')
	if r.Err != nil {
		dst = append(dst, '*')
	} else {
		dst = r.CIGAR.AppendText(dst, w.style)
	}
	return append(dst, '\n')
}

func (w *tsvWriter) line(dst []byte, b *align.Batch, i int) []byte {
	p, r := &b.Pairs[i], &b.Results[i]
	aligned := r.Err == nil && r.Score != align.Beyond
	if w.counted {
		w.counts = r.CIGAR.Columns()
	}
	located := false
	for k, c := range w.columns {
		if k > 0 {
			dst = append(dst, '\t')
		}
		switch {
		case c == QueryName:
			dst = append(dst, w.ordinal.Name(p.PatternName)...)
		case c == TargetName:
			dst = append(dst, w.ordinal.Name(p.TextName)...)
		case c == Score && r.Err == nil:
			dst = appendScore(dst, r.Score)
		case c == CIGARText && aligned:
			dst = r.CIGAR.AppendText(dst, w.style)
		case c == CSText && aligned:
			dst = appendCS(dst, p, r)
		case c >= QueryLength && c <= Strand:
			if !located {
				w.origin, located = b.Origin(i), true
				w.place = w.origin.Place(p, r.Place)
			}
			dst = w.location(dst, c, aligned)
		case c >= Identity && c <= GapLetters && aligned:
			dst = w.count(dst, c)
		default:
			dst = append(dst, '*')
		}
	}
	return append(dst, '\n')
}

// appendScore writes a score; -1 stands for those beyond the cutoff.
func appendScore(dst []byte, score int) []byte {
	if score == align.Beyond {
		score = -1
	}
	return strconv.AppendInt(dst, int64(score), 10)
}

// location appends a column of lengths, positions or the strand.
func (w *tsvWriter) location(dst []byte, c Column, aligned bool) []byte {
	n := 0
	switch c {
	case QueryLength:
		return strconv.AppendInt(dst, int64(w.origin.QueryLength), 10)
	case TargetLength:
		return strconv.AppendInt(dst, int64(w.origin.TargetLength), 10)
	case Strand:
		if w.origin.Reverse {
			return append(dst, '-')
		}
		return append(dst, '+')
	case QueryStart:
		n = w.place.PatternBegin
	case QueryEnd:
		n = w.place.PatternEnd
	case TargetStart:
		n = w.place.TextBegin
	case TargetEnd:
		n = w.place.TextEnd
	}
	if !aligned {
		return append(dst, '*')
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

// count appends a column of counts.
func (w *tsvWriter) count(dst []byte, c Column) []byte {
	n := 0
	switch c {
	case Identity:
		return appendIdentity(dst, w.counts)
	case Matches:
		n = w.counts.Matches
	case Mismatches:
		n = w.counts.Mismatches
	case Gaps:
		n = w.counts.Gaps
	case GapLetters:
		n = w.counts.Insertions + w.counts.Deletions
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

// appendIdentity appends an identity with six digits behind the point.
func appendIdentity(dst []byte, n cigar.Columns) []byte {
	all := n.All()
	if all == 0 {
		return append(dst, '*')
	}
	share := cigar.PerMillion - cigar.Difference(int64(n.Matches), int64(all))
	dst = append(dst, byte('0'+share/cigar.PerMillion), '.')
	share %= cigar.PerMillion
	for unit := cigar.PerMillion / 10; unit > 0; unit /= 10 {
		dst = append(dst, byte('0'+share/unit%10))
	}
	return dst
}

// appendCS appends the cs tag's text, '*' for an alignment without columns.
func appendCS(dst []byte, p *align.Pair, r *align.Result) []byte {
	if len(r.CIGAR) == 0 {
		return append(dst, '*')
	}
	l := r.Place
	return r.CIGAR.AppendCS(dst, p.Pattern[l.PatternBegin:l.PatternEnd], p.Text[l.TextBegin:l.TextEnd])
}
