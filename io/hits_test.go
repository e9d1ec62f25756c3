package seqio

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
)

// hitSet is a reference, reads and hits of them, in memory.
type hitSet struct {
	targets, reads []record
	hits           []hit
}

// randomHits makes a set. Every read has up to three hits, some none.
func randomHits(rng *rand.Rand, reads int) *hitSet {
	s := &hitSet{}
	letters := func(n int, from string) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[rng.IntN(len(from))]
		}
		return b
	}
	for i := range 1 + rng.IntN(4) {
		s.targets = append(s.targets, record{name: fmt.Appendf(nil, "chr%d", i), letters: letters(1+rng.IntN(900), "ACGTacgtNRYKMBVDHU*")})
	}
	for i := range reads {
		r := record{name: fmt.Appendf(nil, "read.%d", i), letters: letters(rng.IntN(200), "ACGTacgtNRYKM")}
		r.qualities = letters(len(r.letters), "!\"@>+I~")
		s.reads = append(s.reads, r)
		for k := range rng.IntN(4) {
			t := s.targets[rng.IntN(len(s.targets))]
			h := hit{query: r.name, target: t.name, queryLength: int64(len(r.letters)), targetLength: int64(len(t.letters)),
				reverse: rng.IntN(2) == 0, mapQ: uint8(rng.IntN(256)), kind: []byte{'P', 'P', 'S', 'I', 'i', 0}[rng.IntN(6)]}
			h.queryStart, h.queryEnd = part(rng, h.queryLength)
			h.targetFrom, h.targetTo = part(rng, h.targetLength)
			if k == 0 {
				h.kind = 'P'
			}
			s.hits = append(s.hits, h)
		}
	}
	return s
}

func part(rng *rand.Rand, n int64) (from, to int64) {
	from, to = rng.Int64N(n+1), rng.Int64N(n+1)
	return min(from, to), max(from, to)
}

// paf is the text of hits.
func (s *hitSet) paf(eol string) string {
	var b strings.Builder
	for _, h := range s.hits {
		strand := "+"
		if h.reverse {
			strand = "-"
		}
		fmt.Fprintf(&b, "%s\t%d\t%d\t%d\t%s\t%s\t%d\t%d\t%d\t5\t6\t%d\tNM:i:3", h.query, h.queryLength, h.queryStart, h.queryEnd, strand, h.target, h.targetLength, h.targetFrom, h.targetTo, h.mapQ)
		if h.kind != 0 {
			fmt.Fprintf(&b, "\ttp:A:%c", h.kind)
		}
		b.WriteString("\tcg:Z:5M" + eol)
	}
	return b.String()
}

// fasta is the text of records, in lines of width letters.
func fasta(records []record, width int, eol string) string {
	var b strings.Builder
	for _, r := range records {
		fmt.Fprintf(&b, ">%s of a test%s", r.name, eol)
		for i := 0; i < len(r.letters); i += width {
			fmt.Fprintf(&b, "%s%s", r.letters[i:min(i+width, len(r.letters))], eol)
		}
	}
	return b.String()
}

func fastq(records []record, eol string) string {
	var b strings.Builder
	for _, r := range records {
		fmt.Fprintf(&b, "@%s x%s%s%s+%s%s%s", r.name, eol, r.letters, eol, eol, r.qualities, eol)
	}
	return b.String()
}

// placed is a pair with its origin, copied.
type placed struct {
	pair
	align.Origin
	whole, qualities string
}

