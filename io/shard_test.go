package seqio

import (
	"errors"
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

// shardPair is a pair with its ordinal.
type shardPair struct {
	pair
	ordinal int64
}

// readShard reads one part of the inputs, or all for the zero Shard.
func readShard(t testing.TB, in Inputs, shard Shard, lim Limits) (got []shardPair, err error) {
	t.Helper()
	in.Shard = shard
	r, err := Open(in, nil, lim)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var b align.Batch
	for err == nil {
		err = r.ReadBatch(&b)
		for i, p := range b.Pairs {
			got = append(got, shardPair{
				pair{string(p.PatternName), string(p.Pattern), string(p.TextName), string(p.Text)}, b.First + int64(i),
			})
		}
	}
	if err == io.EOF {
		err = nil
	}
	return got, err
}

// compareShards reads the inputs in n parts for every n of parts. In order and up to the
// first that fails, they have the pairs and the error of the whole.
func compareShards(t *testing.T, what string, in Inputs, parts []int, lim Limits) {
	t.Helper()
	want, wantErr := readShard(t, in, Shard{}, lim)
	for _, n := range parts {
		var got []shardPair
		var gotErr error
		for part := 1; part <= n && gotErr == nil; part++ {
			var pairs []shardPair
			pairs, gotErr = readShard(t, in, Shard{part, n}, lim)
			got = append(got, pairs...)
		}
		if !slices.Equal(got, want) || message(t, gotErr) != message(t, wantErr) {
			t.Fatalf("%s, %d parts:\n got %v, %v\nwant %v, %v", what, n, got, gotErr, want, wantErr)
		}
	}
}

// upTo17 has the numbers of parts that are tried.
var upTo17 = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}

// compareIndexed is compareShards without an index, and with indexes of several
// distances between marks.
func compareIndexed(t *testing.T, what string, in Inputs, parts []int, steps ...int64) {
	t.Helper()
	lim := Limits{Bases: 1 << 12}
	compareShards(t, what, in, parts, lim)
	for _, step := range steps {
		for _, path := range in.Files() {
			if err := writeIndex(path, len(in.Pairs) > 0, step); err != nil {
				if _, ok := errors.AsType[*ParseError](err); !ok {
					t.Fatalf("%s: %v", what, err)
				}
			}
			defer os.Remove(path + IndexSuffix)
		}
		compareShards(t, fmt.Sprintf("%s, marks every %d bytes", what, step), in, parts, lim)
	}
}

// TestShardsOfPairs cuts small pairs files into so many parts that every byte is a
// cut.
func TestShardsOfPairs(t *testing.T) {
	good := ">ACGT\n<ACG\n>A\n<\n>\n<GGTTA\n>TTAC*n\n<acgtn\n"
	texts := map[string]string{
		"empty":                "",
		"blank lines alone":    "\n\r\n\n",
		"one pair":             ">A\n<C\n",
		"plain":                good + good,
		"no final newline":     good + ">AC\n<AC",
		"CRLF":                 strings.ReplaceAll(good+good, "\n", "\r\n"),
		"blank lines":          "\n\n\r\n" + strings.ReplaceAll(good, "\n>", "\n\n\r\n>") + "\n" + good + "\n\n\n",
		"blank lines in pairs": strings.ReplaceAll(good+good, "\n<", "\r\n\r\n\n<"),
		"byte order mark":      "\xef\xbb\xbf" + good + good,
		"long pair":            good + ">" + strings.Repeat("ACGT", 30) + "\n<" + strings.Repeat("AGT", 40) + "\n" + good,
		"two queries":          good + ">A\n>C\n" + good,
		"two queries apart":    good + ">A\n\n\r\n\n>C\n<G\n" + good,
		"two targets":          good + "<A\n" + good,
		"two targets apart":    good + "\n\n<A\n\n" + good,
		"other lines":          good + "ACG\nACG\n\nACG\n" + good,
		"bad query":            good + ">A-C\n<ACC\n" + good,
		"ends after a query":   good + ">A\n",
		"ends within a query":  good + ">ACG",
		"a mark within":        good + ">AC>GT\n<AC<GT\n" + good,
		"no pairs file":        "ACGT\n" + good,
		"SAM":                  "@HD\tVN:1.6\n" + good,
	}
	for name, text := range texts {
		path := filepath.Join(t.TempDir(), "pairs")
		writeText(t, path, text)
		parts := []int{1, 2, 3, 5, len(text) + 1}
		compareIndexed(t, name, Inputs{Pairs: []string{path}}, parts, 1, 20)
	}
}

