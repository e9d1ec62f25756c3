package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	seqio "wfagpu/io"
)

// generated makes a pairs file and the same pairs as two FASTA files, and returns the
// arguments that align each.
func generated(t *testing.T) map[string][]string {
	t.Helper()
	dir := t.TempDir()
	pairs, query, target := filepath.Join(dir, "p.seq"), filepath.Join(dir, "q.fa"), filepath.Join(dir, "t.fa")
	flags := []string{"generate", "-n", "200", "-l", "60"}
	wfagpu(t, append(flags, "-o", pairs)...)
	wfagpu(t, append(flags, "-q", query, "-t", target)...)
	return map[string][]string{"pairs": {pairs}, "query and target": {"-q", query, "-t", target}}
}

// TestShardOutputs: the outputs of all parts in order are the output of one run.
func TestShardOutputs(t *testing.T) {
	for name, input := range generated(t) {
		align := func(flags ...string) string {
			return wfagpu(t, append(append([]string{"align", "--header", "--device", "cpu"}, flags...), input...)...)
		}
		want := align()
		if !strings.HasPrefix(want, "query_name\t") || strings.Count(want, "\n") != 201 {
			t.Fatalf("%s: the whole run has %q", name, want)
		}
		for _, indexed := range []bool{false, true} {
			if indexed {
				wfagpu(t, append([]string{"index"}, input...)...)
			}
			for _, n := range []int{1, 2, 3, 7, 17} {
				var got strings.Builder
				for k := 1; k <= n; k++ {
					got.WriteString(align("--shard", fmt.Sprintf("%d/%d", k, n)))
				}
				if got.String() != want {
					t.Errorf("%s, %d parts, indexed %v: the outputs differ from that of one run", name, n, indexed)
				}
			}
		}
	}
}

func TestShardReport(t *testing.T) {
	pairs := generated(t)["pairs"][0]
	stats := filepath.Join(t.TempDir(), "stats.json")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"align", "--shard", "2/4", "--stats", stats, pairs}, streams{strings.NewReader(""), &stdout, &stderr})
	if code != exitOK || !strings.Contains(stderr.String(), "wfagpu: shard 2/4: ") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	var r report
	if err := json.Unmarshal([]byte(readFile(t, stats)), &r); err != nil {
		t.Fatal(err)
	}
	if lines := int64(strings.Count(stdout.String(), "\n")); r.Shard != "2/4" || r.Pairs != lines || lines < 40 || lines > 60 {
		t.Errorf("--stats has shard %q with %d pairs of %d", r.Shard, r.Pairs, lines)
	}
}

