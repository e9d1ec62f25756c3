package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// readSuffixes end the names of files of reads and of their alignments, before those of compression.
var (
	readSuffixes   = []string{".seq", ".fa", ".fasta", ".fna", ".fq", ".fastq", ".paf", ".sam", ".bam", ".cram"}
	packedSuffixes = []string{".gz", ".bgz", ".zst", ".bz2", ".xz"}
)

// checkNoReads refuses the name of a file of reads for a flag whose file is written besides the output. Many
// programs have flags of that name without a value, and the file behind it would be lost.
func checkNoReads(flag, path string) error {
	name := strings.ToLower(path)
	ext := filepath.Ext(name)
	if slices.Contains(packedSuffixes, ext) {
		ext = filepath.Ext(strings.TrimSuffix(name, ext))
	}
	if !slices.Contains(readSuffixes, ext) {
		return nil
	}
	return withHint(usagef("%s %s: %s writes to the file that it names, and that is the name of a file of reads", flag, path, flag),
		"give that file a name of its own, such as run.json, run.html or run.log")
}
