package sam

import (
	"fmt"
	"slices"

	"wfagpu/align"
	"wfagpu/cigar"
	seqio "wfagpu/io"
	"wfagpu/io/internal/letters"
	"wfagpu/io/internal/line"
)

// Options selects what Append writes.
type Options struct {
	Style cigar.Style
	MD    bool // with MD:Z
	// Similarity says that scores are similarities, and not penalties.
	Similarity bool
	// Targets, if not nil, has the names that records may have.
	Targets *Targets
	// Leave, if not nil, says of every pair whether it is left out.
	Leave []bool
}

// Flags of a record.
const (
	flagUnmapped      = 0x4
	flagReverse       = 0x10
	flagSecondary     = 0x100
	flagSupplementary = 0x800
)

// maxName is the longest name of a query that BAM holds.
const maxName = 254

// Append appends a record for every pair of b, which must hold results with CIGARs, to dst and
// returns the extended slice. A pair that could not be aligned, is beyond the cutoff, or whose
// alignment has no letter of the target is an unmapped record. An error is a *seqio.RecordError;
// the records of the pairs before it are there.
//
// It keeps no state: batches may be formatted concurrently.
func Append(dst []byte, b *align.Batch, o Options) ([]byte, error) {
	dst = slices.Grow(dst, 64*len(b.Pairs)+len(b.Buf))
	ordinal := line.NewOrdinal(b.First)
	var r record
	for i := range b.Pairs {
		if i > 0 {
			ordinal.Next()
		}
		if o.Leave != nil && o.Leave[i] {
			continue
		}
		r.Pair, r.result = &b.Pairs[i], &b.Results[i]
		r.name, r.target = ordinal.Name(r.PatternName), ordinal.Name(r.TextName)
		if len(b.Origins) > 0 {
			r.from = &b.Origins[i]
		} else {
			r.whole = align.WholeOrigin(r.Pair)
			r.from = &r.whole
		}
		if r.from.Query != nil {
			r.letters, r.lead = r.from.Query, r.from.Lead(r.Pair)
		} else {
			r.letters, r.lead = r.Pattern, 0
		}
		r.kinds = kindsOf(r.letters)
		if why := r.fault(&o); why != "" {
			return dst, &seqio.RecordError{Record: b.First + int64(i), Line: r.from.Line, Query: string(r.name), Why: why}
		}
		if r.result.Err != nil || r.result.Score == align.Beyond || r.result.Place.TextBegin == r.result.Place.TextEnd || len(r.result.CIGAR) == 0 {
			dst = r.unmapped(dst)
		} else {
			dst = r.mapped(dst, &o)
		}
	}
	return dst, nil
}

// record is a pair with what its line is made of.
type record struct {
	*align.Pair
	result       *align.Result
	from         *align.Origin
	whole        align.Origin // what from points to where the batch has no origins
	name, target []byte
	letters      []byte // of the line, in the direction of the pattern
	lead         int    // of them before the pattern
	kinds        uint8  // of the letters
}

// fault says why the pair cannot stand in SAM, "" where it can.
func (r *record) fault(o *Options) string {
	switch {
	case len(r.name) > maxName:
		return fmt.Sprintf("the query name has %d bytes, and SAM takes %d", len(r.name), maxName)
	case len(r.name) == 0 || len(r.target) == 0:
		return "a name is empty"
	case r.name[0] == '@':
		return fmt.Sprintf("the query name %.80q starts with '@', as a header line of SAM does", string(r.name))
	case hasControl(r.name):
		return fmt.Sprintf("the query name %.80q has a control character, which SAM does not take", string(r.name))
	case r.kinds&star != 0:
		return "the query has the letter '*', which SAM has not"
	}
	if o.Targets != nil && (r.TextName != nil || !o.Targets.numbered()) {
		return o.Targets.fault(r.target, r.from.TargetLength)
	}
	return ""
}

// hasControl reports whether a name has a control character, or the space that ends one.
func hasControl(name []byte) bool {
	for _, c := range name {
		if c < '!' || c == 0x7f {
			return true
		}
	}
	return false
}

