package gpu

import (
	"testing"

	"wfagpu/cigar"
)

// Alignments lie side by side in memory of their own until the next one of a place is longer, and none reaches into another.
func TestStorage(t *testing.T) {
	var s storage
	results := make([]cigar.CIGAR, 3000)
	elements := make([]uint32, 2*ownStorage)
	check := func(length func(i int) int) (same int) {
		t.Helper()
		for i := range results {
			n := length(i)
			for j := range n {
				elements[j] = uint32(i<<12 + j)
			}
			before := cap(results[i])
			results[i] = s.copy(results[i], elements[:n])
			if cap(results[i]) == before {
				same++
			}
		}
		for i, r := range results {
			if len(r) != length(i) {
				t.Fatalf("%d elements of %d", len(r), length(i))
			}
			for j, e := range r {
				if uint32(e) != uint32(i<<12+j) {
					t.Fatalf("element %d of alignment %d is that of %d", j, i, uint32(e)>>12)
				}
			}
			_ = append(r[:0], r[:cap(r)]...) // all of it is its own
		}
		return same
	}
	short := func(i int) int { return 1 + i%7 }
	check(short)
	if same := check(func(i int) int { return storageRounding - i%7 }); same != len(results) {
		t.Errorf("%d of %d alignments have kept their memory", same, len(results))
	}
	check(func(i int) int { return []int{0, 1, 40, ownStorage - 1, ownStorage, 2 * ownStorage}[i%6] })
	check(func(i int) int { return 12 + i%3 })
	if n := testing.AllocsPerRun(1, func() {
		clear(results)
		check(short)
	}); n > float64(len(results)*storageRounding/storageChunk+2) {
		t.Errorf("%v allocations", n)
	}
}
