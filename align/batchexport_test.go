package align

// AlignBatch aligns a batch as a worker of an Engine does.
func AlignBatch(a *Aligner, b *Batch) {
	for i := 0; i < len(b.Pairs); i += chunkPairs {
		a.alignRange(b, i, min(i+chunkPairs, len(b.Pairs)))
	}
}