// want is what the hits' pairs have to be, made letter by letter.
func (s *hitSet) want(flank int64, whole bool) (all []placed) {
	find := func(records []record, name []byte) record {
		return records[slices.IndexFunc(records, func(r record) bool { return bytes.Equal(r.name, name) })]
	}
	primaries := map[string]bool{}
	for _, h := range s.hits {
		read, target := find(s.reads, h.query), find(s.targets, h.target)
		from, to := max(0, h.targetFrom-flank), min(h.targetLength, h.targetTo+flank)
		p := placed{pair: pair{string(h.query), "", string(h.target), string(target.letters[from:to])}}
		p.Origin = align.Origin{QueryLength: len(read.letters), QueryStart: int(h.queryStart), Reverse: h.reverse,
			TargetLength: len(target.letters), TargetStart: int(from), MapQ: h.mapQ, Line: int64(len(all) + 1)}
		p.Secondary = h.kind == 'S' || h.kind == 'i'
		p.Supplementary = !p.Secondary && primaries[string(h.query)]
		primaries[string(h.query)] = primaries[string(h.query)] || !p.Secondary
		p.query = strand(read.letters[h.queryStart:h.queryEnd], h.reverse)
		if whole {
			p.whole = strand(read.letters, h.reverse)
			values := bytes.Clone(read.qualities)
			if h.reverse {
				slices.Reverse(values)
			}
			p.qualities = string(values)
		}
		all = append(all, p)
	}
	return all
}

// strand is a sequence, or its reverse complement by a table of pairs.
func strand(s []byte, reverse bool) string {
	if !reverse {
		return string(s)
	}
	swap := strings.NewReplacer("A", "T", "C", "G", "G", "C", "T", "A", "U", "A", "R", "Y", "Y", "R", "K", "M", "M", "K", "B", "V", "V", "B", "D", "H", "H", "D",
		"a", "t", "c", "g", "g", "c", "t", "a", "u", "a", "r", "y", "y", "r", "k", "m", "m", "k", "b", "v", "v", "b", "d", "h", "h", "d")
	text := []byte(swap.Replace(string(s)))
	slices.Reverse(text)
	return string(text)
}

// readPlaced reads all pairs with their origins.
func readPlaced(t testing.TB, in Inputs, stdin io.Reader, lim Limits) (all []placed, notes []string, err error) {
	t.Helper()
	in.Note = func(err error) { notes = append(notes, err.Error()) }
	r, err := Open(in, stdin, lim)
	if err != nil {
		return nil, notes, err
	}
	defer r.Close()
	var b align.Batch
	for {
		err := r.ReadBatch(&b)
		if len(b.Pairs) > 0 && b.First != int64(len(all)+1) {
			t.Fatalf("First = %d after %d pairs", b.First, len(all))
		}
		for i, p := range b.Pairs {
			o := b.Origin(i)
			one := placed{pair{string(p.PatternName), string(p.Pattern), string(p.TextName), string(p.Text)}, o, string(o.Query), string(o.Qualities)}
			if lead := o.Lead(&p); o.Query != nil && string(o.Query[lead:lead+len(p.Pattern)]) != string(p.Pattern) {
				t.Fatalf("pair %d: the query is not at %d of the whole one", b.First+int64(i), lead)
			}
			one.Query, one.Qualities = nil, nil
			all = append(all, one)
		}
		if err == io.EOF {
			return all, notes, nil
		}
		if err != nil {
			return all, notes, err
		}
	}
}

func samePlaced(t *testing.T, what string, got, want []placed, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d pairs, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if fmt.Sprint(got[i]) != fmt.Sprint(want[i]) {
			t.Errorf("%s: pair %d is\n%+v, want\n%+v", what, i+1, got[i], want[i])
			return
		}
	}
}

