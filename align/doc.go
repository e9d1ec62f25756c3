// Package align computes gap-affine alignments of DNA sequences on the CPU: exact ones, or in the
// approximate mode valid ones whose score is an upper bound.
//
// Start with New for batches over several workers, or NewAligner for one pair at a time. The
// pattern is the query or read (index v), the text the target or reference stretch (index h).
// A mismatch costs x, a gap of length l costs o + l·e, a match nothing. Scores are penalties:
// 0 means equal. In CIGARs, as in SAM, I consumes the pattern alone and D the text alone.
//
// Options also have match scores, a second cost of gaps, and spans other than global: see Spans.
//
// # Wavefronts
//
// The engine follows the wavefront algorithm (Marco-Sola et al. 2021). With diagonals k = h - v
// and offsets h, M[s,k] is the furthest-reaching point of score s on diagonal k: the largest
// offset that some alignment of score s reaches. The wavefront of score s is the row M[s].
//
//	text  h ->
//	pattern   k=0  k=1  k=2
//	   v        \    \    \
//	   |         o--D  \    \      o    start of score 0, extended along
//	   v          \  \  \    \          matches at no cost
//	            I  \  o   \         D,I  a step to the next diagonal
//
// Wavefronts are computed in the order of scores from those x, o+e and e before (computeGo has
// the recurrence) and extended along runs of matches, until M reaches the end cell. The
// penalties are divided by their gcd first.
//
// # Methods
//
// These methods find the score:
//
//   - narrow (narrow.go): all wavefronts over 16 diagonals in one call, for scores up to what
//     these diagonals certify, and over 32 for parts of pairs in plain Go (narrowplain.go);
//   - wavefronts (wavefronts.go): wavefronts of any width, stored for the traceback, within the
//     cone of a score that is predicted on the way (likely.go);
//   - gated (gated.go, rungates.go, greedy.go, greedyfew.go): for pairs of up to about 3 errors in 100
//     letters. Along an alignment that follows runs of equal letters there are gates, cells that every
//     optimal alignment passes: words of the runs that the text has nowhere else in reach (repeats.go,
//     copies.go) prove it. What is between two gates is aligned alone, most of it at sight, the rest by the
//     other methods. The time is that of the letters and of the errors one by one, not of the square of the
//     score. A pair that is expected to have more errors, for earlier ones had them, is looked at all the
//     same where other methods take long (exactgated.go);
//   - trimmed (seeded.go, greedy.go, seeds.go, trimmed.go): for pairs of few errors
//     without gates. An alignment that follows runs of equal letters bounds the score. A low
//     bound makes wavefronts within the cone of that score enough; for a higher one seeds at
//     the errors of that alignment bound the cost of every cell to the end from below, and
//     wavefronts leave out what cannot lead there within the bound. A long gap makes them
//     longer, not wider;
//   - banded (banded.go, group.go): dynamic programming over antidiagonals in a band whose width
//     certifies the score. Several pairs that take a few vectors are computed side by side, with
//     costs of a byte where those hold the score (bytegroup.go). A cell costs a fifteenth of a
//     wavefront's offset, or less, and there are about n·s/2 cells against s² offsets, so it is
//     quicker where the score is more than a few percent of the length. Of wide bands, seeds that the text
//     does not have show which cells cannot be on an optimal alignment (brokenseeds.go);
//   - fenced bands (fenced.go, exactfence.go), for long pairs of up to about 12 errors in 100 letters: a band of some 200 diagonals
//     that moves with the cells of least cost. What alignments beside it cost at least is known of short seeds of the
//     pattern, all of which have an error where the text has no place of them beside the band (fenceseeds.go), and comes
//     back into the band as the cost of an alignment (fenceargs.go). If it changes no score, no alignment that costs
//     as little leaves the band. So the work is in proportion to the letters, whatever the score;
//   - sweeps (exactsweep.go), of which Spans tells more: for scores beyond what the 16 bits of a band hold, where they are
//     quicker than wavefronts of such scores;
//   - planes (planes.go, planeband.go, planegroup.go), in plain Go at penalties that reduce to 2,3,1:
//     such bands, of differences between neighbouring costs in bit planes, 64 cells to an operation.
//     Several short pairs share a word. Seeds show of a narrow band that no alignment leaves it
//     (planeseeds.go);
//   - checkpoints (checkpoints.go, conerows.go): wavefronts in O(s) memory, for pairs whose
//     wavefronts would exceed Options.Memory. An adaptive band bounds the score; wavefronts
//     within the cone of that score have half of the offsets. Their rows are computed again
//     for the traceback, those that it may lead through alone;
//   - edit (edit.go, editstate.go), at penalties that reduce to 1,0,1: bit-parallel dynamic
//     programming over the cells that alignments of at most a predicted distance can pass
//     through, 64 of them to a word and up to 8 words to a vector. For few differences there
//     are wavefronts of edit distance in registers (editnarrow.go);
//   - directed (directed.go, exactdirected.go): wavefronts directed to the end diagonal, for pairs, and
//     parts between gates, of unequal lengths: the gap between the lengths is free, so that a pair which
//     is one long gap apart costs its few other differences times the length of the gap;
//   - matrix (matrix.go): the plain dynamic program, for unequal pairs whose shorter sequence is
//     short or unrelated;
//   - bundles (bundle.go, bundledifferences.go, bundletrace.go), in batches: the whole matrices of
//     pairs that are not similar, one pair in each lane of vectors. Cells are differences of costs,
//     which a byte holds whatever the lengths;
//   - lanes (exactlanes.go, lanewindow.go), in batches, for pairs of up to 4,096 letters and 12 errors in 100 letters: narrow
//     bands, one pair in each lane of vectors, as Spans has them. Seeds show what alignments cost at least that
//     leave the band and come back.
//
// exact.go asks them in an order (exactbundle.go, exactnarrow.go, exactgated.go, seeded.go,
// exactedit.go, exactlanes.go, exactfence.go, exactplanes.go, exactband.go, exactwaves.go). choose.go, gated.go, seeded.go,
// editchoose.go, and unequal.go for the last two, predict which is quickest. A wrong prediction
// costs time, never exactness. The lines of the last two, wavefronts or columns, are stored for the
// traceback as far as Options.Memory allows and else computed again (replay.go). A pair with an
// empty side is one gap.
//
// # Which alignment
//
// Of several optimal alignments one is reported, by this rule. Going back from the end cell,
// at each cell
//
//  1. take all matches: equal letters can always be aligned to each other at no cost;
//  2. then a mismatch if an optimal alignment has one here;
//  3. else the shortest gap that an optimal alignment has here, an insertion before a deletion
//     of equal length.
//
// The rule depends on the costs of cells alone, so the method that found the score has no
// influence, nor have memory, threads and neighbours, and every engine reports the same
// alignment. traceback.go has the loop that follows the rule, and narrowtrace.go one for narrow
// wavefronts, which know the gap states. Edit distance has loops of its own
// (edittrace.go, editnarrow.go), for there a gap is no cheaper than its letters one by one, and
// the cells beside the path decide.
//
// # Spans
//
// A Span is which part of a pair an alignment covers, a Scoring what alignments are worth, and
// a Model both as costs that are minimised: a match costs 0, a letter left out at a free end
// FreeLetter. Global alignments with one cost of gaps are aligned by the methods above at the
// costs of the model; Model.Score turns the cost into the score. All others are aligned by
// spanned (spanned.go), which asks its methods (spanMethod) in their order. The last one,
// spanMatrix (spanmatrix.go, spanends.go), takes every pair: the plain dynamic program.
// Where alignments end anywhere, similar pairs are aligned between gates (anyends.go, gateends.go): globally between
// the first and the last one, and as the span says beside them. Global pairs of gaps with two costs, of few errors,
// are aligned part by part between gates (gatedlong.go). Then comes spanChoice (spanchoose.go), which predicts which of
// these is quicker:
//
//   - wavefronts with free begins and ends (freewaves.go, freewavesmethod.go): those of all begins
//     at once, of gaps with one or two costs. Where a read lies within its text, seeds tell where
//     it can begin and exclude begins elsewhere (freeseeds.go, freeseeded.go), and low scores
//     take wavefronts over 16 diagonals (freenarrow.go);
//   - sweeps (sweep.go, sweepargs.go): the matrix in strips of rows, a vector of cells at a time,
//     in 16 bits where costs fit them. Of pairs that are similar they leave out the cells
//     beyond a bound (sweepbound.go), which a first run in a beam of the cheapest cells gives;
//     seeds bound what is to come (sweeprest.go). For the traceback they store borders of
//     strips, from which blocks of cells are computed again (sweepcells.go, sweepstore.go);
//   - bundles, as for global alignments, where pairs may wait for others. Alignments that may end
//     anywhere have cells of 16 bits (bundlewide.go).
//
// Where the whole pattern lies within the text, insideMethod (insidemethod.go) comes first. It aligns
// parts of the text that seeds show to be enough:
//
//   - patterns of few errors are aligned part by part between gates along runs of equal letters, as global
//     pairs are (gatedinside.go). Beside the first and the last gate see the next item;
//   - between gates (gates.go, gatedpair.go), seeds that every optimal alignment passes, the
//     alignment is global, by the methods above, or by another engine (insider.go). Beside them wavefronts
//     from the gate show where it begins or ends (gatedwaves.go). Where gates along runs of equal letters
//     are not enough, they are looked for along a global alignment (gatedglobal.go);
//   - a pattern that the text has with one mismatch or none needs no more than two seeds (gapless.go);
//   - one of few errors needs few seeds (nearseeds.go). If those with its mismatches on a diagonal are
//     nowhere in the text, a gap costs too much (mismatches.go, leavecosts.go); else it takes narrow
//     wavefronts around the diagonals of most seeds (insidenear.go);
//   - in batches pairs of up to 4,096 letters wait for others (spanwaits.go, lanewaits.go, lanetrials.go,
//     lanequeue.go) and are aligned in the lanes of vectors, of a byte or two by their costs, a pair in each
//     (lanes.go, lanebands.go), in bands around the diagonals of most seeds (laneseeds.go). What alignments
//     cost at least that leave the band or are beside it is known of the seeds, too (lanebeside.go), and
//     computed with the band: where an alignment costs less, it is the best one. Otherwise the band is made
//     wider, and chains of shorter seeds (lanechain.go) show more in long texts. Noisy pairs of 600 letters
//     and more within short flanks are aligned on all diagonals at once (laneall.go);
//   - a window (window.go, windowed.go) has the diagonals of all alignments of a cost.
//
// An alignment may begin and end in these cells (i,j), i letters of the pattern and j of the text:
//
//	global      begin (0,0), end (n,m)
//	ends-free   begin (i,0) with i <= PatternBegin, (0,j) with j <= TextBegin;
//	            end (n,j) with m-j <= TextEnd, (i,m) with n-i <= PatternEnd
//	extension   begin (0,0), end anywhere
//	local       begin and end anywhere
//
// Of several optimal alignments one is reported, by the rule above with a choice of ends:
//
//  1. it ends in the cell of the smallest i, of several in that of the smallest j, of those in
//     which an optimal alignment ends;
//  2. going back, it begins in the first cell in which an optimal alignment may begin; at all
//     other cells the rule above has the step. The length of a gap decides, whichever cost is
//     the lower one.
//
// A local alignment without columns, where no other one has a score above 0, has the score 0 and the
// coordinates 0. In score-only mode coordinates are not known, for that takes a traceback.
//
// With Options.ZDrop an extension ends early: dropped.go has the rule, that of minimap2. The
// result is then the best extension among those looked at. Its antidiagonals are computed a vector of cells at a time, in
// a band that shows by its costs that no cell beside it counts (fronts.go).
//
// # Approximate mode
//
// Options.Approx selects a heuristic: wavefronts within an adaptive band, a fixed number of
// diagonals that follows the cell nearest to the end (Aguado-Puig et al. 2023, section 2.3.5).
// adaptive.go states its rule; First has the lengths below which pairs are aligned exactly, and
// For what depends on the penalties, these lengths among it. Low scores take narrow wavefronts, which have the alignment of
// the band (approxnarrow.go). A pair that drifts out of its band begins again with a wider one; one that drifts out of the widest, or that
// the band loses, is aligned exactly. The mode gains with length and error rate: its time grows with
// the product of the two, that of the exact methods with the square of it.
//
// Where the band is automatic, long pairs of few errors are aligned exactly: what is between gates
// is short, so that this takes no longer than a band, which would lose some of them at a gap.
// Errors (sample.go) tells them from a sample of words.
//
// A band loses a read that crosses a long gap, such as a structural variant, and what it then
// finds on the wrong diagonals costs far more than the gap. Where the band is automatic, pairs
// whose ends have few errors are therefore cut into three pieces:
//
//   - when: before the first band, if the sample of a long pair shows a long gap, or a stretch unlike all else, between such ends,
//     and then the pair is aligned exactly if it cannot be cut, or if the lengths differ by more than it may drift and one letter in
//     32 together, and a long gap shows; else when the pair drifts or stalls in the first band or is
//     lost there; or if its score there is doubtful, because the pair progressed no more than
//     unrelated letters for a while (AdaptiveBand.Doubts), and there is a long gap, or a middle
//     short enough to have cost half of the score, DoubtedMiddle. Then the lower score counts;
//   - where: each end is followed from run to run of equal letters until errors are dense or no
//     diagonal nearby goes on, and the pair is cut in a run of 64 letters that neither end has
//     gone beyond (flanks.go);
//   - how: a long gap is placed where wavefronts from the two ends meet at the least cost
//     (junction.go), and what is on either side of it is aligned exactly. With other errors
//     nearby, or without a long gap, the middle is a piece of its own, aligned exactly, too, or,
//     if both sequences have 1,024 letters there of which none belong together, in a band of
//     1,024 diagonals (bander.go).
//
// A Cutter (cutter.go) says where and how, for this package (pieces.go) and for other engines.
//
// Ends-free and extension alignments, and those of gaps with two costs, have an adaptive band of
// their own (spanband.go states its rule), and no pieces. Where an alignment may begin on many
// diagonals, wavefronts of all begins show around which one to place the band (spanlocate.go). The
// length that counts is the shorter one, for the longer one may have flanks.
//
// All of this depends on the pair alone, so every code path and engine has the same alignments.
//
// # Code paths
//
// Inner loops exist as generated assembly for AVX-512 (F, CD, BW, VL) and AVX2 and as plain Go
// (see Level). kernels.go lists them, _asm has the generator, and `go generate` runs it.
package align
