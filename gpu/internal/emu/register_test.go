package emu_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/emu"
)

// register is a kernel with wavefronts in registers.
type register struct {
	name      string
	family    string
	penalties align.Penalties
	threads   int // that have a pair
	words     int // of two diagonals a thread
	block     int // threads
	bases     int // of a look-ahead entry; 0: packed
	rows      bool
	// checkpoints in place of rows
	checkpoints bool
	free        bool // patterns within texts
}

var registerName = regexp.MustCompile(`^wfa_(warp|block|long|warp_free|block_free|long_free|tiles|adaptive_warp|adaptive_long)_(\d+)_(\d+)_(\d+)_([0-9x]+)_(\d+|Packed|shared|global)_(rows|score)$`)

// retraceName matches the tracebacks from checkpoints, which run after the kernels that
// store them.
var retraceName = regexp.MustCompile(`^wfa_retrace(_tiles|_long|_free|_long_free)?_\d+_\d+_\d+$`)

// registers returns the kernels of a family.
func registers(t testing.TB, k *emu.Kernels, family string) []register {
	t.Helper()
	var found []register
	for _, name := range k.Names() {
		m := registerName.FindStringSubmatch(name)
		if m == nil || m[1] != family {
			continue
		}
		number := func(s string) int {
			n, _ := strconv.Atoi(s)
			return n
		}
		v := register{
			name: name, family: family, bases: number(m[6]), rows: m[7] == "rows", threads: 32, block: 32,
			penalties: align.Penalties{Mismatch: number(m[2]), GapOpen: number(m[3]), GapExtend: number(m[4])},
		}
		shape := strings.Split(m[5], "x")
		var of string
		of, v.free = strings.CutSuffix(family, "_free")
		switch of {
		case "warp":
			v.threads, v.words, v.block = number(shape[0]), number(shape[1]), 64
		case "block":
			v.words = number(shape[0]) * number(shape[1]) * number(shape[2])
			v.block = 32 * number(shape[0])
			v.checkpoints = v.rows && !(v.penalties == (align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}) && (m[5] == "2x3x1" || m[5] == "4x3x1"))
		case "long":
			v.words = number(shape[0]) * number(shape[1]) * number(shape[2])
			v.block = 32 * number(shape[0])
			v.checkpoints = v.rows
		case "tiles":
			v.block = 32 * number(shape[0])
		case "adaptive_warp", "adaptive_long":
			v.words = number(shape[0])
		}
		found = append(found, v)
	}
	if len(found) == 0 {
		t.Fatalf("no kernel of family %s", family)
	}
	return found
}

// optima is that of pairs or, with free ends, placed.
func (v *register) optima(t testing.TB, pairs []pair) []optimum {
	t.Helper()
	if v.free {
		return elementsWithin(t, v.penalties, pairs)
	}
	return optima(t, v.penalties, pairs)
}

// half is the number of diagonals on either side of the end cell's.
func (v *register) half() int { return v.threads * v.words }

// certifies is Band of cuda/penalties.cuh.
func (v *register) certifies(p pair) int {
	end := len(p.text) - len(p.pattern)
	if v.free {
		beside := 2*v.half() - 1 - end
		if beside < 0 || beside/2 >= 2*v.half() {
			return -1
		}
		return v.penalties.GapOpen + v.penalties.GapExtend*(beside/2+1) - 1
	}
	if end > v.half() || end <= -v.half() {
		return -1
	}
	return 2*v.penalties.GapOpen + v.penalties.GapExtend*(2*v.half()+min(end, 2-end)) - 1
}

// unroll is Penalties::unroll of cuda/penalties.cuh, or ringScores of cuda/ringband.cuh.
func (v *register) unroll() int {
	if v.family == "adaptive_rings" {
		return 4
	}
	n := max(v.penalties.Mismatch, v.penalties.GapOpen)
	for n%v.penalties.GapExtend != 0 {
		n += max(v.penalties.Mismatch, v.penalties.GapOpen)
	}
	if n < 3 {
		return 4
	}
	return n
}

// span is spanOf of cuda/checkpoint.cuh for a window of some diagonals.
func (v *register) span(diagonals int) int { return (diagonals/2 - 1) / v.unroll() * v.unroll() }

// setTables sets the sizes of the look-ahead tables, and returns a block's bytes
// of shared memory.
func (v *register) setTables(d *device) int {
	longest := 0
	for _, p := range d.pairs {
		longest = max(longest, len(p.pattern), len(p.text))
	}
	up := func(n int) int { return (n + 15) &^ 15 }
	least, beyond, pairs := 2*v.half()+1, v.bases, 1
	if strings.HasPrefix(v.family, "adaptive") {
		least = 0
	}
	if strings.HasPrefix(v.family, "warp") {
		pairs = v.block / v.threads
	}
	if v.bases == 0 {
		beyond = 16
	}
	text, pattern := up(max(longest+1, least)), up(max(longest+1, least)+beyond)
	d.params.TextEntries, d.params.PatternEntries = int32(text), int32(pattern)
	bytes := (text + pattern) * v.bases / 4
	if v.bases == 0 {
		bytes = (text + pattern) / 4
	}
	return pairs * bytes
}

// run runs the kernel on all tasks of a device.
func (v *register) run(d *device, ahead int) {
	d.t.Helper()
	shared := v.setTables(d)
	if p := v.penalties; v.family == "adaptive_rings" {
		shared = (max(p.Mismatch, p.GapOpen) + 2*p.GapExtend) * 128 * v.words
	}
	d.params.PairThreads, d.params.PairWords = int32(v.threads), int32(v.words)
	switch {
	case v.checkpoints:
		checkpoint := d.checkpointRows() * 32 * v.words
		if strings.HasPrefix(v.family, "long") {
			checkpoint += v.words // origins
		}
		d.setRows(int(d.params.MaxScore)/v.span(32)*checkpoint, len(d.tasks))
	case v.rows: // groups without a pair write rows, too
		row := v.threads * v.words
		d.setRows(ahead+(int(d.params.MaxScore)+v.unroll()+1)*row, len(d.tasks)+32/v.threads-1)
	}
	d.launch(v.name, 2, v.block, shared)
}
