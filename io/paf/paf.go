// Package paf writes alignments in PAF, the format of minimap2.
//
// A line has the twelve columns, in the coordinates of the whole sequences, and these tags:
//
//	NM:i  columns that are no matches
//	AS:i  the similarity, or the penalty below 0
//	de:f  gap-compressed divergence: differences by columns, where a gap counts as one
//	tp:A  S, for secondary places alone
//	cg:Z  the CIGAR
//	cs:Z  the alignment with its letters, if it is asked for
//
// PAF has no line for a pair without an alignment: one that could not be aligned, is beyond
// the cutoff, or has an alignment without columns.
package paf

import (
	"bytes"
	"slices"

	"wfagpu/align"
	"wfagpu/cigar"
	seqio "wfagpu/io"
	"wfagpu/io/internal/line"
)

// Options selects what Append writes.
type Options struct {
	Style cigar.Style
	CS    bool // with cs:Z
	// Similarity says that scores are similarities, and not penalties.
	Similarity bool
	// Leave, if not nil, says of every pair whether it is left out.
	Leave []bool
}

// Append appends a line for every pair of b that has an alignment, which must hold results
// with CIGARs, to dst and returns the extended slice. An error is a *seqio.RecordError; the lines of the
// pairs before it are there.
//
// It keeps no state: batches may be formatted concurrently.
func Append(dst []byte, b *align.Batch, o Options) ([]byte, error) {
	dst = slices.Grow(dst, 96*len(b.Pairs))
	ordinal := line.NewOrdinal(b.First)
	var whole align.Origin
	from := &whole
	for i := range b.Pairs {
		if i > 0 {
			ordinal.Next()
		}
		r := &b.Results[i]
		if r.Err != nil || len(r.CIGAR) == 0 || o.Leave != nil && o.Leave[i] {
			continue
		}
		p := &b.Pairs[i]
		if o.CS && (bytes.IndexByte(p.Pattern, '*') >= 0 || bytes.IndexByte(p.Text, '*') >= 0) {
			return dst, &seqio.RecordError{Record: b.First + int64(i), Line: b.Origin(i).Line, Query: string(ordinal.Name(p.PatternName)), Why: "the letter '*' has no place in a cs tag"}
		}
		if len(b.Origins) > 0 {
			from = &b.Origins[i]
		} else {
			whole = align.WholeOrigin(p)
		}
		dst = record(dst, p, r, from, &ordinal, &o)
	}
	return dst, nil
}

func record(dst []byte, p *align.Pair, r *align.Result, from *align.Origin, ordinal *line.Ordinal, o *Options) []byte {
	place := from.Place(p, r.Place)
	columns := r.CIGAR.Columns()

	dst = append(dst, ordinal.Name(p.PatternName)...)
	dst = number(dst, from.QueryLength)
	dst = number(dst, place.PatternBegin)
	dst = number(dst, place.PatternEnd)
	if from.Reverse {
		dst = append(dst, "\t-\t"...)
	} else {
		dst = append(dst, "\t+\t"...)
	}
	dst = append(dst, ordinal.Name(p.TextName)...)
	dst = number(dst, from.TargetLength)
	dst = number(dst, place.TextBegin)
	dst = number(dst, place.TextEnd)
	dst = number(dst, columns.Matches)
	dst = number(dst, columns.All())
	dst = number(dst, int(from.MapQ))

	dst = line.AppendInt(append(dst, "\tNM:i:"...), columns.Edits())
	score := r.Score
	if !o.Similarity {
		score = -score
	}
	if score < 0 {
		dst, score = append(dst, "\tAS:i:-"...), -score
	} else {
		dst = append(dst, "\tAS:i:"...)
	}
	dst = line.AppendInt(dst, score)
	dst = divergence(append(dst, "\tde:f:"...), columns)
	if from.Secondary {
		dst = append(dst, "\ttp:A:S"...)
	}
	dst = r.CIGAR.AppendText(append(dst, "\tcg:Z:"...), o.Style)
	if o.CS {
		l := r.Place
		dst = r.CIGAR.AppendCS(append(dst, "\tcs:Z:"...), p.Pattern[l.PatternBegin:l.PatternEnd], p.Text[l.TextBegin:l.TextEnd])
	}
	return append(dst, '\n')
}

func number(dst []byte, n int) []byte { return line.AppendInt(append(dst, '\t'), n) }

// divergence appends the gap-compressed divergence, rounded to four digits.
func divergence(dst []byte, n cigar.Columns) []byte {
	different := n.Mismatches + n.Gaps
	all := n.Matches + different
	share := (2*10000*different + all) / (2 * all)
	return append(dst, byte('0'+share/10000), '.',
		byte('0'+share/1000%10), byte('0'+share/100%10), byte('0'+share/10%10), byte('0'+share%10))
}
