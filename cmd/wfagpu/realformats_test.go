package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/io/formattest"
	"wfagpu/io/sam"
)

// realSets returns the real read sets, or skips the test.
func realSets(t *testing.T) []string {
	t.Helper()
	dir := os.Getenv("WFAGPU_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	sets, err := filepath.Glob(filepath.Join(dir, "*.seq.gz"))
	if err != nil || len(sets) == 0 {
		t.Skipf("no real read sets in %s: set WFAGPU_DATA", dir)
	}
	if raceEnabled {
		t.Skip("the race detector has the small files of other tests")
	}
	return sets
}

// gunzip reads a file.
func gunzip(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// realPairs returns the queries and targets of a .seq file.
func realPairs(t *testing.T, path string) (queries, targets []string) {
	t.Helper()
	for line := range strings.Lines(gunzip(t, path)) {
		line = strings.TrimSpace(line)
		if line[0] == '>' {
			queries = append(queries, line[1:])
		} else {
			targets = append(targets, line[1:])
		}
	}
	return queries, targets
}

var defaultCosts = formattest.Penalties{
	Mismatch: align.DefaultPenalties.Mismatch, Open: align.DefaultPenalties.GapOpen, Extend: align.DefaultPenalties.GapExtend,
}

// TestRealPAF: every line of every set fits its sequences.
func TestRealPAF(t *testing.T) {
	for _, set := range realSets(t) {
		queries, targets := realPairs(t, set)
		text := wfagpu(t, "align", "--device", "cpu", "--cs", "-O", "paf", set)
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) != len(queries) {
			t.Fatalf("%s: %d lines of %d pairs", set, len(lines), len(queries))
		}
		for i, line := range lines {
			r, err := formattest.ParsePAF(line)
			if err == nil {
				var c formattest.Counts
				if c, err = r.Replay(queries[i], targets[i], defaultCosts); err == nil && r.Tags["AS:i"] != strconv.Itoa(-c.Penalty) {
					err = fmt.Errorf("AS:i:%s of an alignment that costs %d", r.Tags["AS:i"], c.Penalty)
				}
			}
			if err == nil && r.Query != strconv.Itoa(i+1) {
				err = fmt.Errorf("name %s", r.Query)
			}
			if err != nil {
				t.Fatalf("%s: pair %d: %v", set, i+1, err)
			}
		}
	}
}

// TestRealSAM: every record of every set fits its sequences, and samtools accepts the file and
// computes the same NM and MD.
func TestRealSAM(t *testing.T) {
	for _, set := range realSets(t) {
		name := strings.TrimSuffix(filepath.Base(set), ".seq.gz")
		t.Run(name, func(t *testing.T) {
			queries, targets := realPairs(t, set)
			out := filepath.Join(t.TempDir(), "out.sam")
			wfagpu(t, "align", "--device", "cpu", "--md", "-O", "sam", "-o", out, set)
			s, err := formattest.ParseSAM(readFile(t, out))
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Records) != len(queries) || len(s.Order) != len(queries) {
				t.Fatalf("%d records and %d targets of %d pairs", len(s.Records), len(s.Order), len(queries))
			}
			for i, r := range s.Records {
				c, begin, end, err := r.Replay(queries[i], targets[i], defaultCosts)
				if err != nil || begin != 0 || end != len(targets[i]) || r.Tags["AS:i"] != strconv.Itoa(-c.Penalty) || r.Target != strconv.Itoa(i+1) {
					t.Fatalf("pair %d: %v, at %d to %d of %s, AS %s", i+1, err, begin, end, r.Target, r.Tags["AS:i"])
				}
			}
			var fasta strings.Builder
			for i, target := range targets {
				fmt.Fprintf(&fasta, ">%d\n%s\n", i+1, target)
			}
			sameAsSamtools(t, out, fasta.String())
		})
	}
}

