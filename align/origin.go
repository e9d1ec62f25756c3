package align

// Origin is where the two sequences of a pair come from, and what came with them. Formats
// report places in the whole sequences, see Whole.
type Origin struct {
	// QueryLength and TargetLength are the lengths of the whole sequences.
	QueryLength, TargetLength int
	// QueryStart and TargetStart are where the pair's stretches begin, from 0. That of
	// the query counts in the direction of the input, also with Reverse.
	QueryStart, TargetStart int
	// Reverse says that Pattern is the reverse complement of its stretch of the query.
	Reverse bool
	// Secondary and Supplementary are what SAM means by them: another place of a query,
	// and a further part of one that is split.
	Secondary, Supplementary bool
	// MapQ is the quality of the place, UnknownMapQ where the input has none.
	MapQ uint8
	// Line is that of the pair's hit in its file, from 1; 0 for a pair without one.
	Line int64
	// Query, if not nil, is the whole query in the direction of Pattern, which is a part
	// of it: see Lead.
	Query []byte
	// Qualities are those of the letters of Query or, where that is nil, of Pattern, in the
	// same direction: printable, as in FASTQ. They are nil where the input has none.
	Qualities []byte
}

// UnknownMapQ is the quality of a place that nothing is known of.
const UnknownMapQ = 255

// Lead is how many letters of the query precede p's pattern in the pattern's direction.
func (o *Origin) Lead(p *Pair) int {
	if o.Reverse {
		return o.QueryLength - o.QueryStart - len(p.Pattern)
	}
	return o.QueryStart
}

// Place returns the place in the whole sequences of an alignment of p that covers l. That of
// the query counts in the direction of the input.
func (o *Origin) Place(p *Pair, l Place) Place {
	if o.Reverse {
		l.PatternBegin, l.PatternEnd = len(p.Pattern)-l.PatternEnd, len(p.Pattern)-l.PatternBegin
	}
	l.PatternBegin += o.QueryStart
	l.PatternEnd += o.QueryStart
	l.TextBegin += o.TargetStart
	l.TextEnd += o.TargetStart
	return l
}

// WholeOrigin is that of a pair of whole sequences.
func WholeOrigin(p *Pair) Origin {
	return Origin{QueryLength: len(p.Pattern), TargetLength: len(p.Text), MapQ: UnknownMapQ}
}

// Origin returns that of pair i.
func (b *Batch) Origin(i int) Origin {
	if len(b.Origins) > 0 {
		return b.Origins[i]
	}
	return WholeOrigin(&b.Pairs[i])
}
