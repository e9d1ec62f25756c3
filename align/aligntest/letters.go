package aligntest

import "math/rand/v2"

// Alphabets that inputs come in. Engines pack the first one; all others must
// stay exact too.
const (
	dna      = "ACGT"
	twoBases = "AC"
	oneBase  = "A"
	dnaN     = "ACGTN"
	mixed    = "ACGTacgtUuNn"
	iupac    = "ACGTRYSWKMBDHVN"
	protein  = "ACDEFGHIKLMNPQRSTVWY*X-"
)

// anyByte holds every byte that may be a letter: they are compared, never
// interpreted. 0x00 and 0xFF may not; engines may refuse them.
var anyByte = func() string {
	var b []byte
	for c := 1; c < 0xff; c++ {
		b = append(b, byte(c))
	}
	return string(b)
}()

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x616c69676e)) }

// sequence returns n random letters.
func sequence(r *rand.Rand, letters string, n int) []byte {
	s := make([]byte, n)
	for i := range s {
		s[i] = letters[r.IntN(len(letters))]
	}
	return s
}

// mutate returns a copy of s in which a share of positions has an error:
// another letter, an insertion or a deletion.
func mutate(r *rand.Rand, letters string, s []byte, rate float64) []byte {
	out := make([]byte, 0, len(s)+len(s)/8)
	for _, b := range s {
		if r.Float64() >= rate {
			out = append(out, b)
			continue
		}
		switch r.IntN(3) {
		case 0:
			out = append(out, letters[r.IntN(len(letters))])
		case 1:
			out = append(out, b, letters[r.IntN(len(letters))])
		}
	}
	return out
}

// cut returns s without n letters from position at on.
func cut(s []byte, at, n int) []byte {
	return append(append([]byte{}, s[:at]...), s[at+n:]...)
}

// join returns the concatenation in new memory.
func join(parts ...[]byte) []byte {
	var out []byte
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}