// TestRealQualities: a FASTQ file is read and written with its qualities, and samtools computes the
// same NM and MD.
func TestRealQualities(t *testing.T) {
	for _, set := range realSets(t) {
		base := strings.TrimSuffix(set, ".seq.gz")
		if _, err := os.Stat(base + ".reads.fastq.gz"); err != nil {
			continue
		}
		out := filepath.Join(t.TempDir(), "out.sam")
		wfagpu(t, "align", "--device", "cpu", "--md", "-O", "sam", "-o", out, "-q", base+".reads.fastq.gz", "-t", base+".targets.fasta.gz")
		s, err := formattest.ParseSAM(readFile(t, out))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(gunzip(t, base+".reads.fastq.gz"), "\n"), "\n")
		if len(s.Records) != len(lines)/4 {
			t.Fatalf("%s: %d records of %d reads", base, len(s.Records), len(lines)/4)
		}
		for i, r := range s.Records {
			name := strings.Fields(lines[4*i][1:])[0]
			if r.Name != name || r.Seq != lines[4*i+1] || r.Qualities != lines[4*i+3] {
				t.Fatalf("%s: record %d is %s, read %s", base, i+1, r.Name, name)
			}
		}
		sameAsSamtools(t, out, gunzip(t, base+".targets.fasta.gz"))
	}
}

// sameAsSamtools checks a file with samtools: quickcheck, and the tags that calmd computes from the
// targets.
func sameAsSamtools(t *testing.T, path, fasta string) {
	t.Helper()
	if _, err := exec.LookPath("samtools"); err != nil {
		t.Skip(err)
	}
	ref := filepath.Join(t.TempDir(), "targets.fa")
	writeFiles(t, map[string]string{ref: fasta})
	samtools := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		cmd := exec.Command("samtools", args...)
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil || stderr.Len() > 0 {
			t.Fatalf("samtools %q: %v, %s", args, err, &stderr)
		}
		return stdout.String()
	}
	samtools("faidx", ref)
	samtools("quickcheck", "-v", path)
	text := readFile(t, path)
	want, err := formattest.ParseSAM(text)
	if err != nil {
		t.Fatal(err)
	}
	// Without the tags, calmd has nothing to copy.
	bare := filepath.Join(filepath.Dir(ref), "bare.sam")
	writeFiles(t, map[string]string{bare: samtools("view", "-h", "--no-PG", "--remove-tag", "NM,MD", path)})
	got, err := formattest.ParseSAM(samtools("calmd", "--no-PG", bare, ref))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Records) != len(want.Records) {
		t.Fatalf("samtools has %d records, want %d", len(got.Records), len(want.Records))
	}
	for i, r := range want.Records {
		g := got.Records[i]
		if !r.Mapped() {
			continue
		}
		if g.Tags["NM:i"] != r.Tags["NM:i"] || g.Tags["MD:Z"] != r.Tags["MD:Z"] || r.Tags["MD:Z"] == "" {
			t.Fatalf("record %d: NM %s, MD %s; samtools calmd has NM %s, MD %s", i+1, r.Tags["NM:i"], r.Tags["MD:Z"], g.Tags["NM:i"], g.Tags["MD:Z"])
		}
		if g.CIGAR != r.CIGAR || g.Pos != r.Pos || g.Flag != r.Flag || g.Qualities != r.Qualities {
			t.Fatalf("record %d: %+v; samtools shows %+v", i+1, r, g)
		}
	}
}

// TestMixedSAM: samtools takes made-up pairs of all kinds, and computes the same NM and MD.
func TestMixedSAM(t *testing.T) {
	b, wholes := formattest.MixedBatch(t, 11, 500)
	targets := sam.NewTargets("made up", false)
	var fasta strings.Builder
	for i, w := range wholes {
		name := b.Pairs[i].TextName
		if name == nil {
			name = strconv.AppendInt(nil, b.First+int64(i), 10)
		}
		if err := targets.Add(name, nil, len(w.Target)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&fasta, ">%s\n%s\n", name, w.Target)
	}
	var text bytes.Buffer
	if err := targets.WriteHeader(&text, sam.Program{Name: "wfagpu", Version: version}); err != nil {
		t.Fatal(err)
	}
	records, err := sam.Append(text.Bytes(), b, sam.Options{MD: true})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mixed.sam")
	writeFiles(t, map[string]string{path: string(records)})
	sameAsSamtools(t, path, fasta.String())
}
