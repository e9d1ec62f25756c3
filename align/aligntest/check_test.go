package aligntest

import (
	"fmt"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
)

// runs spells a CIGAR without the code under test.
func runs(c cigar.CIGAR) string {
	var s strings.Builder
	for _, e := range c {
		fmt.Fprintf(&s, "%d%c", e.Len(), e.Op())
	}
	return s.String()
}

func TestCheck(t *testing.T) {
	elem := cigar.NewElem
	for _, tc := range []struct {
		name          string
		pattern, text string
		score         int
		cigar         cigar.CIGAR
		problem       string // part of the message; empty for none
	}{
		{"empty", "", "", 0, nil, ""},
		{"every operation", "ACGTA", "ACCAG", 2 + 4 + 4, cigar.CIGAR{elem('=', 2), elem('X', 1), elem('I', 1), elem('=', 1), elem('D', 1)}, ""},
		{"case and U", "acu", "ACT", 0, cigar.CIGAR{elem('=', 3)}, ""},
		{"gap of three", "ACGT", "A", 6, cigar.CIGAR{elem('=', 1), elem('I', 3)}, ""},
		{"text not consumed", "AC", "ACG", 0, cigar.CIGAR{elem('=', 2)}, "text 2 of 3"},
		{"pattern not consumed", "ACG", "AC", 0, cigar.CIGAR{elem('=', 2)}, "pattern 2 of 3"},
		{"beyond the pattern", "A", "AC", 0, cigar.CIGAR{elem('=', 2)}, "goes beyond"},
		{"beyond the text", "AC", "A", 0, cigar.CIGAR{elem('D', 2)}, "goes beyond"},
		{"false match", "A", "C", 0, cigar.CIGAR{elem('=', 1)}, "holds"},
		{"false mismatch", "A", "A", 2, cigar.CIGAR{elem('X', 1)}, "holds"},
		{"wrong score", "A", "C", 3, cigar.CIGAR{elem('X', 1)}, "costs 2"},
		{"I and D confused", "A", "", 4, cigar.CIGAR{elem('D', 1)}, "goes beyond"},
		{"split run", "AC", "AC", 0, cigar.CIGAR{elem('=', 1), elem('=', 1)}, "both ="},
		{"empty run", "A", "A", 0, cigar.CIGAR{elem('=', 1), elem('X', 0)}, "empty"},
		{"M", "A", "A", 0, cigar.CIGAR{elem('M', 1)}, "operation"},
	} {
		err := Check([]byte(tc.pattern), []byte(tc.text), align.DefaultPenalties, align.Result{Score: tc.score, CIGAR: tc.cigar})
		switch {
		case tc.problem == "" && err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.problem != "" && (err == nil || !strings.Contains(err.Error(), tc.problem)):
			t.Errorf("%s: error %v, want one with %q", tc.name, err, tc.problem)
		}
	}
}