func writeText(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestShardsInBlocks cuts files whose parts are read in blocks by several goroutines.
func TestShardsInBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	var text strings.Builder
	for text.Len() < 3<<20 {
		fmt.Fprintf(&text, ">%s\n<%s\n", strings.Repeat("ACGT", rng.IntN(60)), strings.Repeat("TTGA", rng.IntN(60)))
	}
	for name, end := range map[string]string{"good": "", "fault": ">A\n>A\n<C\n" + strings.Repeat(">A\n<A\n", 50_000)} {
		path := filepath.Join(t.TempDir(), "pairs")
		writeText(t, path, text.String()+end)
		lim := Limits{Bases: minBlockRoom}
		parts := []int{1, 2, 5}
		compareShards(t, name, Inputs{Pairs: []string{path}}, parts, lim)
		if err := WriteIndex(Inputs{Pairs: []string{path}}); err != nil {
			t.Fatal(err)
		}
		compareShards(t, name+", indexed", Inputs{Pairs: []string{path}}, parts, lim)
	}
}

// TestShardsOfRandomText cuts random files of all formats, most of them good, into 1 to 17
// parts.
func TestShardsOfRandomText(t *testing.T) {
	const seed = 16
	rng := rand.New(rand.NewPCG(seed, 0))
	good := 0
	for round := range 20 {
		dir := t.TempDir()
		w := randomText{rng: rng}
		records := rng.IntN(30)
		in := Inputs{Names: NamesEqual}
		if round%3 == 0 {
			in.Pairs = []string{filepath.Join(dir, "pairs")}
			writeText(t, in.Pairs[0], w.spoil(w.pairs(records)))
		} else {
			in.Query, in.Target = []string{filepath.Join(dir, "query")}, []string{filepath.Join(dir, "target")}
			writeText(t, in.Query[0], w.spoil(w.fastx(records)))
			if rng.IntN(8) == 0 {
				records += rng.IntN(9) - 4
			}
			writeText(t, in.Target[0], w.spoil(w.fastx(max(records, 0))))
		}
		if _, err := readShard(t, in, Shard{}, Limits{}); err == nil {
			good++
		}
		compareIndexed(t, fmt.Sprintf("seed %d, round %d", seed, round), in, upTo17, 1+rng.Int64N(300))
	}
	if good < 8 || good > 18 {
		t.Errorf("%d of 20 inputs are good", good)
	}
}

// TestShardsOfLargeFiles cuts files of records of which several buffers do not hold all.
func TestShardsOfLargeFiles(t *testing.T) {
	dir := t.TempDir()
	in := Inputs{Query: []string{filepath.Join(dir, "query")}, Target: []string{filepath.Join(dir, "target")}, Names: NamesEqual}
	var query, target strings.Builder
	for i := range 8000 {
		letters := strings.Repeat("ACGT", i%50)
		fmt.Fprintf(&query, "@r%d\n%s\n+\n%s\n", i, letters, strings.Repeat("@", len(letters)))
		fmt.Fprintf(&target, ">r%d >\n%s\n%s\n", i, letters, letters)
	}
	writeText(t, in.Query[0], query.String())
	writeText(t, in.Target[0], target.String())
	if least := 3 * framerBlock; query.Len() < least || target.Len() < least {
		t.Fatalf("%d and %d bytes", query.Len(), target.Len())
	}
	compareIndexed(t, "FASTQ and FASTA", in, []int{1, 2, 5}, 50_000)
}

// TestBorder looks for a border at every place around the end of the first read.
func TestBorder(t *testing.T) {
	for want := seqStep - 4; want < seqStep+5; want++ {
		text := strings.Repeat("A", want-1) + "\n>A\n<A\n>"
		got, err := border(io.NewSectionReader(strings.NewReader(text), 0, int64(len(text))), 1)
		if got != int64(want) || err != nil {
			t.Errorf("the border is at %d (%v), want %d", got, err, want)
		}
	}
}
