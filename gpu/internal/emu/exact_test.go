package emu_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/emu"
)

// optimum is what the CPU engine makes of a pair.
type optimum struct {
	score int
	cigar []uint32
}

func optima(t testing.TB, p align.Penalties, pairs []pair) []optimum {
	t.Helper()
	a, err := align.NewAligner(align.Options{Penalties: p})
	if err != nil {
		t.Fatal(err)
	}
	found := make([]optimum, len(pairs))
	for i, pair := range pairs {
		score, cigar, err := a.Align([]byte(pair.pattern), []byte(pair.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		found[i].score = score
		for _, e := range cigar {
			found[i].cigar = append(found[i].cigar, uint32(e))
		}
	}
	return found
}

// check compares the results of all tasks with what the CPU engine finds: the
// optimum, unless it is above the task's bound or above what certified says.
func (d *device) check(what string, want []optimum, certified func(p pair) int, traced bool) {
	d.t.Helper()
	for at, task := range d.tasks {
		w, r := want[task.Pair], d.results[at]
		if w.score > int(task.Bound) || w.score > certified(d.pairs[task.Pair]) {
			if r.Score != -1 {
				d.t.Fatalf("%s: score %d, which is above the bound, of %s", what, r.Score, d.name(at))
			}
			continue
		}
		if int(r.Score) != w.score || r.Flags != 0 {
			d.t.Fatalf("%s: score %d, flags %#x, want score %d of %s", what, r.Score, r.Flags, w.score, d.name(at))
		}
		if !traced {
			continue
		}
		if got := d.alignment(at); !slices.Equal(got, w.cigar) {
			d.t.Fatalf("%s: alignment %s, want %s of %s", what, text(got), text(w.cigar), d.name(at))
		}
	}
}

// text writes an alignment's elements.
func text(elements []uint32) string {
	var b strings.Builder
	for _, e := range elements {
		fmt.Fprintf(&b, "%d%c", e>>4, "MIDNSHP=X"[min(e&15, 8)])
	}
	return b.String()
}

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
}

var registerName = regexp.MustCompile(`^wfa_(warp|block|long|tiles|adaptive_warp|adaptive_long)_(\d+)_(\d+)_(\d+)_([0-9x]+)_(\d+|Packed|shared|global)_(rows|score)$`)

// retraceName matches the tracebacks from checkpoints, which run after the kernels that
// store them.
var retraceName = regexp.MustCompile(`^wfa_retrace(_tiles|_long)?_\d+_\d+_\d+$`)

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
		switch family {
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

// half is the number of diagonals on either side of the end cell's.
func (v *register) half() int { return v.threads * v.words }

// certifies is certify of cuda/penalties.cuh.
func (v *register) certifies(p pair) int {
	end := len(p.text) - len(p.pattern)
	if end > v.half() || end <= -v.half() {
		return -1
	}
	return 2*v.penalties.GapOpen + v.penalties.GapExtend*(2*v.half()+min(end, 2-end)) - 1
}

// unroll is Penalties::unroll of cuda/penalties.cuh.
func (v *register) unroll() int {
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
	if v.family == "warp" {
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
	d.params.PairThreads, d.params.PairWords = int32(v.threads), int32(v.words)
	switch {
	case v.checkpoints:
		checkpoint := d.checkpointRows() * 32 * v.words
		if v.family == "long" {
			checkpoint += v.words // origins
		}
		d.setRows(int(d.params.MaxScore)/v.span(32)*checkpoint, len(d.tasks))
	case v.rows: // groups without a pair write rows, too
		row := v.threads * v.words
		d.setRows(ahead+(int(d.params.MaxScore)+v.unroll()+1)*row, len(d.tasks)+32/v.threads-1)
	}
	d.launch(v.name, 2, v.block, shared)
}

// exactTasks asks for all pairs, some with bounds at and just below the optimum.
func exactTasks(r *rand.Rand, pairs []pair, want []optimum, certified func(pair) int) []taskEntry {
	tasks := make([]taskEntry, len(pairs))
	for i, at := range r.Perm(len(pairs)) {
		bound := want[at].score
		switch r.IntN(4) {
		case 0:
		case 1:
			bound--
		default:
			bound += r.IntN(64)
		}
		tasks[i] = taskEntry{Pair: uint32(at), Bound: int32(max(min(bound, certified(pairs[at])), 0))}
	}
	return tasks
}

func testExact(t *testing.T, family string, pairs func(v *register, r *rand.Rand) []pair) {
	k := emu.ForTest(t)
	for _, v := range registers(t, k, family) {
		t.Run(strings.TrimPrefix(v.name, "wfa_"), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(v.words)))
			pairs := pairs(&v, r)
			want := optima(t, v.penalties, pairs)
			d := upload(t, k, v.penalties, pairs)
			d.setTasks(exactTasks(r, pairs, want, v.certifies))
			v.run(d, 0)
			d.check(v.name, want, v.certifies, false)
			if !v.rows {
				return
			}
			if v.checkpoints {
				d.retrace("wfa_retrace", v.span(32), 32)
				d.check(v.name+", retraced", want, v.certifies, true)
				return
			}
			for _, threads := range []int{1, 8, 32} {
				name := fmt.Sprintf("wfa_trace_%d", threads)
				d.traceback(name, threads)
				d.check(v.name+", "+name, want, v.certifies, true)
			}
		})
	}
}

