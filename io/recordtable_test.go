package seqio

import (
	"fmt"
	"slices"
	"testing"
)

// TestCrowd: many records of one name are found, and no search walks past all of them.
func TestCrowd(t *testing.T) {
	const n = 20_000
	table := newRecordTable()
	var want []int64
	for i := range int64(n) {
		name := "same"
		if i%3 == 0 {
			name = fmt.Sprint("r", i)
		} else {
			want = append(want, i)
		}
		table.add([]byte(name), i)
	}
	if got := table.candidates(nil, []byte("same")); !slices.Equal(got, want) {
		t.Errorf("%d records of the name, want %d", len(got), len(want))
	}
	for i := int64(0); i < n; i += 3 {
		if got := table.candidates(nil, fmt.Append(nil, "r", i)); !slices.Contains(got, i) {
			t.Fatalf("record %d is not among %v", i, got)
		}
	}
	run, longest := 0, 0
	for _, r := range table.slots {
		if run++; r == 0 {
			run = 0
		}
		longest = max(longest, run)
	}
	if longest > 500 {
		t.Errorf("%d slots in a row are taken", longest)
	}
}
