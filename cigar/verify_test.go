package cigar

import "testing"

// TestDirection pins the sense of I and D to SAM's: the query is the read.
// Swapping them anywhere in the project must fail here.
func TestDirection(t *testing.T) {
	read, reference := []byte("ACGGT"), []byte("ACGT")
	const insertion = "2=1I2=" // the read has one G more
	c, err := Parse(insertion)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Verify(read, reference); err != nil {
		t.Errorf("%s: %v", insertion, err)
	}
	if c.QueryLen() != 5 || c.TargetLen() != 4 {
		t.Errorf("%s consumes %d query and %d target letters, want 5 and 4", insertion, c.QueryLen(), c.TargetLen())
	}
	if c[1] != 1<<4|1 {
		t.Errorf("1I is stored as %#x, BAM has 0x11", uint32(c[1]))
	}
	const deletion = "2=1D2="
	if c, err = Parse(deletion); err != nil {
		t.Fatal(err)
	}
	if err := c.Verify(reference, read); err != nil {
		t.Errorf("%s: %v", deletion, err)
	}
	if err := c.Verify(read, reference); err == nil {
		t.Errorf("%s was accepted with the sequences exchanged", deletion)
	}
	if c[1] != 1<<4|2 {
		t.Errorf("1D is stored as %#x, BAM has 0x12", uint32(c[1]))
	}
}

func TestVerify(t *testing.T) {
	tests := []struct {
		name                      string
		text, query, target, want string
	}{
		{"empty", "*", "", "", ""},
		{"equal", "4=", "ACGT", "ACGT", ""},
		{"case and U", "4=", "acgu", "ACGT", ""},
		{"N equals N", "3=", "ANA", "ANA", ""},
		{"N differs from A", "1=1X1=", "ANA", "AAA", ""},
		{"M holds anything", "3M", "ACG", "ATG", ""},
		{"all of it", "1=1X1I1=2D1=", "ACGTA", "AGTCCA", ""},
		{"only an insertion", "3I", "ACG", "", ""},
		{"only a deletion", "3D", "", "ACG", ""},
		{"= over a difference", "1=1X2=", "ACGT", "AGGA",
			`cigar: column 4: = at query position 4 and target position 4, but 'T' and 'A' differ`},
		{"X over equal letters", "1I2=1X", "ACGT", "CGt",
			`cigar: column 4: X at query position 4 and target position 3, but 'T' and 't' are equal`},
		{"X over U and T", "1X", "U", "T",
			`cigar: column 1: X at query position 1 and target position 1, but 'U' and 'T' are equal`},
		{"past the query", "5=", "ACGT", "ACGTA",
			"cigar: column 1: 5= starts at query position 1 and runs past the query's end at 4"},
		{"past the target", "2=3D", "AC", "ACGT",
			"cigar: column 3: 3D starts at target position 3 and runs past the target's end at 4"},
		{"query left over", "2=", "ACG", "AC", "cigar: 2 columns consume 2 of 3 query letters"},
		{"target left over", "2=", "AC", "ACG", "cigar: 2 columns consume 2 of 3 target letters"},
		{"nothing for something", "*", "A", "", "cigar: 0 columns consume 0 of 1 query letters"},
	}
	for _, tc := range tests {
		c, err := Parse(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := c.Verify([]byte(tc.query), []byte(tc.target)); err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%s: %s of %s with %s:\n got %q\nwant %q", tc.name, tc.text, tc.query, tc.target, got, tc.want)
		}
	}
	if err := (CIGAR{3<<4 | 3}).Verify([]byte("AAA"), []byte("AAA")); err == nil {
		t.Error("an N operation was accepted")
	}
}
