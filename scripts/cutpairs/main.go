// Command cutpairs makes pairs from sequencing reads: it maps the reads with
// minimap2 and cuts the stretch that each belongs to from the reference, as the
// WFA-GPU paper does with GRCh38.
//
//	go run ./scripts/cutpairs -ref GRCh38.fa.gz -x map-hifi -o hifi.seq.gz reads.fastq.gz
//
// The rule:
//
//   - Every file of reads is mapped on its own (minimap2 -x PRESET -c
//     --secondary=no). Of each read the primary alignment (tp:A:P) with the
//     highest score (AS) counts, the first of several; supplementary and
//     secondary ones do not.
//   - A read is left out when it does not map, when fewer of its bases are
//     aligned than -min-aligned, or a smaller share than -min-share.
//   - The query is the whole read. The target is the stretch of the reference
//     that is aligned, extended at either end by as many bases as the read has
//     clipped there, as far as the reference goes. With -ends aligned both are
//     cut to the aligned stretch.
//   - A read on the reverse strand is reverse-complemented; the target
//     has the strand of the reference.
//   - All letters become upper case. Pairs come in the order of the reads.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"

	seqio "wfagpu/io"
	"wfagpu/scripts/internal/sets"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "cutpairs:", err)
		os.Exit(1)
	}
}

type options struct {
	reference, preset, more string
	out, info, compare      string
	threads, most           int
	rule                    rule
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	f := flag.NewFlagSet("cutpairs", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.reference, "ref", "", "FASTA `file` of the reference")
	f.StringVar(&o.preset, "x", "map-ont", "minimap2's preset: sr, map-hifi, map-pb, map-ont")
	f.StringVar(&o.more, "minimap2", "", "more options of minimap2, such as \"-k13 -w5\"")
	f.StringVar(&o.out, "o", "-", "file for the pairs, .seq or .seq.gz")
	f.StringVar(&o.info, "info", "", "file for a table of where every pair comes from")
	f.StringVar(&o.compare, "compare", "", "say how many pairs of this .seq(.gz) `file` are among those made")
	f.IntVar(&o.threads, "threads", runtime.GOMAXPROCS(0), "minimap2's threads")
	f.IntVar(&o.most, "max", 0, "at most so many pairs, 0 for all")
	f.IntVar(&o.rule.minAligned, "min-aligned", 50, "least bases of a read that are aligned")
	f.Float64Var(&o.rule.minShare, "min-share", 0.9, "least share of a read that is aligned")
	ends := f.String("ends", "whole", "whole reads, or \"aligned\" parts of them")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *ends != "whole" && *ends != "aligned" {
		return fmt.Errorf("-ends %q: want whole or aligned", *ends)
	}
	o.rule.aligned = *ends == "aligned"
	if o.reference == "" || f.NArg() == 0 {
		return errors.New("want -ref and files of reads")
	}
	return o.make(ctx, f.Args(), stdout, stderr)
}

func (o *options) make(ctx context.Context, reads []string, stdout, stderr io.Writer) (err error) {
	reference, err := readReference(o.reference)
	if err != nil {
		return err
	}
	out, err := seqio.Create(o.out, stdout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	info := io.Discard
	if o.info != "" {
		file, err := os.Create(o.info)
		if err != nil {
			return err
		}
		defer file.Close()
		info = file
	}
	if _, err := fmt.Fprintln(info, "pair\tread\tstrand\tread_len\tqstart\tqend\tref\ttstart\ttend"); err != nil {
		return err
	}
	made := map[string]int{} // for -compare
	count, seen := 0, 0
	for _, file := range reads {
		hits, err := o.mapReads(ctx, file, stderr)
		if err != nil {
			return err
		}
		err = eachRead(file, func(name string, letters []byte) error {
			seen++
			h, ok := hits[name]
			if !ok || !o.rule.keeps(h) || o.most > 0 && count >= o.most {
				return nil
			}
			target, ok := reference[h.target]
			if !ok {
				return fmt.Errorf("minimap2 names %q, which is not in %s", h.target, o.reference)
			}
			if len(target) != h.targetLength {
				return fmt.Errorf("%q has %d bases in %s, minimap2 saw %d: are there two of that name?", h.target, len(target), o.reference, h.targetLength)
			}
			if len(letters) != h.length {
				return fmt.Errorf("read %q has %d bases, minimap2 saw %d: are there two of that name?", name, len(letters), h.length)
			}
			query, stretch, at := o.rule.cut(h, letters, target)
			count++
			if o.compare != "" {
				made[string(query)+"\n"+string(stretch)]++
			}
			_, err := fmt.Fprintf(info, "%d\t%s\t%c\t%d\t%d\t%d\t%s\t%d\t%d\n", count, name, h.strand, h.length, h.start, h.end, h.target, at, at+len(stretch))
			return errors.Join(err, second(fmt.Fprintf(out, ">%s\n<%s\n", query, stretch)))
		})
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	fmt.Fprintf(stderr, "cutpairs: %d pairs of %d reads\n", count, seen)
	if o.compare == "" {
		return nil
	}
	return compare(o.compare, made, stderr)
}

func second(_ int, err error) error { return err }

// compare counts the pairs of a file that this program makes as well.
func compare(file string, made map[string]int, w io.Writer) error {
	b, err := sets.Read(file, 0)
	if err != nil {
		return err
	}
	same := 0
	for _, p := range b.Pairs {
		key := string(p.Pattern) + "\n" + string(p.Text)
		if made[key] > 0 {
			made[key]--
			same++
		}
	}
	_, err = fmt.Fprintf(w, "cutpairs: %d of the %d pairs in %s are among them\n", same, len(b.Pairs), file)
	return err
}

// mapReads runs minimap2 over a file and returns the hit of every read that
// has one.
func (o *options) mapReads(ctx context.Context, file string, stderr io.Writer) (map[string]hit, error) {
	args := append([]string{"-x", o.preset, "-c", "--secondary=no", "-t", strconv.Itoa(o.threads)}, strings.Fields(o.more)...)
	cmd := exec.CommandContext(ctx, "minimap2", append(args, o.reference, file)...)
	var problems strings.Builder
	cmd.Stderr = &problems
	paf, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("minimap2 (Debian: minimap2): %w", err)
	}
	hits, err := readPAF(paf)
	if err != nil {
		_, _ = io.Copy(io.Discard, paf)
	}
	if waited := cmd.Wait(); waited != nil {
		fmt.Fprint(stderr, problems.String())
		return nil, fmt.Errorf("minimap2: %w", waited)
	}
	return hits, err
}
