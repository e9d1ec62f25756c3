package main

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestHostileFiles: names that lead to no file, to something else than a plain file, or
// to the same file twice. Each script runs in a directory of its own with good.seq, q.fa
// and t.fa, and what it writes to out is compared.
func TestHostileFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("paths and messages are those of Linux")
	}
	t.Setenv("GORACE", "atexit_sleep_ms=0") // see TestScripts
	const (
		fasta, results = ">a\nACGT\n>b\nACGA\n", "a\ta\t0\t4=\nb\tb\t0\t4=\n"
		samePipe       = "are the same pipe: want one for queries and one for targets"
	)
	for _, tc := range []struct {
		name, script string
		code         int
		stderr, out  string
	}{
		{"a directory", "wfagpu align .", 3, ". is a directory", ""},
		{"a directory as standard input", "wfagpu align < .", 3, "stdin is a directory", ""},
		{"a directory as target", "wfagpu align -q q.fa -t .", 3, ". is a directory", ""},
		{"a file below a file", "wfagpu align good.seq/x", 3, "open good.seq/x: not a directory", ""},
		{"a link to nothing", "ln -s none l; wfagpu align l", 3, "open l: no such file or directory", ""},
		{"a link to itself", "ln -s l l; wfagpu align l", 3, "open l: too many levels of symbolic links", ""},
		{"a link to the file", "ln -s good.seq l; wfagpu align l", 0, "", pairLine},
		{"a name of 300 letters", "wfagpu align $(printf 'a%.0s' $(seq 300))", 3, ": file name too long", ""},
		{"an address", "wfagpu align https://host/good.seq", 3, "open https://host/good.seq: no such file or directory", ""},
		{"a pattern that matches nothing", "wfagpu align '*.fastq'", 3, "open *.fastq: no such file or directory", ""},
		{"a blank behind the name", "wfagpu align 'good.seq '", 3, "open good.seq : no such file or directory", ""},
		{"a name that is a flag", "wfagpu align -- --help", 3, "open --help: no such file or directory", ""},
		{"a name that is a flag, and is there", "cp good.seq ./--help; wfagpu align -- --help", 0, "", pairLine},
		{"a program to run", "wfagpu align '|cat good.seq'", 3, "open |cat good.seq: no such file or directory", ""},
		{"a name that a terminal acts on", "wfagpu align \"$(printf 'a\\033[2J\\nb')\"", 3, `open a\x1b[2J\x0ab: no such file or directory`, ""},
		{"a name with letters of all kinds", "cp good.seq 'ü é.seq'; wfagpu align 'ü é.seq'", 0, "", pairLine},
		{"a name in another encoding, bad content", "printf 'x\\n' > \"$(printf '\\374')\"; wfagpu align \"$(printf '\\374')\"", 3, `\xfc:1: record 1: found a line that starts with 'x'`, ""},

		{"no device", "wfagpu align /dev/fd/9", 3, "open /dev/fd/9: no such file or directory", ""},
		{"nothing", "wfagpu align /dev/null", 0, "", ""},
		{"nothing as target", "wfagpu align -q q.fa -t /dev/null", 3, "/dev/null ends after 0 records, q.fa has more: record 1, line 1", ""},
		{"NULs without end", "wfagpu align /dev/zero", 3, "/dev/zero:1: record 1: found binary data", ""},
		{"NULs without end as query", "wfagpu align -q /dev/zero -t t.fa", 3, "/dev/zero:1: record 1: found binary data", ""},
		{"a hole of a gigabyte", "truncate -s 1G hole; wfagpu align hole", 3, "hole:1: record 1: found binary data", ""},
		{"a hole behind a pair", "cp good.seq hole; truncate -s 1M hole; wfagpu align hole", 3, "hole:1: record 1: found binary data", ""},
		{"a file of the system", "wfagpu align /proc/self/status", 3, "/proc/self/status:1: record 1: found a line that starts with 'N'", ""},
		{"a file of the system with NULs", "wfagpu align /proc/self/cmdline", 3, "/proc/self/cmdline:1: record 1: found binary data", ""},
		{"memory", "wfagpu align /proc/self/mem", 3, "read /proc/self/mem: input/output error", ""},
		{"a socket", "wfagpu align sock", 3, "open sock: no such device or address", ""},
		{"a file that may not be read", "cp good.seq f; chmod 000 f; wfagpu align f", 3, "open f: permission denied", ""},
		{"a directory that may not be searched", "mkdir d; chmod 000 d; wfagpu align d/f; s=$?; chmod 700 d; exit $s", 3, "open d/f: permission denied", ""},
		{"the program itself", "wfagpu align \"$(command -v wfagpu)\"", 3, ":1: record 1: found binary data", ""},

		{"standard input is closed", "wfagpu align <&-", 0, "", ""},
		{"standard input is for writing", "wfagpu align 0> w", 3, "read /dev/stdin: bad file descriptor", ""},
		{"standard input by name", "wfagpu align /dev/stdin < good.seq", 0, "", pairLine},
		{"standard input by name, a pipe", "cat good.seq | wfagpu align /dev/stdin", 0, "", pairLine},
		{"standard input from its middle", "{ head -c 3 > /dev/null; wfagpu align; } < good.seq", 3, "stdin:1: record 1: found a line that starts with 'G'", ""},
		{"standard input from its end", "{ cat > /dev/null; wfagpu align; } < good.seq", 0, "", ""},
		{"a pipe that ends in a pair", "head -c 4 good.seq | wfagpu align", 3, "stdin:1: record 1: the file ends after a line >QUERY", ""},
		{"a pipe that ends in gzip data", "gzip -c good.seq | head -c 15 | wfagpu align", 3, "stdin:1: record 1: the gzip data is cut short", ""},
		{"a pipe that ends at once", "true | wfagpu align", 0, "", ""},
		{"a pipe that ends in a record", "head -c 9 q.fa | wfagpu align -q - -t t.fa", 3, "stdin:3: record 2: the header has no name", "a\ta\t0\t4=\n"},

		{"a named pipe that ends in a pair", "mkfifo p; { cat good.seq; printf '>AC'; } > p & wfagpu align p", 3, "p:3: record 2: the file ends after a line >QUERY", pairLine},
		{"a named pipe that ends in gzip data", "mkfifo p; { gzip -c good.seq; gzip -c good.seq | head -c 15; } > p & wfagpu align p", 3, "p:3: record 2: the gzip data is cut short", pairLine},
		{"a named pipe that ends at once", "mkfifo p; : > p & wfagpu align p", 0, "", ""},
		{"two named pipes, one ends at once", "mkfifo p r; cat q.fa > p & : > r & wfagpu align -q p -t r", 3, "r ends after 0 records, p has more: record 1, line 1", ""},
		{"two named pipes, one ends early", "mkfifo p r; cat q.fa > p & head -n 2 t.fa > r & wfagpu align -q p -t r", 3, "r ends after 1 record, p has more: record 2, line 3", "a\ta\t0\t4=\n"},
		{"a named pipe that nobody writes, and no target", "mkfifo p; wfagpu align -q p -t none", 3, "open none: no such file or directory", ""},

		{"one pipe for both", "mkfifo p; wfagpu align -q p -t p", 2, "p and p " + samePipe, ""},
		{"one pipe for both, by another name", "mkfifo p; ln p r; wfagpu align -q p -t ./r", 2, "p and ./r " + samePipe, ""},
		{"standard input for both, by name", "cat q.fa | wfagpu align -q - -t /dev/stdin", 2, "standard input and /dev/stdin " + samePipe, ""},
		{"one file for both", "wfagpu align -q q.fa -t q.fa", 0, "", results},
		{"one file for both, one by standard input", "wfagpu align -q - -t q.fa < q.fa", 0, "", results},
		{"pairs for both", "wfagpu align -q good.seq -t good.seq", 3, "good.seq:2: record 1: found a line <TARGET in a FASTA file", ""},
		{"query and target in turn", "wfagpu align -q t.fa -t q.fa", 0, "", results},

		{"the output is a link to the input", "ln -s good.seq l; wfagpu align -o l good.seq", 2, "--output l would overwrite an input file", ""},
		{"the output is the input by another name", "ln good.seq l; wfagpu align -o l good.seq", 2, "--output l would overwrite an input file", ""},
		{"the output is the target by another name", "ln t.fa l; wfagpu align -q q.fa -t t.fa -o l", 2, "--output l would overwrite an input file", ""},
		{"statistics are the input by another name", "ln -s good.seq l; wfagpu align --stats l good.seq", 2, "--stats l would overwrite an input file", ""},
		{"a link to an input that is not there", "ln -s none l; wfagpu align -o l none", 3, "open none: no such file or directory", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if strings.Contains(tc.stderr, "permission denied") && os.Geteuid() == 0 {
				t.Skip("root may read it")
			}
			dir := t.TempDir()
			writeFiles(t, map[string]string{filepath.Join(dir, "good.seq"): pair, filepath.Join(dir, "q.fa"): fasta, filepath.Join(dir, "t.fa"): fasta})
			if strings.HasSuffix(tc.script, " sock") {
				// The path of a socket is short.
				t.Chdir(dir)
				l, err := net.Listen("unix", "sock")
				if err != nil {
					t.Skip(err)
				}
				defer l.Close()
			}
			script := "{ " + strings.ReplaceAll(tc.script, "wfagpu align", "wfagpu align --quiet --device cpu") + "\n} > out"
			code, stderr := shell(t, dir, script)
			if code != tc.code || tc.code == 0 && stderr != "" {
				t.Errorf("exit code %d, want %d; %s", code, tc.code, stderr)
			}
			if tc.code != 0 {
				expectMessage(t, stderr, tc.stderr)
			}
			expectContent(t, filepath.Join(dir, "out"), tc.out)
			expectContent(t, filepath.Join(dir, "good.seq"), pair)
			expectContent(t, filepath.Join(dir, "t.fa"), fasta)
		})
	}
}
