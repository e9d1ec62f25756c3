package seqio

import (
	"bytes"
	"testing"
)

// TestBadLetter puts every byte at every place of sequences that hug the widths
// of the word-wise loops.
func TestBadLetter(t *testing.T) {
	good := []byte("ACGTNacgtnRYKMSWBDHVUu*zZaA")
	for n := range 75 {
		s := make([]byte, n)
		for i := range s {
			s[i] = good[(i*7+n)%len(good)]
		}
		if i := badLetter(s); i != -1 {
			t.Fatalf("%q: position %d is refused", s, i)
		}
		for i := range s {
			keep := s[i]
			for b := range 256 {
				s[i] = byte(b)
				want := i
				if b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b == '*' {
					want = -1
				}
				if got := badLetter(s); got != want {
					t.Fatalf("byte %#x at %d of %d: got %d, want %d", b, i, n, got, want)
				}
			}
			s[i] = keep
		}
	}
}

func TestBadLetterFindsTheFirst(t *testing.T) {
	s := bytes.Repeat([]byte("ACGT"), 30)
	s[37], s[90], s[33] = '-', ' ', '*'
	if got := badLetter(s); got != 37 {
		t.Errorf("got %d, want 37", got)
	}
}

func BenchmarkBadLetter(b *testing.B) {
	s := bytes.Repeat([]byte("ACGTN"), 2000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		if badLetter(s) >= 0 {
			b.Fatal("refused")
		}
	}
}

// BenchmarkLetterRun is the scan of one short read up to the end of its line.
func BenchmarkLetterRun(b *testing.B) {
	s := append(bytes.Repeat([]byte("ACGTT"), 30), "\n<ACGTACGTACGTACGTACGTACGTACGTACGT"...)
	b.SetBytes(150)
	for b.Loop() {
		if letterRun(s) != 150 {
			b.Fatal("not the end of the line")
		}
	}
}
