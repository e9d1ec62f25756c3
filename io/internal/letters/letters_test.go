package letters

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// each calls try with every byte at every place of sequences of all lengths around those of
// words and vectors, at different alignments.
func each(good string, try func(s []byte, changed int)) {
	for n := range 75 {
		s := make([]byte, n+n%5)[n%5:]
		for i := range s {
			s[i] = good[(i*7+n)%len(good)]
		}
		try(s, -1)
		for i := range s {
			keep := s[i]
			for b := range 256 {
				s[i] = byte(b)
				try(s, i)
			}
			s[i] = keep
		}
	}
}

func TestRun(t *testing.T) {
	each("ACGTNacgtnRYKMSWBDHVUu*zZaA", func(s []byte, changed int) {
		want := len(s)
		if i := changed; i >= 0 && !(s[i] >= 'A' && s[i] <= 'Z' || s[i] >= 'a' && s[i] <= 'z' || s[i] == '*') {
			want = i
		}
		if got := Run(s); got != want {
			t.Fatalf("%q: %d, want %d", s, got, want)
		}
		if got := runWords(s); got > want || got < want-31 {
			t.Fatalf("words, %q: %d, want up to %d", s, got, want)
		}
	})
	s := bytes.Repeat([]byte("ACGT"), 30)
	s[37], s[90], s[33] = '-', ' ', '*'
	if got := Run(s); got != 37 {
		t.Errorf("two faults: %d", got)
	}
}

func TestBases(t *testing.T) {
	each("ACGTacgt", func(s []byte, changed int) {
		want := changed < 0 || bytes.IndexByte([]byte("ACGTacgt"), s[changed]) >= 0
		if got := Bases(s); got != want {
			t.Fatalf("%q: %v", s, got)
		}
		if len(s) >= 8 {
			bad := uint64(0)
			for i := 0; i+8 <= len(s); i++ {
				var w uint64
				for k := range 8 {
					w |= uint64(s[i+k]) << (8 * k)
				}
				bad |= notBases(w)
			}
			if (bad == 0) != want {
				t.Fatalf("words, %q: %v", s, !want)
			}
		}
	})
}

func TestValues(t *testing.T) {
	each("!~I#", func(s []byte, changed int) {
		want := changed < 0 || s[changed] >= '!' && s[changed] <= '~'
		if got := Values(s); got != want {
			t.Fatalf("%q: %v", s, got)
		}
		if len(s) >= 8 {
			bad := uint64(0)
			for i := 0; i+8 <= len(s); i++ {
				bad |= notValues(binary.LittleEndian.Uint64(s[i:]))
			}
			if (bad == 0) != want {
				t.Fatalf("words, %q: %v", s, !want)
			}
		}
	})
}

func TestStrands(t *testing.T) {
	const forward, reverse = "ACGTURYKMBVDHSWNacgturykmbvdhswn*", "*nwsdhbvkmryaacgtNWSDHBVKMRYAACGT"
	if got := string(AppendReverseComplement([]byte("x"), []byte(forward))); got != "x"+reverse {
		t.Errorf("%q, want %q", got, reverse)
	}
	if got := string(AppendReverse([]byte("x"), []byte("!I#~"))); got != "x~#I!" {
		t.Errorf("%q", got)
	}
}

// BenchmarkRun is the scan of one short read up to the end of its line.
func BenchmarkRun(b *testing.B) {
	s := append(bytes.Repeat([]byte("ACGTT"), 30), "\n<ACGTACGTACGTACGTACGTACGTACGTACGT"...)
	b.SetBytes(150)
	for b.Loop() {
		if Run(s) != 150 {
			b.Fatal("not the end of the line")
		}
	}
}

func BenchmarkBases(b *testing.B) {
	s := bytes.Repeat([]byte("ACGTT"), 30)
	b.SetBytes(150)
	for b.Loop() {
		if !Bases(s) {
			b.Fatal("other letters")
		}
	}
}
