package line

import (
	"bytes"
	"math"
	"strconv"
	"testing"
)

func TestOrdinal(t *testing.T) {
	for _, first := range []int64{0, 1, 8, 99, 999_999_999_999} {
		o := NewOrdinal(first)
		for n := first; n < first+1200; n++ {
			if got := string(o.Name(nil)); got != strconv.FormatInt(n, 10) {
				t.Fatalf("from %d: %s, want %d", first, got, n)
			}
			o.Next()
		}
	}
}

func TestOrdinalAdd(t *testing.T) {
	o, want := NewOrdinal(0), int64(0)
	for _, n := range []int64{1, 0, 8, 1, 1, 89, 12345, 1, 999_999_999_999} {
		o.Add(n)
		want += n
		if got := string(o.Name(nil)); got != strconv.FormatInt(want, 10) {
			t.Errorf("%s, want %d", got, want)
		}
	}
}

func TestName(t *testing.T) {
	o := NewOrdinal(7)
	for name, want := range map[string]string{"r": "r", "r x": "r", " r\tx": "r", "": "", "r\x00": "r\x00"} {
		if got := string(o.Name([]byte(name))); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestFirstWord: every byte at every place of names of all lengths around those of words.
func TestFirstWord(t *testing.T) {
	for n := 1; n < 27; n++ {
		name := bytes.Repeat([]byte{'!', 0xa0, 'z', 0x80}, 7)[:n]
		for i := range name {
			keep := name[i]
			for b := range 256 {
				name[i] = byte(b)
				want := n
				if b == ' ' || b >= '\t' && b <= '\r' {
					want = i
				}
				if i > 0 && len(FirstWord(name)) != want {
					t.Fatalf("%q: %q", name, FirstWord(name))
				}
			}
			name[i] = keep
		}
	}
}

func TestAppendInt(t *testing.T) {
	for _, n := range []int{0, 9, 10, 11, 99, 100, 101, 123, 999, 1000, 1001, 65536, math.MaxInt, -1, -9, -10, -999, -1000, math.MinInt} {
		if got, want := string(AppendInt([]byte("x"), n)), "x"+strconv.Itoa(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// TestWordRun: as TestFirstWord, with all bytes up to the blank as ends.
func TestWordRun(t *testing.T) {
	for n := range 27 {
		name := bytes.Repeat([]byte{'!', 0xa0, 'z', 0x80, 0xff}, 6)[:n]
		if got := WordRun(name); got != n {
			t.Fatalf("%q: %d", name, got)
		}
		for i := range name {
			keep := name[i]
			for b := range 256 {
				name[i] = byte(b)
				want := n
				if b <= ' ' {
					want = i
				}
				if got := WordRun(name); got != want {
					t.Fatalf("%q: %d, want %d", name, got, want)
				}
			}
			name[i] = keep
		}
	}
}
