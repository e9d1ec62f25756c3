package align

import "wfagpu/cigar"

// Pair is one alignment task. Pattern is the query (read, vertical v) and Text
// the target (reference stretch, horizontal h). The slices usually point into
// the storage of the Batch that holds the pair.
type Pair struct {
	Pattern, Text         []byte
	PatternName, TextName []byte // nil where the input carries no names
}

// Result is what an engine reports for one Pair.
type Result struct {
	// Score is the optimal score: the least penalty, 0 for equal sequences, or with a
	// match score the greatest similarity; in approximate mode one that is no better. It
	// is Beyond if it is Options.Cutoff or more.
	Score int
	// CIGAR is empty in score-only mode. Its storage is reused by the next
	// call that is given the same Batch.
	CIGAR cigar.CIGAR
	// Place is the part of the pair that the alignment covers. In score-only mode it is
	// known for global alignments alone, and zero for others.
	Place Place
	// Err is set when this pair, and only this pair, could not be aligned.
	Err error
}

// Batch is a run of consecutive pairs with room for their results.
type Batch struct {
	Pairs   []Pair
	Results []Result // len(Results) == len(Pairs) once an engine has run
	// Origins is as long as Pairs, or empty where all pairs are whole sequences without
	// qualities.
	Origins []Origin
	// First is the input ordinal, from 1, of Pairs[0].
	First int64
	// Buf and Blocks back the pairs' bytes; they belong to whoever fills the batch.
	Buf    []byte
	Blocks [][]byte
}

// Reset empties the batch and keeps its storage for reuse.
func (b *Batch) Reset() {
	b.Pairs = b.Pairs[:0]
	b.Results = b.Results[:0]
	b.Origins = b.Origins[:0]
	b.Buf = b.Buf[:0]
	b.First = 0
}

// Stored returns the size of the storage that backs the pairs' bytes.
func (b *Batch) Stored() int {
	n := cap(b.Buf)
	for _, block := range b.Blocks {
		n += cap(block)
	}
	return n
}

// Bases returns the summed length of all patterns and texts.
func (b *Batch) Bases() int {
	n := 0
	for i := range b.Pairs {
		n += len(b.Pairs[i].Pattern) + len(b.Pairs[i].Text)
	}
	return n
}

// PrepareResults makes Results as long as Pairs, with the places of global alignments. It
// reuses the CIGAR storage of earlier results, with length 0.
func (b *Batch) PrepareResults() {
	b.SizeResults()
	for i := range b.Results {
		b.PrepareResult(i)
	}
}

// PrepareResult empties the result of a pair, as PrepareResults does, and returns it.
func (b *Batch) PrepareResult(i int) *Result {
	r := &b.Results[i]
	r.Score, r.CIGAR, r.Place, r.Err = 0, r.CIGAR[:0], b.Pairs[i].Whole(), nil
	return r
}

// SizeResults makes Results as long as Pairs. They are those of earlier pairs, for an engine that prepares
// each one when it has the alignment: of short pairs, to write all results twice takes long.
func (b *Batch) SizeResults() {
	n := len(b.Pairs)
	if cap(b.Results) < n {
		grown := make([]Result, n)
		copy(grown, b.Results[:cap(b.Results)])
		b.Results = grown
	}
	b.Results = b.Results[:n]
}
