package main

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"strings"
	"testing"
)

// bgzfEnd is the empty block that ends a BGZF file.
const bgzfEnd = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00BC\x02\x00\x1b\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// bgzf compresses text as one block, as bgzip does.
func bgzf(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Extra = []byte("BC\x02\x00\x00\x00")
	w.Write([]byte(text)) // a bytes.Buffer takes everything
	w.Close()
	block := b.Bytes()
	block[16], block[17] = byte(b.Len()-1), byte((b.Len()-1)>>8)
	return string(block)
}

// named compresses text as a member that has a file's name.
func named(text, name string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name, w.Comment = name, "a comment"
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func zlibbed(text string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func TestHostileGzip(t *testing.T) {
	const (
		cut       = "the gzip data is cut short"
		damaged   = "the gzip data is damaged"
		behind    = "the gzip data is followed by something else"
		second    = "bad.seq:3: record 2: "
		first     = "bad.seq:1: record 1: "
		twoLines  = pairLine + "2\t2\t2\t3=1X\n"
		reserved  = "\xe0"
		halfBlock = len(bgzfEnd) / 2
	)
	whole := gz(pair)
	for _, tc := range []struct{ name, data, stderr, stdout string }{
		{"one byte of it", whole[:1], first + "found a line that starts with byte 0x1f", ""},
		{"the magic alone", whole[:2], first + cut, ""},
		{"cut in the header", whole[:9], first + cut, ""},
		{"cut after the header", whole[:10], first + cut, ""},
		{"cut in the data", whole[:14], first + cut, ""},
		{"cut before the trailer", whole[:len(whole)-8], second + cut, pairLine},
		{"cut in the checksum", whole[:len(whole)-6], second + cut, pairLine},
		{"cut in the length", whole[:len(whole)-1], second + cut, pairLine},
		{"wrong checksum", flip(whole, len(whole)-8), second + damaged, pairLine},
		{"wrong length", flip(whole, len(whole)-1), second + damaged, pairLine},
		{"wrong method", flip(whole, 2), first + "the gzip header is damaged", ""},
		{"wrong block type", whole[:10] + "\x07" + whole[11:], first + damaged, ""},
		{"a name without an end", whole[:3] + "\x08" + whole[4:10] + strings.Repeat("x", 600), first + "the gzip header is damaged", ""},
		{"an extra field longer than the file", whole[:3] + "\x04" + whole[4:10] + "\xff\xff" + whole[10:], first + cut, ""},
		{"second member cut in its magic", whole + whole[:1], second + cut, pairLine},
		{"second member cut in its header", whole + whole[:6], second + cut, pairLine},
		{"second member cut in its data", whole + whole[:14], second + cut, pairLine},
		{"second member cut in its trailer", whole + whole[:len(whole)-4], "bad.seq:5: record 3: " + cut, twoLines},
		{"second member of garbage", whole + whole[:10] + "\x07garbage garbage", second + damaged, pairLine},
		{"second member of another method", whole + flip(whole, 2), second + behind, pairLine},
		{"members that cut a pair, the second cut", gz(">ACGT\n<AC") + gz("GA\n")[:12], "bad.seq:2: record 1: " + cut, ""},
		{"one byte behind", whole + "\n", second + behind + " (1 B)", pairLine},
		{"plain text behind", whole + pair, second + behind, pairLine},
		{"NULs behind", whole + strings.Repeat("\x00", 512), second + behind, pairLine},
		{"zstd behind", whole + "\x28\xb5\x2f\xfd\x04\x00\x41\x00\x00\x00", second + behind, pairLine},
		{"BGZF cut in its last block", bgzf(pair) + bgzfEnd[:halfBlock], second + cut, pairLine},
		{"BGZF cut in a block", bgzf(pair)[:20], first + cut, ""},
		{"BGZF and something behind its end", bgzf(pair) + bgzfEnd + "end", second + behind + " (3 B)", pairLine},
		{"compressed twice", gz(whole), first + "found data compressed with gzip", ""},
		{"BGZF in gzip", gz(bgzf(pair) + bgzfEnd), first + "found data compressed with gzip", ""},
		{"xz in gzip", gz("\xfd7zXZ\x00\x00"), first + "found data compressed with xz", ""},
		{"zlib", zlibbed(pair), first + "found ", ""},
		{"FASTA in gzip as pairs", gz(">a\nACGT\n"), "bad.seq:2: record 1: found a FASTA sequence in a pairs file", ""},
		{"bad letter in the second member", gz(pair) + gz(">AC-T\n<A\n"), second + "query position 3: '-' is not a sequence letter", pairLine},
		{"a pair cut by the end of the data", gz(pair + ">ACGT\n"), second + "the file ends after a line >QUERY", pairLine},
	} {
		run := badRun{files: map[string]string{"bad.seq": tc.data}, args: []string{"align", "bad.seq"}, code: exitInput, stderr: tc.stderr, stdout: tc.stdout}
		t.Run(tc.name, run.try)

		// A pipe of it.
		run.files, run.stdin, run.args = nil, tc.data, []string{"align"}
		run.stderr = strings.Replace(tc.stderr, "bad.seq", "stdin", 1)
		t.Run(tc.name+", standard input", run.try)
	}

	for _, tc := range []struct{ name, data, stdout string }{
		{"with a name and a comment", named(pair, "reads.seq"), pairLine},
		{"two members", whole + whole, twoLines},
		{"members that cut a pair everywhere", gz(">") + gz("ACG") + gz("T\n<ACGA") + gz("") + gz("\n"), pairLine},
		{"an empty member first", gz("") + whole, pairLine},
		{"empty members alone", strings.Repeat(gz(""), 50), ""},
		{"BGZF", bgzf(pair) + bgzfEnd, pairLine},
		{"BGZF without its last block", bgzf(pair), pairLine}, // with a notice
		{"two files of BGZF", bgzf(pair) + bgzfEnd + bgzf(pair) + bgzfEnd, twoLines},
		{"the end of BGZF alone", bgzfEnd, ""},
		{"gzip and BGZF", whole + bgzf(pair) + bgzfEnd, twoLines},
	} {
		run := badRun{files: map[string]string{"odd": tc.data}, args: []string{"align", "odd"}, stdout: tc.stdout}
		t.Run(tc.name, run.try)
	}
}

// TestGzipCutAnywhere: a file that is cut is an error unless it ends with a member, and
// the pairs of whole members come before it.
func TestGzipCutAnywhere(t *testing.T) {
	t.Chdir(t.TempDir())
	var stored strings.Builder
	ends := map[int]int{} // of members, and the pairs before them
	for i, member := range []string{gz(pair), named(pair, "reads.seq"), bgzf(pair), bgzf(pair)} {
		stored.WriteString(member)
		ends[stored.Len()] = i + 1
	}
	whole := 0
	for left := 2; left <= stored.Len(); left++ {
		writeFiles(t, map[string]string{"cut": stored.String()[:left]})
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), []string{"align", "--quiet", "--device", "cpu", "cut"}, streams{nil, &stdout, &stderr})
		pairs := strings.Count(stdout.String(), "\n")
		if n, ok := ends[left]; ok {
			whole = n
			if code != exitOK || pairs != whole || stderr.Len() > 0 {
				t.Errorf("the first %d bytes: exit code %d, %d pairs, %s", left, code, pairs, &stderr)
			}
			continue
		}
		if code != exitInput || pairs < whole || pairs > whole+1 || strings.Count(stdout.String(), "\t3=1X\n") != pairs {
			t.Errorf("the first %d bytes: exit code %d, %q, want %d whole pairs or one more", left, code, &stdout, whole)
		}
		expectMessage(t, stderr.String(), "the gzip data is cut short")
	}
}
