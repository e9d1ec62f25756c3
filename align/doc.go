// Package align computes exact gap-affine global alignments of DNA sequences on
// the CPU.
//
// Start with New for batches over several workers, or NewAligner for one pair
// at a time. Pattern is the query or read (index v), text the target or
// reference (index h); a mismatch costs x, a gap of length l costs o + l·e, a
// match nothing. Scores are penalties: 0 means equal. In CIGARs, as in SAM, I
// consumes the pattern alone and D the text alone.
//
// # Wavefronts
//
// The engine follows the wavefront algorithm (Marco-Sola et al. 2021). With
// diagonals k = h - v and offsets h, the wavefront M[s,k] is the furthest
// offset on diagonal k that some alignment of score s reaches:
//
//	text  h ->
//	pattern   k=0  k=1  k=2
//	   v        \    \    \
//	   |         o--D  \    \      o    start of score 0, extended along
//	   v          \  \  \    \          matches at no cost
//	            I  \  o   \         D,I  a step to the next diagonal
//
// Wavefronts of growing score are computed from those x, o+e and e before, and
// extended along runs of matches, until M reaches the end cell. The penalties
// are divided by their gcd first.
//
// Only M rows are kept for the traceback, which picks one optimal alignment by
// a rule in terms of cell costs alone (see trace.backtrace). So it does not
// matter which of four methods found the score:
//
//   - narrow (narrow.go): all wavefronts over 16 diagonals in one call, for
//     scores up to what these diagonals certify;
//   - front (front.go): wavefronts of any width, kept for tracing;
//   - banded (banded.go, group.go): dynamic programming over antidiagonals in a
//     certified band. Per cell it costs a twentieth of a wavefront's offset, and
//     there are about n·s/2 cells against s² offsets, so it wins where the score
//     is more than a few percent of the length;
//   - bialigner (bialign.go): bidirectional wavefronts (Marco-Sola et al. 2023),
//     O(s) memory, for pairs whose wavefronts would exceed Options.Memory. It
//     alone may report another alignment of the same score.
//
// choose.go predicts which is quickest; a wrong guess costs time, never
// exactness.
//
// # Approximate mode
//
// With Options.Approx wavefronts have a fixed number of diagonals, which follow
// the most promising one (approxfront.go has the rule). Scores are then upper
// bounds. Pairs that are lost on the way are aligned exactly. From a few thousand
// letters on it is the quicker the longer and the noisier the pairs are: its
// time grows with length times error rate, not with their squares.
//
// # Code paths
//
// Inner loops exist as generated assembly for AVX-512 (F, CD, BW, VL) and AVX2 and
// as plain Go (see Level). The generator is in _asm; `go generate` runs it.
package align
