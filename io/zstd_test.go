package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// packZstd makes one frame of each text.
func packZstd(t testing.TB, texts ...string) string {
	t.Helper()
	var out bytes.Buffer
	for _, text := range texts {
		z, err := newZstdWriter(&out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(z, text); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

const skippable = "\x53\x2a\x4d\x18\x05\x00\x00\x00 skip"

// A file in .zst has one frame, with the same bytes for any number of threads.
func TestZstdOutput(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first string
	text := seqText(160_000) // two sections
	for i := range 3 {
		runtime.GOMAXPROCS(1 + i)
		path := filepath.Join(t.TempDir(), "out.tsv.zst")
		o := create(t, path)
		write(t, o, text[:len(text)/3], text[len(text)/3:])
		if err := o.Close(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = string(data)
		} else if string(data) != first {
			t.Errorf("%d threads make another file", i+1)
		}
	}
	z, err := zstd.NewReader(strings.NewReader(first), zstd.IgnoreChecksum(false))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if got, err := io.ReadAll(z); err != nil || string(got) != text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if strings.Count(first, "\x28\xb5\x2f\xfd") != 1 {
		t.Error("more than one frame")
	}
}

// A full disk shows at Write or at Close, wherever it is full.
func TestZstdOnFullDisk(t *testing.T) {
	text := seqText(160_000)
	for _, room := range []int{0, 3, 1000, 800_000} {
		path := filepath.Join(t.TempDir(), "out.tsv.zst")
		o := create(t, path)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		o.file = &outFile{File: file, path: path}
		if o.packer, err = newZstdWriter(&limitedWriter{file, room}); err != nil {
			t.Fatal(err)
		}
		for rest := text; rest != "" && err == nil; {
			n := min(len(rest), 100_000)
			_, err = io.WriteString(o, rest[:n])
			rest = rest[n:]
		}
		if closeErr := o.Close(); !errors.Is(closeErr, syscall.ENOSPC) || err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("room for %d bytes: Write: %v, Close: %v", room, err, closeErr)
		}
	}
}

// Input in zstd is told by its content, in any number of frames.
func TestZstdInput(t *testing.T) {
	text := seqText(3000)
	want, err := readFiles(t, Limits{}, text)
	if err != nil {
		t.Fatal(err)
	}
	half := strings.LastIndex(text[:len(text)/2], ">")
	for name, data := range map[string]string{
		"a frame":           packZstd(t, text),
		"two frames":        packZstd(t, text[:half], text[half:]),
		"cut within a line": packZstd(t, text[:half-3], text[half-3:]),
		"an empty frame":    packZstd(t, "", text, ""),
		"a skippable frame": skippable + packZstd(t, text) + skippable,
		"a byte order mark": packZstd(t, "\xef\xbb\xbf"+text),
	} {
		got, err := readFiles(t, Limits{}, data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		equalPairs(t, name, got, want)
	}
	for _, empty := range []string{packZstd(t, ""), skippable} {
		if got, err := readFiles(t, Limits{}, empty); err != nil || len(got) > 0 {
			t.Errorf("an empty file: %d pairs, %v", len(got), err)
		}
	}
	queries, targets := ">a\nACGT\n>b\nAC\n", "@a\nAC\n+\nII\n@b\nGT\n+\nII\n"
	got, err := readFiles(t, Limits{}, packZstd(t, queries), compress(t, targets))
	if err != nil {
		t.Error(err)
	}
	equalPairs(t, "FASTA in zstd, FASTQ in gzip", got, []pair{{"a", "ACGT", "a", "AC"}, {"b", "AC", "b", "GT"}})
}

// Whatever is wrong, the error names the place and the cause, and the pairs before a
// cut are right.
func TestDamagedZstd(t *testing.T) {
	text := seqText(20_000)
	want, err := readFiles(t, Limits{}, text+text)
	if err != nil {
		t.Fatal(err)
	}
	whole := packZstd(t, text)
	flip := func(i int) string {
		b := []byte(whole)
		b[i] ^= 0x55
		return string(b)
	}
	type test struct{ name, data, cause string }
	const cut = "the zstd data is cut short: unexpected EOF"
	tests := []test{
		{"only the magic", whole[:4], cut},
		{"cut in the header", whole[:5], cut},
		{"cut in the checksum", whole[:len(whole)-2], cut},
		{"wrong checksum", flip(len(whole) - 2), "the zstd data is damaged: CRC check failed"},
		{"text behind it", whole + ">ACGT\n<ACGT\n", "the zstd data is followed by something else: invalid input: magic number mismatch"},
		{"too little behind it to be a frame", whole + "abc", cut},
		{"gzip behind it", whole + compress(t, text), "the zstd data is followed by something else: invalid input: magic number mismatch"},
		{"second frame cut", whole + whole[:len(whole)/2], cut},
		{"second frame cut in its magic", whole + whole[:2], cut},
		{"skippable frame cut", skippable[:10], cut},
		{"too large a window", "\x28\xb5\x2f\xfd\x00\xf8\x01\x00\x00", "the zstd data has a window above 128 MiB, as of zstd --long=28: window size exceeded"},
		{"a window of 256 MiB", "\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00", "the zstd data has a window above 128 MiB, as of zstd --long=28: window size exceeded"},
		{"gzip within zstd", packZstd(t, compress(t, text)), "found data compressed with gzip: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"zstd within zstd", packZstd(t, whole), "found data compressed with zstd: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"zstd within gzip", compress(t, whole), "found data compressed with zstd: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
	}
	for i := range 10 {
		at := len(whole) * (2*i + 1) / 20
		tests = append(tests, test{fmt.Sprintf("cut after %d bytes", at), whole[:at], cut},
			test{fmt.Sprintf("byte %d is wrong", at), flip(at), ""})
	}
	for _, tc := range tests {
		got, err := readFiles(t, Limits{}, tc.data)
		parse, ok := errors.AsType[*ParseError](err)
		if !ok || !strings.HasPrefix(parse.Err.Error(), tc.cause) {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.cause)
			continue
		}
		if parse.Record != int64(len(got)+1) || parse.Line < 2*parse.Record-1 || parse.Line > 2*parse.Record {
			t.Errorf("%s: %v after %d pairs", tc.name, message(t, err), len(got))
		}
		// What is wrong within a frame may show in the text, or no sooner than at the
		// checksum.
		if !strings.HasSuffix(tc.name, "is wrong") {
			equalPairs(t, tc.name, got, want[:len(got)])
		}
	}
}
