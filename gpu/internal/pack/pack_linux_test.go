package pack

import (
	"math/rand/v2"
	"syscall"
	"testing"

	"wfagpu/align"
)

// No letter outside the sequences is read: on either side of them are pages that
// would end the test with a fault.
func TestPackBetweenGuards(t *testing.T) {
	const room = 1024
	page := syscall.Getpagesize()
	area, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(area); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{area[:page], area[2*page:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	open := area[page : 2*page]
	r := rand.New(rand.NewPCG(3, 4))
	copy(open, randomLetters(r, page))
	for _, p := range pairPackers() {
		for n := 1; n <= room; n++ {
			mustPack(t, p, open[:n:n], open[page-n:])
		}
		// Nor is the pair ahead.
		few := align.Pair{Pattern: open[page-3:], Text: open[:2:2]}
		if dst := make([]uint32, 2+Tail); !p.pack(dst, &few, &align.Pair{}) || !p.pack(dst, &few, &few) {
			t.Errorf("%s: a short pair is refused", p.name)
		}
	}
}