func (r *record) mapped(dst []byte, o *Options) []byte {
	place := &r.result.Place
	flags := 0
	if r.from.Reverse {
		flags |= flagReverse
	}
	if r.from.Secondary {
		flags |= flagSecondary
	}
	if r.from.Supplementary {
		flags |= flagSupplementary
	}
	dst = append(append(dst, r.name...), '\t')
	dst = append(line.AppendInt(dst, flags), '\t')
	dst = append(append(dst, r.target...), '\t')
	dst = append(line.AppendInt(dst, r.from.TargetStart+place.TextBegin+1), '\t')
	dst = append(line.AppendInt(dst, int(r.from.MapQ)), '\t')
	dst = r.cigar(dst, o.Style)
	dst = append(dst, "\t*\t0\t0\t"...)
	dst = append(r.sequence(dst), '\t')
	dst = orStar(dst, r.qualities())

	query, target := r.Pattern[place.PatternBegin:place.PatternEnd], r.Text[place.TextBegin:place.TextEnd]
	plain := r.kinds&ambiguous == 0
	dst = line.AppendInt(append(dst, "\tNM:i:"...), edits(r.result.CIGAR, query, plain))
	score := r.result.Score
	if !o.Similarity {
		score = -score
	}
	if score < 0 {
		dst, score = append(dst, "\tAS:i:-"...), -score
	} else {
		dst = append(dst, "\tAS:i:"...)
	}
	dst = line.AppendInt(dst, score)
	if o.MD {
		dst = appendMD(append(dst, "\tMD:Z:"...), r.result.CIGAR, query, target, plain)
	}
	return append(dst, '\n')
}

// cigar appends the alignment between its clips: hard ones for letters of the query that the
// input has not, soft ones for those that are not aligned.
func (r *record) cigar(dst []byte, style cigar.Style) []byte {
	place := &r.result.Place
	before, after := r.lead+place.PatternBegin, len(r.letters)-r.lead-place.PatternEnd
	hardBefore, hardAfter := 0, 0
	if r.from.Query == nil {
		hardBefore = r.from.Lead(r.Pair)
		hardAfter = r.from.QueryLength - hardBefore - len(r.Pattern)
	}
	dst = clip(dst, hardBefore, 'H')
	dst = clip(dst, before, 'S')
	if place.PatternEnd-place.PatternBegin+place.TextEnd-place.TextBegin <= cigar.MaxLen {
		dst = r.result.CIGAR.AppendText(dst, style)
	} else { // elements are short enough for samtools, their sums may be too long
		for i := range r.result.CIGAR {
			dst = r.result.CIGAR[i:i+1].AppendText(dst, style)
		}
	}
	dst = clip(dst, after, 'S')
	return clip(dst, hardAfter, 'H')
}

func clip(dst []byte, n int, op byte) []byte {
	for ; n > cigar.MaxLen; n -= cigar.MaxLen {
		dst = append(line.AppendInt(dst, cigar.MaxLen), op)
	}
	if n == 0 {
		return dst
	}
	return append(line.AppendInt(dst, n), op)
}

// sequence appends the letters, or '*' if there are none.
func (r *record) sequence(dst []byte) []byte {
	from := len(dst)
	dst = orStar(dst, r.letters)
	if r.kinds&rna != 0 {
		for i, b := range dst[from:] {
			dst[from+i] = asT(b)
		}
	}
	return dst
}

// qualities are those of the letters, nil where they are not known.
func (r *record) qualities() []byte {
	if len(r.from.Qualities) == len(r.letters) {
		return r.from.Qualities
	}
	return nil
}

// unmapped appends a record without an alignment, the query as it was read.
func (r *record) unmapped(dst []byte) []byte {
	dst = append(append(dst, r.name...), '\t')
	dst = append(line.AppendInt(dst, flagUnmapped), "\t*\t0\t0\t*\t*\t0\t0\t"...)
	if !r.from.Reverse {
		dst = append(r.sequence(dst), '\t')
		return append(orStar(dst, r.qualities()), '\n')
	}
	if len(r.letters) == 0 {
		return append(dst, "*\t*\n"...)
	}
	dst = append(letters.AppendReverseComplement(dst, r.letters), '\t')
	if values := r.qualities(); len(values) > 0 {
		return append(letters.AppendReverse(dst, values), '\n')
	}
	return append(dst, "*\n"...)
}

// orStar appends a field, which is '*' if it has nothing.
func orStar(dst, field []byte) []byte {
	if len(field) == 0 {
		return append(dst, '*')
	}
	return append(dst, field...)
}