// TestShardCounts says how much is counted: all bytes of large files before the shard, but
// for those with an index.
func TestShardCounts(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, size := range map[string]int64{"q": 1000, "t": 3000} {
		if err := os.WriteFile(name, make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	counted := func(part, parts int) int64 {
		o := alignOptions{inputs: seqio.Inputs{Query: []string{"q"}, Target: []string{"t"}, Shard: seqio.Shard{Part: part, Parts: parts}}}
		return o.countedBytes()
	}
	if n := []int64{counted(0, 0), counted(1, 4), counted(3, 4)}; n[0] != 0 || n[1] != 0 || n[2] != 2000 {
		t.Errorf("counted %d bytes, want 0, 0 and 2000", n)
	}
	if err := os.WriteFile("t"+seqio.IndexSuffix, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if n := counted(3, 4); n != 500 {
		t.Errorf("with an index of the targets %d bytes are counted, want 500", n)
	}
}

// TestBadShards has what cannot be cut, and indexes that do not belong to their files.
func TestBadShards(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("named pipes and messages are those of Linux")
	}
	t.Chdir(t.TempDir())
	long := incompressible(t)
	for name, text := range map[string]string{
		"p.seq": long, "p.seq.gz": gz(long), "q": ">a\nA\n>b\nC\n", "t": ">a\nA\n", "q3": ">a\nA\n>b\nC\n>c\nG\n", "t.gz": gz(">a\nA\n>b\nC\n"), "bad": ">a\nA\n>b\n-\n",
		"other.seq": long, "other.seq.wfi": "#wfagpu-index\t1\t7\n",
		"broken.seq": long, "broken.seq.wfi": fmt.Sprintf("#wfagpu-index\t1\t%d\n900\tx\n", len(long)),
		"version.seq": long, "version.seq.wfi": "#wfagpu-index\t2\t7\n",
		"empty.zst": "\x28\xb5\x2f\xfd\x24\x00\x01\x00\x00\x99\xe9\xd8\x51",
		"void.seq":  long, "void.seq.wfi": "", "d": ">a\nA\n",
		"stale.seq": long, "stale.seq.wfi": fmt.Sprintf("#wfagpu-index\t1\t%d\n300000\t1000\t2000\t00c0ffee\n", len(long)),
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	mkfifo(t, "fifo")
	if err := os.Mkdir("d.wfi", 0o777); err != nil {
		t.Fatal(err)
	}
	two := func(shard, q, t string) []string { return []string{"align", "--shard", shard, "-q", q, "-t", t} }
	one := func(shard, p string) []string { return []string{"align", "--shard", shard, p} }
	for _, tc := range []struct {
		args   []string
		code   int
		stderr string
		stdout string
	}{
		{one("4", "p.seq"), 2, "want k/n, such as 3/16", ""},
		{one("a/4", "p.seq"), 2, "want k/n", ""},
		{one("1/2/3", "p.seq"), 2, "want k/n", ""},
		{one("+1/2", "p.seq"), 2, "want k/n", ""},
		{one("1/0", "p.seq"), 2, "want k/n", ""},
		{one("1/1000001", "p.seq"), 2, "n up to 1000000", ""},
		{one("0/4", "p.seq"), 2, "want a part from 1 to 4: shards count from 1", ""},
		{one("5/4", "p.seq"), 2, "want a part from 1 to 4", ""},
		{one("1/2", "p.seq.gz"), 2, "p.seq.gz is compressed: shards are cut from plain files on disk\nwfagpu: hint: decompress it, or split it", ""},
		{two("1/2", "q", "t.gz"), 2, "t.gz is compressed: shards", ""},
		{one("1/2", "empty.zst"), 2, "empty.zst is compressed: shards", ""},
		{one("1/2", "fifo"), 2, "fifo is a pipe or a device: shards are cut from plain files on disk\nwfagpu: hint: write it to a file first", ""},
		{two("2/2", "q", "fifo"), 2, "fifo is a pipe or a device", ""},
		{one("1/2", "-"), 2, "stdin is a pipe or a device", ""},
		{one("1/2", "none.seq"), 3, "open none.seq: no such file", ""},
		{two("2/2", "q", "t"), 3, "t ends after 1 record, q has more: record 2, line 3", ""},
		{two("3/3", "q3", "t"), 3, "t ends after 1 record, q3 has more: record 3, line 5", ""},
		{two("1/2", "bad", "q"), 0, "", "a\ta\t0\t1=\n"},
		{two("2/2", "bad", "q"), 3, "bad:4: record 2: sequence line position 1", ""},
		{one("2/2", "other.seq"), 3, fmt.Sprintf("other.seq.wfi:1: the index is of a file of 7 B, and other.seq has %d B", len(long)), ""},
		{one("2/2", "broken.seq"), 3, "broken.seq.wfi:2: the index is damaged", ""},
		{one("2/2", "version.seq"), 3, "version.seq.wfi:1: this is no index of wfagpu, or one of another version", ""},
		{one("2/2", "void.seq"), 3, "void.seq.wfi: the index is empty", ""},
		{one("2/2", "stale.seq"), 3, "stale.seq.wfi: the index differs from stale.seq at byte 300000; 'wfagpu index' makes it anew", ""},
		{[]string{"index"}, 2, "no input", ""},
		{[]string{"index", "-"}, 2, "stdin has no name for an index", ""},
		{[]string{"index", "p.seq.gz"}, 2, "p.seq.gz is compressed", ""},
		{[]string{"index", "fifo"}, 2, "fifo is a pipe", ""},
		{[]string{"index", "p.seq"}, 0, "", ""},
		{[]string{"index", "q"}, 3, "q:2: record 1: found a FASTA sequence in a pairs file", ""},
		{[]string{"index", "none.seq"}, 3, "none.seq: no such file", ""},
		{[]string{"index", "-q", "bad", "-t", "q"}, 3, "bad:4: record 2", ""},
		{[]string{"index", "-q", "d", "-t", "q"}, 1, "writing the index: ", ""},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), tc.args, streams{strings.NewReader(long), &stdout, &stderr})
		if code != tc.code || !strings.Contains(stderr.String(), tc.stderr) || stdout.String() != tc.stdout {
			t.Errorf("wfagpu %s: exit code %d, want %d, %q\n%s", strings.Join(tc.args, " "), code, tc.code, &stdout, &stderr)
		}
	}
}
