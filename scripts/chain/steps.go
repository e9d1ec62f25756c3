package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// path is a file in the directory.
func (t *tools) path(name string) string { return filepath.Join(t.dir, name) }

// minimap2 is a command that maps the reads, with more options.
func (t *tools) minimap2(s *sample, more ...string) []string {
	args := slices.Concat([]string{"minimap2", "-x", s.kind.preset, "-t", t.threads}, s.kind.more, more)
	return append(args, "ref.fa", s.readsFile())
}

// align is a command that aligns hits under minimap2's penalties.
func (t *tools) align(s *sample, hits string, more ...string) []string {
	args := []string{t.program, "align", "--quiet", "-j", t.threads, "-p", hits, "-q", s.readsFile(), "-t", "ref.fa", "--preset", s.kind.preset}
	return append(args, more...)
}

// times are those of the commands that are compared.
type times struct {
	hits   spent // minimap2
	chain  spent // minimap2 | wfagpu
	mapped spent // minimap2 -a
}

// map makes hits.paf, chain.sam and mapped.sam, in turn for a number of rounds.
func (t *tools) mapReads(ctx context.Context, s *sample, rounds int) (times, error) {
	var all times
	for range rounds {
		for _, step := range []struct {
			spent    *spent
			output   string
			commands [][]string
		}{
			{&all.hits, "hits.paf", [][]string{t.minimap2(s)}},
			{&all.chain, "chain.sam", [][]string{t.minimap2(s), t.align(s, "-", "-O", "sam", "--md")}},
			{&all.mapped, "mapped.sam", [][]string{t.minimap2(s, "-a")}},
		} {
			spent, err := t.pipe(ctx, step.output, step.commands...)
			if err != nil {
				return all, err
			}
			step.spent.least(spent)
		}
	}
	return all, nil
}

// flank is what a target is widened by beyond the ends of a whole read, which deletions may take.
const flank = 100

// alignMore makes the other files: chain.paf of the same hits; same.sam of the very places that
// minimap2 -c reports in mapped.paf; wide.sam of the best hit of each read of up to longest letters,
// widened to the whole read, in wide.paf; pairs.sam and pairs.paf of the pairs of the set.
func (t *tools) alignMore(ctx context.Context, s *sample, longest int) error {
	pairs := []string{t.program, "align", "--quiet", "-j", t.threads, s.file}
	for _, step := range []struct {
		output   string
		commands [][]string
	}{
		{"chain.paf", [][]string{t.align(s, "hits.paf", "-O", "paf", "--cs")}},
		{"mapped.paf", [][]string{t.minimap2(s, "-c")}},
		{"same.sam", [][]string{t.align(s, "mapped.paf", "-O", "sam", "--md")}},
		{"wide.paf", [][]string{
			{"awk", "-v", "least=0", "-v", "share=0", "-f", t.widen, "hits.paf"},
			{"awk", "-F", "\t", fmt.Sprintf("$2 <= %d", longest)},
		}},
		{"wide.sam", [][]string{t.align(s, "wide.paf", "-O", "sam", "--md", "--span", "local", "--flank", strconv.Itoa(flank))}},
		{"pairs.sam", [][]string{append(slices.Clone(pairs), "-O", "sam", "--md")}},
		{"pairs.paf", [][]string{append(slices.Clone(pairs), "-O", "paf", "--cs")}},
	} {
		if _, err := t.pipe(ctx, step.output, step.commands...); err != nil {
			return err
		}
	}
	return nil
}

// pile sorts the chain's records and has bcftools read them. It returns the number of lines, one for
// each position that they cover, and for each insertion or deletion.
func (t *tools) pile(ctx context.Context, s *sample) (lines int, err error) {
	for _, command := range [][]string{
		{"samtools", "sort", "-o", "chain.bam", "chain.sam"},
		{"samtools", "index", "chain.bam"},
		slices.Concat([]string{"bcftools", "mpileup"}, s.kind.pileup, []string{"-f", "ref.fa", "-Ov", "-o", "pileup.vcf", "chain.bam"}),
	} {
		if err := t.run(ctx, "", command...); err != nil {
			return 0, err
		}
	}
	f, err := os.Open(t.path("pileup.vcf"))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	text := bufio.NewScanner(f)
	text.Buffer(nil, 1<<24)
	for text.Scan() {
		if !bytes.HasPrefix(text.Bytes(), []byte("#")) {
			lines++
		}
	}
	return lines, text.Err()
}
