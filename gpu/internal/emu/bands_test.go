package emu_test

import (
	"regexp"
	"slices"
	"strconv"
	"testing"

	"wfagpu/gpu/internal/emu"
)

// bandShape is a kernel that computes a band of the matrix, of cuda/gotoh.cuh or cuda/edit.cuh,
// with some lanes for each pair.
type bandShape struct {
	name  string // without its suffix
	lanes int
	size  int // of a strip: columns or words
}

var bandName = regexp.MustCompile(`^wfa_(gotoh|gotoh_free|edit)_(\d+x|block_)(\d+)_(score|rows|checkpoints)$`)

// bandShapes returns all kernels of a family, those of blocks with some numbers of warps.
func bandShapes(t testing.TB, k *emu.Kernels, family string, warps func(size int) []int) []bandShape {
	t.Helper()
	var found []bandShape
	for _, name := range k.Names() {
		m := bandName.FindStringSubmatch(name)
		if m == nil || m[1] != family || m[4] != "score" {
			continue
		}
		s := bandShape{name: name[:len(name)-len("score")]}
		s.size, _ = strconv.Atoi(m[3])
		if m[2] == "block_" {
			for _, warps := range warps(s.size) {
				s.lanes = 32 * warps
				found = append(found, s)
			}
			continue
		}
		s.lanes, _ = strconv.Atoi(m[2][:len(m[2])-1])
		found = append(found, s)
	}
	if len(found) < 6 {
		t.Fatalf("%d kernels of the family %s", len(found), family)
	}
	return found
}

// checkUpper checks what tasks without a score have in its place: an upper bound. Some may have
// none.
func (d *device) checkUpper(what string, want []optimum, certifies func(p pair) int, none func(task taskEntry) bool) {
	d.t.Helper()
	for at, task := range d.tasks {
		r, w := d.results[at], want[task.Pair]
		if r.Score < 0 && !none(task) && certifies(d.pairs[task.Pair]) >= 0 && int(r.Cigar) < w.score {
			d.t.Fatalf("%s: upper bound %d of the score %d of %s", what, r.Cigar, w.score, d.name(at))
		}
	}
}

// checkTraces runs both tracebacks, with a thread and with a warp for each pair, and checks the
// alignments of each.
func (d *device) checkTraces(kernel, what string, want []optimum, certifies func(p pair) int) {
	d.t.Helper()
	found := slices.Clone(d.results)
	for suffix, threads := range map[string]int{"": 1, "_warp": 32} {
		copy(d.results, found)
		d.traceback(kernel+suffix, threads)
		d.check(what+", "+kernel+suffix, want, certifies, true)
	}
}
