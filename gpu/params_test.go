package gpu

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// Sizes are those that cuda/params.cuh asserts, and fields come in its order
// without padding.
func TestStructuresMatchTheKernels(t *testing.T) {
	source, err := os.ReadFile("../cuda/params.cuh")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		name string
		size uintptr
	}{
		{"Params", unsafe.Sizeof(params{})},
		{"Pair", unsafe.Sizeof(pairEntry{})},
		{"Task", unsafe.Sizeof(taskEntry{})},
		{"Result", unsafe.Sizeof(resultEntry{})},
	} {
		want := "static_assert(sizeof(" + s.name + ") == " + strconv.Itoa(int(s.size)) + ","
		if !strings.Contains(string(source), want) {
			t.Errorf("cuda/params.cuh does not have %q", want)
		}
	}
	var p params
	for _, f := range []struct {
		name         string
		offset, want uintptr
	}{
		{"next", unsafe.Offsetof(p.next), 64},
		{"rowStride", unsafe.Offsetof(p.rowStride), 72},
		{"cigarCapacity", unsafe.Offsetof(p.cigarCapacity), 80},
		{"mismatch", unsafe.Offsetof(p.mismatch), 88},
		{"maxScore", unsafe.Offsetof(p.maxScore), 100},
		{"textEntries", unsafe.Offsetof(p.textEntries), 104},
		{"lanes", unsafe.Offsetof(p.lanes), 112},
		{"scratch", unsafe.Offsetof(p.scratch), 132},
		{"windowWords", unsafe.Offsetof(p.windowWords), 152},
	} {
		if f.offset != f.want {
			t.Errorf("%s is at byte %d, want %d", f.name, f.offset, f.want)
		}
	}
}
