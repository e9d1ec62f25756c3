package seqio

import "wfagpu/align"

// copyPair appends a copy of the pair to the batch: its bytes, in the order of
// layout, to Buf. When Buf has to move, the pairs before are cut anew from it. values are
// the qualities of the query, nil if it has none.
func copyPair(b *align.Batch, p align.Pair, values []byte) {
	start := len(b.Buf)
	moved := cap(b.Buf)-start < len(p.PatternName)+len(p.Pattern)+len(p.TextName)+len(p.Text)+len(values)
	b.Buf = append(b.Buf, p.PatternName...)
	b.Buf = append(b.Buf, p.Pattern...)
	b.Buf = append(b.Buf, p.TextName...)
	b.Buf = append(b.Buf, p.Text...)
	b.Buf = append(b.Buf, values...)
	if moved {
		rest := b.Buf
		for i := range b.Pairs {
			rest = layout(&b.Pairs[i], rest)
			if i < len(b.Origins) && b.Origins[i].Qualities != nil {
				rest = cut(&b.Origins[i].Qualities, rest)
			}
		}
	}
	rest := layout(&p, b.Buf[start:])
	if values != nil {
		cut(&values, rest)
	}
	appendPair(b, &p, values)
}

// appendPair appends the pair as it is to the batch. values are as for copyPair. All pairs of a batch
// get an origin, or none if no query has qualities.
func appendPair(b *align.Batch, p *align.Pair, values []byte) {
	b.Pairs = append(b.Pairs, *p)
	if values == nil && len(b.Origins) == 0 {
		return
	}
	for i := len(b.Origins); i < len(b.Pairs); i++ {
		b.Origins = append(b.Origins, align.WholeOrigin(&b.Pairs[i]))
	}
	b.Origins[len(b.Pairs)-1].Qualities = values
}

// layout points a pair's slices, whose lengths stay, at the start of buf, and
// returns what lies behind them.
func layout(p *align.Pair, buf []byte) []byte {
	buf = cut(&p.PatternName, buf)
	buf = cut(&p.Pattern, buf)
	buf = cut(&p.TextName, buf)
	return cut(&p.Text, buf)
}

// cut points a slice, whose length stays, at the start of buf, and returns what lies behind.
func cut(s *[]byte, buf []byte) []byte {
	n := len(*s)
	*s = buf[:n:n]
	return buf[n:]
}
