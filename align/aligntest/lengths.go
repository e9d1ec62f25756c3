package aligntest

import "fmt"

// edgeLengths hug the sizes of words, vector registers, warps and blocks.
var edgeLengths = []int{
	0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65,
	127, 128, 129, 150, 199, 200, 201, 255, 256, 257,
	511, 512, 513, 1023, 1024, 1025,
}

var longEdgeLengths = []int{2000, 2047, 2048, 2049, 4095, 4096, 4097}

// lengthCases pairs sequences of the given lengths with copies at several
// error rates, with every length against the next one, and with a copy that
// lacks or has one base at either end.
func lengthCases(seed uint64, lengths []int, rates ...float64) []Case {
	r := newRand(seed)
	var cases []Case
	add := func(pattern, text []byte, format string, args ...any) {
		name := fmt.Sprintf(format, args...) + fmt.Sprintf(", seed %d", seed)
		cases = append(cases, Case{Name: name, Pattern: pattern, Text: text})
	}
	for i, n := range lengths {
		text := sequence(r, dna, n)
		for _, rate := range rates {
			add(mutate(r, dna, text, rate), text, "length %d at %.0f %% errors", n, 100*rate)
		}
		if n > 0 {
			add(text[1:], text, "length %d without the first base", n)
			add(text, text[:n-1], "length %d against all but the last base", n)
		}
		if i > 0 {
			// Same length on both sides of the last matching base.
			last := join(text)
			if n > 0 {
				last[n-1] = otherBase(last[n-1])
			}
			add(last, text, "length %d, last base differs", n)
		}
	}
	return cases
}

func otherBase(b byte) byte {
	if b == 'A' {
		return 'C'
	}
	return 'A'
}
