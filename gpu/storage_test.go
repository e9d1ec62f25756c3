package gpu

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"wfagpu/cigar"
)

// Alignments lie side by side in memory of their own until the next one of a place is longer, and
// none reaches into another.
func TestStorage(t *testing.T) {
	var s storage
	results := make([]cigar.CIGAR, 3000)
	elements := make([]uint32, 3*fewElements)
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
	check(func(i int) int { return []int{0, 1, 40, fewElements - 1, fewElements, 3 * fewElements}[i%6] })
	check(func(i int) int { return 12 + i%3 })
	if n := testing.AllocsPerRun(1, func() {
		clear(results)
		check(short)
	}); n > float64(len(results)*storageRounding/storageChunk+2) {
		t.Errorf("%v allocations", n)
	}
}

// Results hold little more memory than their capacities tell, which the command counts, however
// often they are used again.
func TestStorageIsCounted(t *testing.T) {
	held := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	const batches, most = 20, 1.4
	elements := make([]uint32, 1000)
	for _, longest := range []int{30, 300, 1000} {
		r := rand.New(rand.NewPCG(1, 2))
		var s storage
		results := make([]cigar.CIGAR, 20_000)
		before := held()
		for range batches {
			for i := range results {
				results[i] = s.copy(results[i], elements[:1+r.IntN(longest)])
			}
		}
		counted := int64(0)
		for _, c := range results {
			counted += 4 * int64(cap(c))
		}
		if n := held() - before; float64(n) > most*float64(counted) {
			t.Errorf("up to %d elements: %d bytes held, %d counted", longest, n, counted)
		}
		runtime.KeepAlive(results)
	}
}
