package cache

import (
	"bytes"
	"testing"
)

// TestPrefetch: no byte changes, wherever the slice begins and ends.
func TestPrefetch(t *testing.T) {
	text := bytes.Repeat([]byte("ACGT"), 100)
	want := bytes.Clone(text)
	for from := range 70 {
		for n := range 200 {
			Prefetch(text[from : from+n])
		}
	}
	Prefetch(nil)
	if !bytes.Equal(text, want) {
		t.Error("text has changed")
	}
}
