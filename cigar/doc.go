// Package cigar holds alignments as run-length encoded operations, prints and
// parses them, scores them and checks them against the two sequences.
//
// An alignment is a row of columns. Each column carries one operation:
//
//	letter  consumes          meaning
//	=       query and target  the two letters are equal
//	X       query and target  the two letters differ
//	M       query and target  either; found only in classic text
//	I       query             a query letter with no partner in the target
//	D       target            a target letter with no partner in the query
//
// I and D have the SAM specification's sense: the query is the read, so an
// insertion is something the read has and the reference lacks. WFA2-lib, when
// it is given the read as its pattern, uses the two letters the other way
// round; text copied from there has to have I and D swapped.
//
// Letters are compared as [Canonical] maps them: without regard to case, U
// equal to T, and every other letter, N included, equal to itself alone.
//
// [CIGAR.Append] builds an alignment from its first column on, [CIGAR.Score]
// costs it under gap-affine penalties, [Values.Of] scores it with match scores and
// two costs of gaps, and [CIGAR.Verify] proves that it aligns two given sequences.
package cigar
