package main

import (
	"strings"
	"testing"
)

// from returns an alignment with its CIGAR, of a read named so.
func from(t *testing.T, name string, q, at int, cigar, read, reference string) *alignment {
	t.Helper()
	a := made(t, q, at, cigar, read, reference)
	a.name = name
	return a
}

func TestJoin(t *testing.T) {
	//                    0         1         2
	const reference = "AACCGGTTACGTACGTTTTTGGGGCCCC"
	const split = "CCGGTTACGTTTTGGGGCC" // without four letters behind the tenth
	ours := []*alignment{
		from(t, "both", 0, 2, "10M4D8M", "CCGGTTACGTTTTTGGGG", reference),
		from(t, "split", 0, 2, "10M5D9M", split, reference),
		from(t, "worse", 0, 2, "8M1I1D7M", "CCGGTTACGTACGTTT", reference),
		from(t, "extra", 0, 0, "5M", "AACCG", reference),
		from(t, "beside", 0, 0, "5M", "AACCG", reference),
	}
	theirs := []*alignment{
		from(t, "both", 1, 3, "17M", "CCGGTTACGTTTTTGGGG", reference), // mismatches in place of the gap
		from(t, "split", 0, 2, "10M", split, reference),
		from(t, "split", 11, 18, "8M", split, reference),
		from(t, "worse", 0, 2, "16M", "CCGGTTACGTACGTTT", reference),
		from(t, "beside", 0, 10, "5M", "AACCG", reference),
		from(t, "lost", 0, 0, "5M", "AACCG", reference),
	}
	var j judgement
	j.join(noisy, ours, theirs)
	if j.hits != 5 || j.mapped != 6 || j.places != 4 || j.lost != 1 || j.extra != 2 {
		t.Errorf("%d hits, %d records, %d places, %d lost, %d extra", j.hits, j.mapped, j.places, j.lost, j.extra)
	}
	// both and split have their first ten columns in common, and nothing differs there.
	if j.chain.better != 0 || j.chain.equal != 3 || j.chain.worse != 1 || !strings.HasPrefix(j.chain.first, "worse, s:3: ") {
		t.Errorf("scores %v, the first worse one is %q", j.chain, j.chain.first)
	}
	ours[2].read = "CCGGTTACGTACGTTN"
	theirs[3].read = ours[2].read
	j = judgement{}
	if j.join(noisy, ours, theirs); j.chain.worse != 0 || j.chain.worseN != 1 {
		t.Errorf("with N: scores %v", j.chain)
	}
}

func TestWidened(t *testing.T) {
	const reference = "AACCGGTTACGTACGTTTTT"
	read := func(name string, q int, cigar string) *alignment {
		return from(t, name, q, 2+q, cigar, "CCGGTTAC", reference)
	}
	ours := []*alignment{read("better", 0, "8M"), read("worse", 1, "6M"), read("equal", 0, "8M"), read("out", 0, "8M"), read("strand", 0, "8M")}
	theirs := []*alignment{
		read("better", 0, "7M"), read("worse", 0, "8M"), read("equal", 0, "8M"), read("out", 0, "8M"), read("strand", 0, "8M"), read("none", 0, "8M"), read("secondary", 0, "8M"),
	}
	theirs[4].reverse, theirs[6].secondary = true, true
	parts := map[string]part{}
	for _, a := range theirs {
		parts[a.name] = part{"s", false, 2, 10}
	}
	parts["out"] = part{"s", false, 2, 9}
	var j judgement
	j.widened(noisy, ours, theirs, parts)
	if j.wide.better != 1 || j.wide.equal != 1 || j.wide.worse != 2 || j.elsewhere != 2 {
		t.Errorf("scores %v, %d elsewhere", j.wide, j.elsewhere)
	}
}
