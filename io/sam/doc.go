// Package sam writes alignments in SAM.
//
// A file has one line @SQ for every target, so all targets have to be known before the first
// record: [Targets] collects them. A record has its place in the whole target; letters of the
// query that are not aligned are soft clips, those that the input has not hard ones. The tags
// are NM:i, AS:i and, if it is asked for, MD:Z; samtools calmd computes the same NM and MD.
package sam
