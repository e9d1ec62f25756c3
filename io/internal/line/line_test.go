package line

import (
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

func TestName(t *testing.T) {
	o := NewOrdinal(7)
	for name, want := range map[string]string{"r": "r", "r x": "r", " r\tx": "r", "": "", "r\x00": "r\x00"} {
		if got := string(o.Name([]byte(name))); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
