package main

import (
	"bytes"
	"compress/gzip"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// gz compresses text as one gzip member.
func gz(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text)) // a bytes.Buffer takes everything
	w.Close()
	return b.String()
}

// flip inverts the bits of one byte.
func flip(s string, i int) string {
	b := []byte(s)
	b[i] ^= 0xff
	return string(b)
}

// pair is a record that is right, and pairLine the line it becomes when it is
// the first one.
const (
	pair     = ">ACGT\n<ACGA\n"
	pairLine = "1\t1\t2\t3=1X\n"
)

// incompressible is text that gzip cannot make much smaller than a quarter, so
// that the middle of its compressed form is the middle of the text.
func incompressible(t *testing.T) string {
	t.Helper()
	var out, stderr bytes.Buffer
	if code := run(t.Context(), []string{"generate", "-n", "2000"}, streams{out: &out, err: &stderr}); code != exitOK {
		t.Fatalf("generate: exit code %d, %s", code, &stderr)
	}
	return out.String()
}

// badRun is a run that ends with an error, or, if code is 0, without one.
type badRun struct {
	name   string
	files  map[string]string
	stdin  string
	args   []string
	code   int
	stderr string // the message, after "wfagpu: error: ", or a notice of a run without an error
	stdout string
	made   []string // files that the run leaves behind
}

// try runs it in a directory of its own with its files.
func (tc badRun) try(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, tc.files)
	var stdout, stderr bytes.Buffer
	opts := defaultAlignOptions()
	opts.engine.System = noGPUs
	code := runWith(t.Context(), opts, tc.args, streams{strings.NewReader(tc.stdin), &stdout, &stderr})
	if code != tc.code {
		t.Errorf("exit code %d, want %d", code, tc.code)
	}
	if tc.code != exitOK {
		expectMessage(t, stderr.String(), tc.stderr)
	} else if strings.Contains(stderr.String(), "error: ") || !strings.Contains(stderr.String(), tc.stderr) {
		t.Errorf("stderr %q, want %q and no error", &stderr, tc.stderr)
	}
	if stdout.String() != tc.stdout {
		t.Errorf("stdout %.1000q, want %q", &stdout, tc.stdout)
	}
	expectFiles(t, ".", append(slices.Sorted(maps.Keys(tc.files)), tc.made...)...)
	for _, made := range tc.made {
		expectContent(t, made, pairLine)
	}
	for name, text := range tc.files {
		expectContent(t, name, text)
	}
}

