package aligntest_test

import (
	"syscall"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// guarded returns a copy of s that ends right before, or begins right behind,
// a page that may not be touched.
func guarded(t *testing.T, s []byte, atEnd bool) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	pages := (len(s) + page - 1) / page
	area, err := syscall.Mmap(-1, 0, (pages+2)*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(area); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{area[:page], area[len(area)-page:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	start := page
	if atEnd {
		start = len(area) - page - len(s)
	}
	copy(area[start:], s)
	return area[start : start+len(s) : start+len(s)]
}

// Vector code must not touch memory outside the sequences it is given: here it
// would end the test with a fault.
func TestNoReadOutsideSequences(t *testing.T) {
	for _, level := range align.Levels() {
		for _, atEnd := range []bool{true, false} {
			for seed := range uint64(3) {
				cases := aligntest.RandomCases(4000+seed, 60, 600)
				b := &align.Batch{}
				for _, c := range cases {
					b.Pairs = append(b.Pairs, align.Pair{Pattern: guarded(t, c.Pattern, atEnd), Text: guarded(t, c.Text, atEnd)})
				}
				if err := newEngine(t, align.Options{Level: level}).AlignBatch(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				for i, c := range cases {
					if err := aligntest.Check(c.Pattern, c.Text, align.DefaultPenalties, b.Results[i]); err != nil {
						t.Errorf("level %s: %v, for %s", level, err, c.Name)
					}
				}
			}
		}
	}
}