// bgzip compresses a text in blocks, the last one of which is as small as a line.
func bgzip(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := newBGZFWriter(&b)
	for len(text) > 0 { // blocks of whole lines
		n := min(len(text), 300)
		if _, err := io.WriteString(z, text[:n]); err != nil {
			t.Fatal(err)
		}
		text = text[n:]
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Pairs of hits are those that are cut from memory, letter by letter, whatever the order
// of the hits and however the files are stored.
func TestHits(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for round := range 12 {
		s := randomHits(rng, rng.IntN(40))
		shuffled := round%2 == 1
		if shuffled {
			rng.Shuffle(len(s.hits), func(i, j int) { s.hits[i], s.hits[j] = s.hits[j], s.hits[i] })
		}
		eol, dir := []string{"\n", "\r\n"}[rng.IntN(2)], t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		ref, reads, hits := fasta(s.targets, 1+rng.IntN(80), eol), fastq(s.reads, eol), s.paf(eol)
		odd := strings.ReplaceAll(ref, "test"+eol, "test"+eol+eol) + ">other" + eol + "AC" + eol + eol + "ACGT" + eol
		half := len(s.reads) / 2
		for name, text := range map[string]string{
			"ref": ref, "ref.bgz": bgzip(t, ref), "ref.gz": compress(t, ref), "odd": odd,
			"reads": reads, "reads.bgz": bgzip(t, reads), "reads.zst": packZstd(t, reads), "reads.xz": packXZ(t, reads),
			"reads.1": fastq(s.reads[:half], eol), "reads.2": fastq(s.reads[half:], eol), "none": "",
			"hits": hits, "hits.gz": compress(t, hits),
		} {
			writeText(t, at(name), text)
		}
		lim := Limits{Bases: 1 + rng.IntN(2000), Pairs: 1 + rng.IntN(50)}
		for _, files := range []struct {
			hits, targets string
			queries       []string
		}{
			{"hits", "ref", []string{"reads"}},
			{"hits.gz", "ref", []string{"reads.bgz"}},
			{"hits", "ref.bgz", []string{"reads.zst"}},
			{"hits", "ref.gz", []string{"reads.xz"}},
			{"-", "ref.bgz", []string{"reads.1", "reads.2"}},
			{"hits", "ref", []string{"none", "reads.1", "reads.2"}},
			{"hits", "odd", []string{"reads"}},
		} {
			what := fmt.Sprintf("seed %d, round %d, %v", seed, round, files)
			in := Inputs{Hits: at(files.hits), Target: []string{at(files.targets)}, Flank: rng.IntN(3) * rng.IntN(100), Qualities: rng.IntN(2) == 0, ReferenceCache: 1 + rng.Int64N(2)*1000}
			for _, name := range files.queries {
				in.Query = append(in.Query, at(name))
			}
			if files.hits == "-" {
				in.Hits = "-"
			}
			got, _, err := readPlaced(t, in, strings.NewReader(hits), lim)
			samePlaced(t, what, got, s.want(int64(in.Flank), in.Qualities), err)
			if t.Failed() {
				return
			}
		}
		if !shuffled {
			in := Inputs{Hits: at("hits"), Target: []string{at("ref")}, Query: []string{"-"}}
			got, _, err := readPlaced(t, in, strings.NewReader(reads), lim)
			samePlaced(t, "reads from standard input", got, s.want(0, false), err)
		}
		in := Inputs{Hits: at("hits"), Target: []string{"-"}, Query: []string{at("reads")}}
		got, _, err := readPlaced(t, in, strings.NewReader(ref), lim)
		samePlaced(t, "the reference from standard input", got, s.want(0, false), err)
		for _, index := range []string{"ref.fai", "ref.bgz.fai", "ref.bgz.gzi"} {
			if _, err := os.Stat(at(index)); err != nil && len(s.targets) > 0 {
				t.Errorf("%s is not written: %v", index, err)
			}
		}
	}
}

// The shards of hits have all of their pairs, with the lines of the whole file.
func TestHitShards(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	s := randomHits(rng, 60)
	dir := t.TempDir()
	text := "\n" + s.paf("\n") + "\n"
	writeText(t, filepath.Join(dir, "hits"), text)
	writeText(t, filepath.Join(dir, "ref"), fasta(s.targets, 60, "\n"))
	writeText(t, filepath.Join(dir, "reads"), fastq(s.reads, "\n"))
	in := Inputs{Hits: filepath.Join(dir, "hits"), Query: []string{filepath.Join(dir, "reads")}, Target: []string{filepath.Join(dir, "ref")}}
	for _, parts := range []int{1, 2, 3, 7, 1000} {
		compareShards(t, fmt.Sprint(parts, " parts"), in, []int{parts}, Limits{Bases: 1 << 9})
	}
	writeText(t, in.Hits, strings.Replace(text, "read.59\t", "read.59\tx", 1))
	compareShards(t, "a fault", in, upTo17, Limits{Bases: 1 << 9})
	writeText(t, in.Hits, compress(t, text))
	in.Shard = Shard{Part: 1, Parts: 2}
	if _, _, err := readPlaced(t, in, nil, Limits{}); err == nil || !strings.Contains(err.Error(), "is compressed: shards are cut from plain files") {
		t.Errorf("compressed hits: %v", err)
	}
}
