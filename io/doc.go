// Package seqio reads pairs of sequences in batches and writes alignments. Its
// directory is io; the name differs from that of the standard package.
//
// Call [Open] first and then [Reader.ReadBatch] until it returns io.EOF. Pairs
// come from one of two kinds of files. The field of [Inputs] decides the kind,
// and never the name of a file:
//
//   - a pairs file (.seq): a line >QUERY, then a line <TARGET, for each pair.
//     A tab and a name, which is one word without '>', may follow the letters of each.
//     An empty sequence is legal, and so are blank lines;
//   - query files and target files, each FASTA or FASTQ. FASTA may be
//     wrapped, and so may FASTQ. A FASTQ record may not be cut short, and every
//     record needs a name. Pairs are record n of both, or records of the same name, or
//     neighbouring records of one file, or the places that hits in PAF name: see
//     [Inputs].
//
// Files may be compressed with gzip, in one or many members, with zstd, bzip2 or xz; the
// first bytes tell. Lines end in LF or CRLF, and the last line may lack its end. A lone CR
// within a line is an error. Sequences hold the letters A to Z in either case and
// '*'; any other byte, '-' among them, is an error. Letters are kept as they are.
//
// Malformed input is a [*ParseError] that names file, line and record. Files with
// different numbers of records are an [*UnevenError]. Pairs before the fault are
// delivered.
//
// [Shard] selects one of several parts of plain files, for the tasks of an array job.
// [WriteIndex] writes the index with which a part need not count the records before
// it.
//
// [AppendTSV] formats a batch's results, as the packages paf and sam below do, and
// [Create] opens what they are written to.
package seqio