// packedRuns adds long runs of matches where all lanes of a warp follow them.
func packedRuns(v *register, r *rand.Rand, pairs []pair) []pair {
	if v.bases == 0 {
		pairs = append(pairs, runPairs(r)...)
	}
	return pairs
}

func TestWarp(t *testing.T) {
	testExact(t, "warp", func(v *register, r *rand.Rand) []pair { return packedRuns(v, r, smallPairs(r, 5)) })
}

func TestBlock(t *testing.T) {
	testExact(t, "block", func(v *register, r *rand.Rand) []pair {
		pairs := append(smallPairs(r, 1), longPairs(r, 400)...)
		if v.checkpoints && v.words == 6 {
			pairs = append(pairs, gapPairs(r, 250)...)
		}
		return packedRuns(v, r, pairs)
	})
}

// TestLong tries kernels whose offsets are at most 3,200 in the emulation, so that origins move and
// some pairs are left to other kernels.
func TestLong(t *testing.T) {
	k := emu.ForTest(t)
	moved, overflowed := 0, 0
	for _, v := range registers(t, k, "long") {
		t.Run(strings.TrimPrefix(v.name, "wfa_"), func(t *testing.T) {
			r := rand.New(rand.NewPCG(2, uint64(v.words)))
			pairs := append(smallPairs(r, 1), runPairs(r)...)
			pairs = append(pairs, longPairs(r, 400)...)
			for _, length := range []int{3300, 4000} { // of scores that the band certifies, if that is possible
				errors := min(length/7, v.half()/4)
				a := letters(r, "ACGT", length)
				pairs = append(pairs, pair{a, edited(r, "ACGT", a, errors, 1)}, pair{edited(r, "ACGT", a, errors, 2), a},
					pair{a, edited(r, "ACGT", a, errors/2, 3)}, pair{a, edited(r, "ACGT", a, 5, 100)}, pair{a, a})
			}
			want := optima(t, v.penalties, pairs)
			d := upload(t, k, v.penalties, pairs)
			d.setTasks(exactTasks(r, pairs, want, v.certifies))
			v.run(d, 0)
			for at, task := range d.tasks {
				p, w := d.pairs[task.Pair], want[task.Pair].score
				if d.results[at].Flags == abi.FlagOverflow {
					if d.results[at].Score != -1 || len(p.text) <= 3200 && len(p.pattern) <= 3200 {
						t.Errorf("score %d of a pair whose offsets overflow: %s", d.results[at].Score, d.name(at))
					}
					overflowed++
					d.results[at].Flags = 0
					d.tasks[at].Bound = -1 // no score is expected
				} else if w <= int(task.Bound) && w <= v.certifies(p) && min(len(p.text), len(p.pattern)) > 3200 {
					moved++
				}
			}
			d.check(v.name, want, v.certifies, false)
			if v.checkpoints {
				d.retrace("wfa_retrace_long", v.span(32), 32)
				d.check(v.name+", retraced", want, v.certifies, true)
			}
		})
	}
	if moved < 20 || overflowed < 20 {
		t.Errorf("%d pairs whose offsets count from origins that move, %d whose offsets overflow", moved, overflowed)
	}
}
