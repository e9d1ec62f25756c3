package seqio

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

// packXZ makes one stream of each text.
func packXZ(t testing.TB, texts ...string) string {
	t.Helper()
	var out bytes.Buffer
	for _, text := range texts {
		w, err := xz.NewWriter(&out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// packWith compresses a text with a program; "" if it is not there.
func packWith(t testing.TB, program, text string) string {
	t.Helper()
	cmd := exec.Command(program, "-c")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

// bzip2Pair is ">AC\n<C\n" as bzip2 compresses it, for machines without the program.
const bzip2Pair = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\xe4\x39\x4b\x40\x00\x00\x01\xcc\x00\x00\x10\x00\x05\x28\x00\x20\x00\x21\x83\x41\x9a\x01\x45\x83\x8b\xb9\x22\x9c\x28\x48\x72\x1c\xa5\xa0\x00"

func TestBzip2AndXZ(t *testing.T) {
	text := strings.Repeat(">ACGTTGCA\n<ACGTCGCA\n", 20_000)
	want, err := readFiles(t, Limits{}, text)
	if err != nil {
		t.Fatal(err)
	}
	packed := map[string]string{
		"xz":              packXZ(t, text),
		"xz, two streams": packXZ(t, text[:120_000], text[120_000:]),
		"of xz":           packWith(t, "xz", text),
		"of bzip2":        packWith(t, "bzip2", text),
		"bzip2 twice":     packWith(t, "bzip2", text[:120_000]) + packWith(t, "bzip2", text[120_000:]),
	}
	for name, data := range packed {
		if data == "" {
			t.Logf("%s: the program is not installed", name)
			continue
		}
		got, err := readFiles(t, Limits{}, data)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d pairs of %d, %v", name, len(got), len(want), err)
		}
	}
	got, err := readFiles(t, Limits{}, bzip2Pair)
	if err != nil || len(got) != 1 || got[0].query != "AC" || got[0].target != "C" {
		t.Errorf("bzip2: %v, %v", got, err)
	}
}

// Every prefix of compressed data is an error, and no pair of it is lost or made up.
func TestCutBzip2AndXZ(t *testing.T) {
	for name, data := range map[string]string{"xz": packXZ(t, ">AC\n<C\n"), "bzip2": bzip2Pair} {
		for n := 8; n < len(data); n++ {
			got, err := readFiles(t, Limits{}, data[:n])
			if err == nil || !strings.Contains(err.Error(), "data") {
				t.Errorf("%s, %d of %d bytes: %v, %v", name, n, len(data), got, err)
			}
		}
		for _, tail := range []string{"x", "more text, which is longer than a header"} {
			if _, err := readFiles(t, Limits{}, data+tail); err == nil {
				t.Errorf("%s followed by %q: no error", name, tail)
			}
		}
	}
}

func TestBytesBehindXZ(t *testing.T) {
	for _, more := range []string{"j", "junk\n", strings.Repeat("junk\n", 9)} {
		_, err := readFiles(t, Limits{}, packXZ(t, ">AC\n<C\n")+more)
		if err == nil || !strings.Contains(err.Error(), "followed by something else") {
			t.Errorf("%q: %v", more, err)
		}
	}
}

// Text that cannot be is put down to the compressed data where that is damaged.
func TestDamagedText(t *testing.T) {
	text := strings.Repeat(">ACGTTGCA\n<ACGTCGCA\n", 3000)
	for name, data := range map[string]string{
		"gzip": compress(t, text), "bgzip": bgzip(t, text), "zstd": packZstd(t, text), "xz": packXZ(t, text), "bzip2": packWith(t, "bzip2", text),
	} {
		for at := 40; at < len(data)-40; at += 1 + len(data)/40 {
			damaged := []byte(data)
			damaged[at] ^= 4
			_, err := readFiles(t, Limits{}, string(damaged))
			if err == nil || !strings.Contains(err.Error(), name[:2]) && !strings.Contains(err.Error(), "gzip") {
				t.Errorf("%s, byte %d: %v", name, at, err)
			}
		}
	}
}