// TestBadInput is the table of what can be wrong with a command line or its
// input. Every case names its message and exit code; none may panic, leave half
// a record, or leave a file that is not listed.
func TestBadInput(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("paths such as /dev/full and messages are those of Linux")
	}
	good := map[string]string{"good.seq": pair}
	seq := func(text string) map[string]string { return map[string]string{"bad.seq": text} }
	both := func(query, target string) map[string]string {
		return map[string]string{"q": query, "t": target}
	}
	fileArgs := []string{"align", "bad.seq"}
	bothArgs := []string{"align", "-q", "q", "-t", "t"}
	long := incompressible(t)

	for _, tc := range []badRun{
		// The command line.
		{name: "no command", code: 2, stderr: "no command given"},
		{name: "unknown command", args: []string{"algin"}, code: 2, stderr: `unknown command "algin"`},
		{name: "unknown flag", files: good, args: []string{"align", "--fast", "good.seq"}, code: 2, stderr: "unknown flag: --fast"},
		{name: "unknown short flag", files: good, args: []string{"align", "-y", "good.seq"}, code: 2, stderr: "unknown shorthand flag: 'y' in -y"},
		{name: "flag without value", args: []string{"align", "-g"}, code: 2, stderr: "flag needs an argument: 'g' in -g"},
		{name: "empty file name", args: []string{"align", ""}, code: 2, stderr: "the name of the file of pairs is empty"},
		{name: "version with operand", args: []string{"version", "x"}, code: 2, stderr: `wfagpu version takes no arguments, got "x"`},
		{name: "penalties of 0", files: good, args: []string{"align", "-g", "0,3,1", "good.seq"}, code: 2, stderr: `invalid argument "0,3,1" for "-g, --penalties" flag: mismatch penalty 0 is outside 1..255`},
		{name: "gap extension of 0", files: good, args: []string{"align", "-g", "2,3,0", "good.seq"}, code: 2, stderr: "gap-extend penalty 0 is outside 1..255"},
		{name: "penalty of 256", files: good, args: []string{"align", "-g", "2,256,1", "good.seq"}, code: 2, stderr: "gap-open penalty 256 is outside 0..255"},
		{name: "negative penalty", files: good, args: []string{"align", "-g", "-2,3,1", "good.seq"}, code: 2, stderr: "mismatch penalty -2 is outside 1..255"},
		{name: "penalties as text", files: good, args: []string{"align", "-g", "a,b,c", "good.seq"}, code: 2, stderr: `penalties "a,b,c": "a" is not a whole number`},
		{name: "four penalties", files: good, args: []string{"align", "-g", "2,3,1,1", "good.seq"}, code: 2, stderr: `penalties "2,3,1,1": want x,e or x,o,e or x,o1,e1,o2,e2`},
		{name: "bad error bound", files: good, args: []string{"align", "-e", "-0.1", "good.seq"}, code: 2, stderr: "want auto, a fraction between 0 and 1 such as 0.1, or a score of 1 or more"},
		{name: "distance below 0", files: good, args: []string{"align", "--max-distance", "-1", "good.seq"}, code: 2, stderr: `invalid argument "-1" for "--max-distance" flag`},
		{name: "distance of the approximate mode", files: good, args: []string{"align", "--mode", "approx", "--max-distance", "5", "good.seq"}, code: 2, stderr: "--max-distance is for --mode exact"},
		{name: "error bound of 0", files: good, args: []string{"align", "-e", "0", "good.seq"}, code: 2, stderr: `invalid argument "0" for "-e, --max-error" flag`},
		{name: "batch of 0", files: good, args: []string{"align", "-b", "0", "good.seq"}, code: 2, stderr: "0 bases are outside 1..4G"},
		{name: "batch in unknown unit", files: good, args: []string{"align", "-b", "4T", "good.seq"}, code: 2, stderr: `"4T" is not a whole number with an optional K, M or G behind it`},
		{name: "batch too large", files: good, args: []string{"align", "-b", "9999999999G", "good.seq"}, code: 2, stderr: "9999999999G is too large"},
		{name: "memory too small", files: good, args: []string{"align", "--memory", "10K", "good.seq"}, code: 2, stderr: "10K bytes are below the least of 1M"},
		{name: "threads as text", files: good, args: []string{"align", "-j", "two", "good.seq"}, code: 2, stderr: "want a whole number from 0 (every CPU) to 1024"},
		{name: "negative threads", files: good, args: []string{"align", "-j", "-1", "good.seq"}, code: 2, stderr: `invalid argument "-1" for "-j, --threads" flag`},
		{name: "unknown device", files: good, args: []string{"align", "--device", "tpu", "good.seq"}, code: 2, stderr: "want auto, cpu, gpu, or device numbers such as 0,1"},
		{name: "unknown code path", files: good, args: []string{"align", "--cpu-level", "sse9", "good.seq"}, code: 2, stderr: `unknown code path "sse9": want auto, avx512, avx2 or go`},
		{name: "unknown CIGAR style", files: good, args: []string{"align", "--cigar-style", "short", "good.seq"}, code: 2, stderr: "want extended (= and X) or classic (M)"},
		{name: "unknown format", files: good, args: []string{"align", "-O", "bed", "good.seq"}, code: 2, stderr: `unknown --format "bed": want tsv, paf or sam`},
		{name: "unknown mode", files: good, args: []string{"align", "--mode", "quick", "good.seq"}, code: 2, stderr: `unknown --mode "quick": want exact or approx`},
		{name: "band in exact mode", files: good, args: []string{"align", "--band", "10", "good.seq"}, code: 2, stderr: "--band belongs to --mode approx"},
		{name: "lambda in exact mode", files: good, args: []string{"align", "--lambda", "10", "good.seq"}, code: 2, stderr: "--lambda belongs to --mode approx"},
		{name: "automatic band in exact mode", files: good, args: []string{"align", "--mode", "exact", "--band", "auto", "good.seq"}, code: 2, stderr: "--band belongs to --mode approx, and this run is exact"},
		{name: "recall of an exact run", files: good, args: []string{"align", "--recall", "good.seq"}, code: 2, stderr: "--recall belongs to --mode approx, and this run is exact"},
		{name: "band too narrow", files: good, args: []string{"align", "--mode", "approx", "--band", "7", "good.seq"}, code: 2, stderr: `invalid argument "7" for "--band" flag: want auto or a whole number from 8 to 65536`},
		{name: "band too wide", files: good, args: []string{"align", "--mode", "approx", "--band", "65537", "good.seq"}, code: 2, stderr: `invalid argument "65537" for "--band" flag: want auto or a whole number from 8 to 65536`},
		{name: "band as a fraction", files: good, args: []string{"align", "--mode", "approx", "--band", "0.1", "good.seq"}, code: 2, stderr: `invalid argument "0.1" for "--band" flag`},
		{name: "lambda of 0", files: good, args: []string{"align", "--mode", "approx", "--lambda", "0", "good.seq"}, code: 2, stderr: `invalid argument "0" for "--lambda" flag: want auto or a whole number from 1 to 1048576`},
		{name: "lambda too large", files: good, args: []string{"align", "--mode", "approx", "--lambda", "1048577", "good.seq"}, code: 2, stderr: `invalid argument "1048577" for "--lambda" flag`},
		{name: "bad record in approximate mode", files: seq(pair + ">AC1T\n<ACGT\n"), args: []string{"align", "--mode", "approx", "--recall", "bad.seq"}, code: 3, stderr: "bad.seq:3: record 2: query position 3", stdout: pairLine},
		{name: "GPU demanded", files: good, args: []string{"align", "--device", "gpu", "good.seq"}, code: 4, stderr: "no usable NVIDIA driver: none in this test"},
		{name: "GPU demanded by number", files: good, args: []string{"align", "--device", "0,1", "-o", "out", "good.seq"}, code: 4, stderr: "no usable NVIDIA driver: none in this test"},
		{name: "GPU named twice", files: good, args: []string{"align", "--device", "1,0,1", "good.seq"}, code: 2, stderr: "device 1 is named twice"},

		// Which files to read and write.
		{name: "query without target", files: good, args: []string{"align", "-q", "good.seq"}, code: 2, stderr: "--query needs --target"},
		{name: "target without query", files: good, args: []string{"align", "-t", "good.seq"}, code: 2, stderr: "--target needs --query"},
		{name: "pairs and query", files: good, args: []string{"align", "-q", "good.seq", "good.seq"}, code: 2, stderr: "give either files of pairs or --query with --target, not both"},
		{name: "both standard input", args: []string{"align", "-q", "-", "-t", "-"}, code: 2, stderr: "--query and --target cannot both be standard input"},
		{name: "missing file", args: []string{"align", "-o", "out", "none.seq"}, code: 3, stderr: "open none.seq: no such file or directory"},
		{name: "missing target", files: both(">1\nA\n", ""), args: []string{"align", "-q", "q", "-t", "none", "-o", "out"}, code: 3, stderr: "open none: no such file or directory"},
		{name: "directory as input", args: []string{"align", "."}, code: 3, stderr: ". is a directory"},
		{name: "input that cannot be read", args: []string{"align", "-o", "out", "/proc/self/mem"}, code: 3, stderr: "read /proc/self/mem: input/output error"},
		{name: "output in no directory", files: good, args: []string{"align", "-o", "none/out", "good.seq"}, code: 2, stderr: "--output: none/out: there is no directory none"},
		{name: "output below a file", files: good, args: []string{"align", "-o", "good.seq/out", "good.seq"}, code: 2, stderr: "--output: "},
		{name: "directory as output", files: good, args: []string{"align", "-o", ".", "good.seq"}, code: 2, stderr: "--output: . is a directory"},
		{name: "output is the input", files: good, args: []string{"align", "-o", "./good.seq", "good.seq"}, code: 2, stderr: "--output ./good.seq would overwrite an input file"},
		{name: "statistics are the input", files: good, args: []string{"align", "--stats", "good.seq", "good.seq"}, code: 2, stderr: "--stats good.seq would overwrite an input file"},
		{name: "log is the target", files: both("", ""), args: []string{"align", "-q", "q", "-t", "t", "--log-file", "t"}, code: 2, stderr: "--log-file t would overwrite an input file"},
		{name: "output and statistics are one", files: good, args: []string{"align", "-o", "x", "--stats", "./x", "good.seq"}, code: 2, stderr: "--output and --stats name the same file ./x"},
		{name: "statistics to standard output", files: good, args: []string{"align", "--stats", "-", "good.seq"}, code: 2, stderr: "want the name of a file, not -"},
		{name: "statistics over reads", files: good, args: []string{"align", "--device", "cpu", "--stats", "good.seq"}, code: 2, stderr: "--stats good.seq: --stats writes to the file that it names, and that is the name of a file of reads"},
		{name: "page over compressed reads", files: good, args: []string{"align", "good.seq", "--report", "reads.FQ.gz"}, code: 2, stderr: "--report reads.FQ.gz: --report writes to the file"},
		{name: "log over targets", files: good, args: []string{"align", "good.seq", "--log-file", "ref.fasta"}, code: 2, stderr: "--log-file ref.fasta: --log-file writes to the file"},
		{name: "statistics in no directory", files: good, args: []string{"align", "--stats", "none/s.json", "good.seq"}, code: 2, stderr: "--stats: none/s.json: there is no directory none"},
		{name: "full disk", files: good, args: []string{"align", "-o", "/dev/full", "good.seq"}, code: 1, stderr: "writing the output: write /dev/full: no space left on device"},

		// Pairs files.
		{name: "FASTA as pairs", files: seq(">a\nACGT\n>b\nACGT\n"), args: fileArgs, code: 3, stderr: "bad.seq:2: record 1: found a FASTA sequence in a pairs file"},
		{name: "FASTQ as pairs", files: seq("@a\nACGT\n+\nIIII\n"), args: fileArgs, code: 3, stderr: "bad.seq:1: record 1: found a FASTQ header in a pairs file"},
		{name: "target line first", files: seq("<ACGT\n>ACGT\n"), args: fileArgs, code: 3, stderr: "bad.seq:1: record 1: found a line <TARGET without its line >QUERY"},
		{name: "two query lines", files: seq(pair + ">ACGT\n>ACGT\n<ACGT\n"), args: fileArgs, code: 3, stderr: "bad.seq:4: record 2: found a second line >QUERY", stdout: pairLine},
		{name: "two target lines", files: seq(pair + "<ACGT\n"), args: fileArgs, code: 3, stderr: "bad.seq:3: record 2: found a line <TARGET without its line >QUERY", stdout: pairLine},
		{name: "query line at the end", files: seq(pair + ">ACGT\n"), args: fileArgs, code: 3, stderr: "bad.seq:3: record 2: the file ends after a line >QUERY: its line <TARGET is missing", stdout: pairLine},
		{name: "cut in the query line", files: seq(pair + ">AC"), args: fileArgs, code: 3, stderr: "bad.seq:3: record 2: the file ends after a line >QUERY", stdout: pairLine},
		{name: "digit in a sequence", files: seq(pair + ">AC1T\n<ACGT\n"), args: fileArgs, code: 3, stderr: "bad.seq:3: record 2: query position 3: '1' is not a sequence letter", stdout: pairLine},
		{name: "gap in a sequence", files: seq(pair + ">ACGT\n<AC-T\n"), args: fileArgs, code: 3, stderr: "bad.seq:4: record 2: target position 3: '-' is not a sequence letter", stdout: pairLine},
		{name: "space in a sequence", files: seq(">AC GT\n<ACGT\n"), args: fileArgs, code: 3, stderr: "query position 3: byte 0x20 is not a sequence letter"},
		{name: "NUL in a sequence", files: seq(">ACGT\n<ACG\x00\n"), args: fileArgs, code: 3, stderr: "bad.seq:1: record 1: found binary data"},
		{name: "UTF-8 in a sequence", files: seq(">ACGT\n<ACGÄ\n"), args: fileArgs, code: 3, stderr: "target position 4: byte 0xc3 is not a sequence letter"},
		{name: "bad record, file output", files: seq(pair + ">ACGT\n<AC-T\n"), args: []string{"align", "-o", "out", "bad.seq"}, code: 3, stderr: "record 2: target position 3", made: []string{"out"}},
		{name: "bad first record, file output", files: seq(">ACGT\n<AC-T\n"), args: []string{"align", "--header", "-o", "out", "bad.seq"}, code: 3, stderr: "record 1: target position 3"},
		{name: "bad pairs on standard input", stdin: pair + "nonsense\n", args: []string{"align"}, code: 3, stderr: "stdin:3: record 2: found a line that starts with 'n'", stdout: pairLine},
		{name: "BAM", files: seq(gz("BAM\x01\x00\x00\x00\x00")), args: fileArgs, code: 3, stderr: "found BAM: want text"},
		{name: "zstd cut short", files: seq("\x28\xb5\x2f\xfd\x00"), args: fileArgs, code: 3, stderr: "bad.seq:1: record 1: the zstd data is cut short"},
		{name: "gzip cut in its header", files: seq(gz(pair)[:5]), args: fileArgs, code: 3, stderr: "bad.seq:1: record 1: "},
		{name: "gzip damaged", files: seq(flip(gz(pair), len(gz(pair))-6)), args: fileArgs, code: 3, stderr: "the gzip data is damaged", stdout: pairLine},

		// Query and target files.
		{name: "pairs as query", files: both(pair, ">1\nACGT\n"), args: bothArgs, code: 3, stderr: "q:2: record 1: "},
		{name: "queries left over", files: both(">1\nACGT\n>2\nACGT\n", ">1\nACGA\n"), args: bothArgs, code: 3, stderr: "t ends after 1 record, q has more", stdout: pairLine},
		{name: "targets left over", files: both(">1\nACGT\n", ">1\nACGA\n>2\nACGT\n"), args: bothArgs, code: 3, stderr: "q ends after 1 record, t has more", stdout: pairLine},
		{name: "empty target file", files: both(">1\nACGT\n", ""), args: bothArgs, code: 3, stderr: "t ends after 0 records, q has more"},
		{name: "FASTQ cut after the sequence", files: both("@1\nACGT\n+\nIIII\n@2\nACGT\n", ">1\nACGA\n>2\nA\n"), args: bothArgs, code: 3, stderr: "q:6: record 2: ", stdout: pairLine},
		{name: "quality too short", files: both("@1\nACGT\n+\nIII\n", ">1\nACGA\n"), args: bothArgs, code: 3, stderr: "record 1: "},
		{name: "quality too long", files: both("@1\nACGT\n+\nIIIII\n", ">1\nACGA\n"), args: bothArgs, code: 3, stderr: "record 1: "},
		{name: "digit in FASTA", files: both(">1\nACGT\n>2\nAC\nG7\n", ">1\nACGA\n>2\nACG\n"), args: bothArgs, code: 3, stderr: "q:5: record 2: ", stdout: pairLine},
		{name: "text as FASTA", files: both("hello\n", ">1\nACGA\n"), args: bothArgs, code: 3, stderr: "q:1: record 1: "},
		{name: "binary as FASTQ", files: both("\x7fELF\x02\x01\x01\x00", ">1\nACGA\n"), args: bothArgs, code: 3, stderr: "q:1: record 1: found binary data"},

		{name: "names differ", files: both(">1\nACGT\n>2\nA\n", ">1/2\nACGA\n>3\nA\n"), args: append(bothArgs, "--check-names=error"), code: 3, stderr: `t:3: record 2: the name "3" differs from "2" in q:3`, stdout: "1\t1/2\t2\t3=1X\n"},
		{name: "unknown check of names", files: good, args: []string{"align", "--check-names", "yes", "good.seq"}, code: 2, stderr: `invalid argument "yes" for "--check-names" flag: want notice, error or off`},
		{name: "CR alone in FASTA", files: both(">1\rACGT\r>2\rACGT\r", ">1\nACGA\n"), args: bothArgs, code: 3, stderr: "q:1: record 1: header position 3: byte 0x0d is followed by more: want lines that end in LF or CRLF"},
		{name: "CR alone in pairs", files: seq(">ACGT\r<ACGT\r"), args: fileArgs, code: 3, stderr: "bad.seq:1: record 1: query position 5: byte 0x0d is not a sequence letter: want lines that end in LF or CRLF"},

		{name: "queries left over, with the line", files: both(">1\nACGT\n\n>2\nACGT\n", ">1\nACGA\n"), args: bothArgs, code: 3, stderr: "t ends after 1 record, q has more: record 2, line 4", stdout: pairLine},
		{name: "bytes behind gzip", files: seq(gz(pair) + "abc"), args: fileArgs, code: 3, stderr: "the gzip data is followed by something else (3 B)", stdout: pairLine},
		{name: "SAM header as pairs", files: seq("@HD\tSO:coordinate\n"), args: fileArgs, code: 3, stderr: "bad.seq:1: record 1: found SAM: want pairs, FASTA or FASTQ"},
		{name: "SAM read group as FASTQ", files: both("@RG\tID:1\n", ">1\nA\n"), args: bothArgs, code: 3, stderr: "q:1: record 1: found SAM: "},
		{name: "SAM program as FASTQ", files: both("@PG\tID:bwa\n", ">1\nA\n"), args: bothArgs, code: 3, stderr: "q:1: record 1: found SAM: "},
		{name: "SAM record as pairs", files: seq("r1\t0\tchr1\t1\t60\t4M\t*\t0\t0\tACGT\tIIII\n"), args: fileArgs, code: 3, stderr: "bad.seq:1: record 1: found SAM: "},
		{name: "PAF as pairs", files: seq("r1\t4\t0\t4\t+\tchr1\t9\t0\t4\t4\t4\t60\n"), args: fileArgs, code: 3, stderr: "bad.seq:1: record 1: found PAF: want pairs, FASTA or FASTQ"},
		{name: "control characters in a name", args: []string{"align", "a\nb\x1b[31m\xff.seq"}, code: 3, stderr: `open a\x0ab\x1b[31m\xff.seq: no such file or directory`},

		// Words of other programs' libraries.
		{name: "compression that is not there", files: good, args: []string{"align", "-o", "x.tsv.bz2", "good.seq"}, code: 2, stderr: "--output x.tsv.bz2: compression .bz2 is not available"},
		{name: "statistics in xz", files: good, args: []string{"align", "--stats", "x.json.xz", "good.seq"}, code: 2, stderr: "--stats x.json.xz: compression .xz is not available"},
		{name: "compressed log", files: good, args: []string{"align", "--log-file", "x.log.gz", "good.seq"}, code: 2, stderr: "--log-file x.log.gz: a log is plain text, not .gz"},
		{name: "log in lz4", files: good, args: []string{"align", "--log-file", "x.lz4", "good.seq"}, code: 2, stderr: "--log-file x.lz4: compression .lz4 is not available"},
		{name: "generate: compression that is not there", args: []string{"generate", "-q", "q.fa.gz", "-t", "t.fa.XZ"}, code: 2, stderr: "--target t.fa.XZ: compression .xz is not available"},
		{name: "quiet, perhaps", files: good, args: []string{"align", "--quiet=maybe", "good.seq"}, code: 2, stderr: `invalid argument "maybe" for "--quiet" flag: want true or false, or no value`},
		{name: "negative seed", args: []string{"generate", "--seed", "-1"}, code: 2, stderr: `invalid argument "-1" for "--seed" flag: want a whole number of 0 or more`},
		{name: "seed too large", args: []string{"generate", "--seed", "99999999999999999999"}, code: 2, stderr: `for "--seed" flag: the number is too large or too small`},
		{name: "length as text", args: []string{"generate", "-l", "x"}, code: 2, stderr: `invalid argument "x" for "-l, --length" flag: want a whole number`},
		{name: "error rate as text", args: []string{"generate", "-e", "x"}, code: 2, stderr: `invalid argument "x" for "-e, --error-rate" flag: want a number`},
		{name: "unknown command", args: []string{"bogus"}, code: 2, stderr: `unknown command "bogus"`},
		{name: "help for an unknown command", args: []string{"help", "bogus"}, code: 2, stderr: `unknown command "bogus"`},
		{name: "help for an unknown command of a command", args: []string{"help", "align", "bogus"}, code: 2, stderr: `unknown command "align bogus"`},

		// Generating pairs.
		{name: "negative length", args: []string{"generate", "-l", "-5"}, code: 2, stderr: "length -5 is negative"},
		{name: "error rate above 1", args: []string{"generate", "-e", "1.5"}, code: 2, stderr: "error rate 1.5 is outside 0..1"},
		{name: "unknown error model", args: []string{"generate", "--model", "odd", "-o", "out"}, code: 2, stderr: `unknown error model "odd"`},
		{name: "largest error rate below the least", args: []string{"generate", "-e", "0.1", "--max-error-rate", "0.05"}, code: 2, stderr: "largest error rate 0.05 is outside 0.1..1"},
		{name: "largest error rate 0", args: []string{"generate", "-e", "0", "--max-error-rate", "0"}, code: 2, stderr: "--max-error-rate is 0"},
		{name: "variants of another model", args: []string{"generate", "--sv-min", "10"}, code: 2, stderr: "--sv-min is for --model sv"},
		{name: "rate of variants above 1", args: []string{"generate", "--model", "sv", "--sv-rate", "1.5"}, code: 2, stderr: "rate of structural variants, 1.5, is outside 0..1"},
		{name: "variants of no base", args: []string{"generate", "--model", "sv", "--sv-min", "0"}, code: 2, stderr: "--sv-min 0: want 1 or more"},
		{name: "variants without a length", args: []string{"generate", "--model", "sv", "--sv-min", "100", "--sv-max", "99"}, code: 2, stderr: "structural variants of 100 to 99 bases"},
		{name: "unknown kind of variants", args: []string{"generate", "--model", "sv", "--sv-kinds", "deletion,odd"}, code: 2, stderr: `unknown kind of structural variant "odd"`},
		{name: "generate: query alone", args: []string{"generate", "-q", "q.fa"}, code: 2, stderr: "--query and --target go together"},
		{name: "generate: two kinds of output", args: []string{"generate", "-q", "q.fa", "-t", "t.fa", "-o", "x"}, code: 2, stderr: "give either --output or --query with --target, not both"},
		{name: "generate: one file for both", args: []string{"generate", "-q", "q.fa", "-t", "q.fa"}, code: 2, stderr: "--query and --target name the same file q.fa"},
	} {
		t.Run(tc.name, tc.try)
	}

	t.Run("gzip cut in the middle", func(t *testing.T) {
		t.Chdir(t.TempDir())
		packed := gz(long)
		writeFiles(t, seq(packed[:len(packed)/2]))
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), fileArgs, streams{nil, &stdout, &stderr})
		if code != exitInput {
			t.Errorf("exit code %d, want %d", code, exitInput)
		}
		expectMessage(t, stderr.String(), "the gzip data is cut short")
		lines := strings.Count(stdout.String(), "\n")
		if lines < 500 || lines > 1500 || !strings.HasSuffix(stdout.String(), "\n") {
			t.Errorf("%d lines of whole pairs from half of 2000", lines)
		}
	})
}
