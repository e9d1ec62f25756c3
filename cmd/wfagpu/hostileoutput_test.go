package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/klauspost/pgzip"
)

// unpacked is what a file of results holds, decompressed as its name says, as far as
// that goes, and whether it is cut.
func unpacked(t *testing.T, path string) (text string, cut bool) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r io.Reader = bytes.NewReader(data)
	switch filepath.Ext(path) {
	case ".gz", ".bgz":
		if len(data) == 0 {
			return "", true
		}
		r, err = pgzip.NewReader(r)
	case ".zst":
		r, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	}
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(r)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	return string(all), err != nil
}

// manyRecords is more than a pipe holds, as pairs and as results.
var manyRecords = sync.OnceValues(func() (pairs, results string) {
	const record = ">ACGTTGCAACGTTGCAACGTTGCA\n<ACGTTGCAACGTGCAACGTTGCAC\n"
	var out strings.Builder
	const n = 8000
	for i := range n {
		s := strconv.Itoa(i + 1)
		out.WriteString(s + "\t" + s + "\t8\t11=1I12=1D\n")
	}
	return strings.Repeat(record, n), out.String()
})

// TestHostileOutputs is the table of outputs that cannot be written, or must not be.
// Every script starts with the same files, ends with one message at most, and leaves the
// files that are listed, beside those of before, which do not change.
func TestHostileOutputs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("paths such as /dev/full and messages are those of Linux")
	}
	pairs, results := manyRecords()
	const (
		align    = "wfagpu align --quiet --device cpu "
		generate = "wfagpu generate -n 20 -l 50 "
		full     = "no space left on device"
		link     = "ln -s /dev/full x.zst; "
	)
	for _, tc := range []struct {
		name, script string
		code         int
		stderr       string            // part of the message; "" for none
		made         map[string]string // what is in the files made
	}{
		// Full disks.
		{"full, gzip", "ln -s /dev/full x.gz; " + align + "many.seq -o x.gz; s=$?; rm x.gz; exit $s", 1, full, nil},
		{"full, BGZF", "ln -s /dev/full x.bgz; " + align + "good.seq -o x.bgz; s=$?; rm x.bgz; exit $s", 1, full, nil},
		{"full, zstd", link + align + "many.seq -o x.zst; s=$?; rm x.zst; exit $s", 1, full, nil},
		{"full, zstd of nothing", link + align + "/dev/null -o x.zst; s=$?; rm x.zst; exit $s", 1, full, nil},
		{"full, header of nothing", align + "--header /dev/null > /dev/full", 1, full, nil},
		{"full, generate in zstd", link + generate + "-o x.zst; s=$?; rm x.zst; exit $s", 1, full, nil},
		{"full, queries", generate + "-q /dev/full -t t", 1, full, nil},
		{"full, targets", generate + "-q q -t /dev/full; s=$?; rm -f q; exit $s", 1, full, nil},
		{"full, statistics", align + "good.seq -o r --stats /dev/full", 1, "--stats: write /dev/full: " + full, map[string]string{"r": pairLine}},
		{"full, statistics in zstd", link + align + "good.seq -o r --stats x.zst; s=$?; rm x.zst; exit $s", 1, "--stats: write x.zst: " + full, map[string]string{"r": pairLine}},
		{"full, page", align + "good.seq -o r --report /dev/full", 1, "--report: write /dev/full: " + full, map[string]string{"r": pairLine}},
		{"full, log", align + "good.seq -o r --log-file /dev/full", 1, "--log-file: write /dev/full: " + full, map[string]string{"r": pairLine}},
		{"full, log and statistics", align + "good.seq -o r --log-file /dev/full --stats s; x=$?; grep -q '\"exit_code\": 1' s || x=99; rm s; exit $x", 1, "--log-file: write /dev/full: " + full, map[string]string{"r": pairLine}},
		{"full, help", "wfagpu align --help > /dev/full", 1, full, nil},
		{"full, help command", "wfagpu help generate > /dev/full", 1, full, nil},
		{"full, usage", "wfagpu --help > /dev/full", 1, full, nil},
		{"full, version", "wfagpu version > /dev/full", 1, full, nil},
		{"full, completion", "wfagpu completion bash > /dev/full", 1, full, nil},

		// Outputs that lead nowhere.
		{"directory", align + "good.seq -o dir", 2, "--output: dir is a directory", nil},
		{"directory named .gz", "mkdir x.gz; " + align + "good.seq -o x.gz; s=$?; rmdir x.gz; exit $s", 2, "--output: x.gz is a directory", nil},
		{"directory for statistics", align + "good.seq --stats dir/", 2, "--stats: dir/ is a directory", nil},
		{"directory for the log", align + "good.seq --log-file dir", 2, "--log-file: dir is a directory", nil},
		{"directory for queries", generate + "-q dir -t t", 2, "--query: dir is a directory", nil},
		{"no directory", align + "good.seq -o none/x.zst", 2, "--output: none/x.zst: there is no directory none", nil},
		{"below a file", align + "good.seq -o good.seq/x.gz", 2, "--output: stat good.seq/x.gz: not a directory", nil},
		{"link to nowhere", "ln -s none/x l; " + align + "good.seq -o l; s=$?; rm l; exit $s", 2, "--output: link l: none/x: there is no directory none", nil},
		{"link to nowhere for statistics", "ln -s $PWD/none/x l; " + align + "good.seq --stats l; s=$?; rm l; exit $s", 2, "/none/x: there is no directory", nil},
		{"links to nowhere", "ln -s m l; ln -s good.seq/x m; " + align + "good.seq -o l; s=$?; rm l m; exit $s", 2, "--output: stat l: not a directory", nil},
		{"link to itself", "ln -s l l; " + align + "good.seq -o l; s=$?; rm l; exit $s", 2, "--output: stat l: too many levels of symbolic links", nil},
		{"link to a new file", "ln -s dir/new l; " + align + "good.seq -o l; s=$?; rm l; mv dir/new new; exit $s", 0, "", map[string]string{"new": pairLine}},
		{"name too long", align + "good.seq -o " + strings.Repeat("a", 300), 2, "file name too long", nil},
		{"file system that takes none", align + "good.seq -o /proc/x.gz", 1, "writing the output: open /proc/x.gz: ", nil},
		{"control characters", align + `good.seq -o "$(printf 'no\033[31m/x')"`, 2, `--output: no\x1b[31m/x: there is no directory no\x1b[31m`, nil},
		{"log where none can be", align + "good.seq --log-file /proc/x", 1, "--log-file: open /proc/x: ", nil},

		// Outputs that are inputs, or one another.
		{"input by a link", "ln -s good.seq l; " + align + "good.seq -o l; s=$?; rm l; exit $s", 2, "--output l would overwrite an input file", nil},
		{"input by a hard link", "ln good.seq l; " + align + "l -o good.seq; s=$?; rm l; exit $s", 2, "--output good.seq would overwrite an input file", nil},
		{"input by another path", align + "good.seq -o dir/../good.seq", 2, "--output dir/../good.seq would overwrite an input file", nil},
		{"input by a descriptor", align + "good.seq -o /dev/fd/3 3>> good.seq", 2, "--output /dev/fd/3 would overwrite an input file", nil},
		{"compressed input", "wfagpu generate -n 1 -o x.zst; cp x.zst y; " + align + "x.zst -o x.zst; s=$?; cmp x.zst y && rm x.zst y; exit $s", 2, "--output x.zst would overwrite an input file", nil},
		{"target by a hard link", "ln t.fa l; " + align + "-q t.fa -t /dev/null --stats l; s=$?; rm l; exit $s", 2, "--stats l would overwrite an input file", nil},
		{"query by a link", "ln -s t.fa l; " + align + "-q l -t t.fa --log-file t.fa; s=$?; rm l; exit $s", 2, "--log-file t.fa would overwrite an input file", nil},
		{"output and statistics", align + "good.seq -o x.gz --stats dir/../x.gz", 2, "--output and --stats name the same file", nil},
		{"output and log by a link", "touch x; ln -s x l; " + align + "good.seq -o x --log-file l; s=$?; rm x l; exit $s", 2, "--output and --log-file name the same file", nil},
		{"statistics and log", align + "good.seq --stats x --log-file ./x", 2, "--stats and --log-file name the same file", nil},
		{"queries and targets", generate + "-q x.zst -t dir/../x.zst", 2, "--query and --target name the same file", nil},
		{"standard output and log", align + "good.seq --log-file x >> x; s=$?; rm x; exit $s", 2, "standard output and --log-file name the same file", nil},

		{"limited, index", "ulimit -f 0; wfagpu index good.seq", 1, "good.seq.wfi: file too large", nil},
		{"limited, as many pairs are counted as are written", "wfagpu generate -n 40000 -l 50 -o m.seq; (ulimit -f 1000; " + align +
			"-o r --stats s m.seq); a=$?; l=$(wc -l < r); grep -q \"\\\"pairs\\\": $l,\" s || a=99; [ $l -gt 1000 ] || a=98; rm m.seq r s; exit $a", 1, "file too large", nil},

		// Pipes.
		{"reader of gzip leaves", "mkfifo f.gz; head -c 1 f.gz > /dev/null & wfagpu generate -n 20000 -o f.gz; s=$?; rm f.gz; exit $s", 141, "", nil},
		{"reader of zstd leaves", "mkfifo f.zst; head -c 1 f.zst > /dev/null & wfagpu generate -n 40000 -o f.zst; s=$?; rm f.zst; exit $s", 141, "", nil},
		{"reader of one file leaves", "mkfifo f; head -c 1 f > /dev/null & wfagpu generate -n 20000 -q f -t /dev/null; s=$?; rm f; exit $s", 141, "", nil},
		{"reader of help leaves", "exec 3>&1; { sleep 0.2; wfagpu align --help; echo $? >&3; } 3> code | true; s=$(cat code); rm code; exit $s", 141, "", nil},
		{"reader of the log leaves", "mkfifo f; { : < f; touch gone; } & { until [ -e gone ]; do sleep 0.01; done; cat many.seq; } | " + align + "--log-file f -o r -; s=$?; rm f gone; exit $s", 1, "--log-file: write f: broken pipe", map[string]string{"r": results}},
		{"gzip to a pipe", "mkfifo f.gz; cat f.gz > x.gz & " + align + "many.seq -o f.gz; s=$?; wait; rm f.gz; exit $s", 0, "", map[string]string{"x.gz": results}},
		{"zstd to a pipe", "mkfifo f.zst; cat f.zst > x.zst & " + align + "many.seq -o f.zst; s=$?; wait; rm f.zst; exit $s", 0, "", map[string]string{"x.zst": results}},
		{"statistics to standard output", align + "good.seq -o r --stats /dev/stdout | grep -q pairs", 0, "", map[string]string{"r": pairLine}},

		// Standard streams that are closed.
		{"closed output", "wfagpu align --device cpu good.seq >&- 2> e; s=$?; grep -q 'results are discarded' e || s=99; rm e; exit $s", 0, "", nil},
		{"closed output, generate", generate + ">&-", 0, "wfagpu: results are discarded: standard output is closed, or /dev/null", nil},
		{"closed output that is not used", generate + "-o x.zst >&-; s=$?; rm x.zst; exit $s", 0, "", nil},
		{"closed streams", align + "good.seq -o r.gz <&- >&- 2>&-", 0, "", map[string]string{"r.gz": pairLine}},
		{"closed streams and an error", align + "none -o r.gz <&- >&- 2>&-", 3, "", nil},
		{"closed messages", "wfagpu align --device cpu good.seq 2>&- > r", 0, "", map[string]string{"r": pairLine}},

		// Files that are there, and input that ends in an error.
		{"old file and bad input", "echo old > r; " + align + "bad.seq -o r; s=$?; exit $s", 3, "record 2", map[string]string{"r": pairLine}},
		{"old gzip and bad input", "echo old | gzip > r.gz; " + align + "bad.seq -o r.gz; s=$?; exit $s", 3, "record 2", map[string]string{"r.gz": pairLine}},
		{"old zstd and bad input", "echo old > r.zst; " + align + "bad.seq -o r.zst; s=$?; exit $s", 3, "record 2", map[string]string{"r.zst": pairLine}},
		{"new zstd and bad input", align + "bad.seq -o r.zst; s=$?; exit $s", 3, "record 2", map[string]string{"r.zst": pairLine}},
		{"old file and a bad first record", "echo old > r.zst; cp r.zst old; " + align + "dir.seq -o r.zst; s=$?; cmp r.zst old && rm r.zst old; exit $s", 3, "dir.seq", nil},
		{"old file and too little memory", "echo old > r; wfagpu generate -n 1 -l 90000000000000 -o r; s=$?; exit $s", 1, "a pair of 90000000000000 bases takes at least", map[string]string{"r": "old\n"}},

		// What the name says.
		{"capital letters", align + "good.seq -o R.GZ; s=$?; gzip -t < R.GZ || s=99; rm R.GZ; exit $s", 0, "", nil},
		{"empty result in gzip", align + "/dev/null -o r.gz", 0, "", map[string]string{"r.gz": ""}},
		{"empty result in zstd", align + "/dev/null -o r.zst", 0, "", map[string]string{"r.zst": ""}},
		{"page in gzip", align + "good.seq -o r --report s.html.gz; s=$?; gzip -dc s.html.gz | grep -qi '<html' || s=99; rm s.html.gz; exit $s", 0, "", map[string]string{"r": pairLine}},
		{"statistics in gzip", align + "good.seq -o r --stats s.gz; s=$?; gzip -dc s.gz | grep -q '\"pairs\": 1,' || s=99; rm s.gz; exit $s", 0, "", map[string]string{"r": pairLine}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			files := map[string]string{"good.seq": pair, "many.seq": pairs, "bad.seq": pair + "nonsense\n", "t.fa": ">a\nACGT\n"}
			for name, text := range files {
				writeFiles(t, map[string]string{filepath.Join(dir, name): text})
			}
			if err := os.Mkdir(filepath.Join(dir, "dir"), 0o777); err != nil {
				t.Fatal(err)
			}
			code, stderr := shell(t, dir, tc.script)
			lines := 0
			for line := range strings.Lines(stderr) {
				if !strings.HasPrefix(line, "wfagpu: hint: ") {
					lines++
				}
			}
			if code != tc.code || tc.stderr == "" && stderr != "" || lines > 1 || !strings.Contains(stderr, tc.stderr) {
				t.Errorf("exit code %d, want %d; %q, want %q", code, tc.code, stderr, tc.stderr)
			}
			for name, want := range tc.made {
				if got, cut := unpacked(t, filepath.Join(dir, name)); got != want || cut {
					t.Errorf("%s holds %d bytes, want %d; cut: %t", name, len(got), len(want), cut)
				}
				os.Remove(filepath.Join(dir, name))
			}
			for name, text := range files {
				expectContent(t, filepath.Join(dir, name), text)
			}
			expectFiles(t, dir, "bad.seq", "dir", "good.seq", "many.seq", "t.fa")
		})
	}
}
