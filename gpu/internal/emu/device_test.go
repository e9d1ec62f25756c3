package emu_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/emu"
	"wfagpu/gpu/internal/pack"
)

// The structures of the kernels. Addresses are those of the process.
type (
	params      = abi.Params
	resultEntry = abi.Result
)

// taskEntry requests the alignment of a pair up to a bound.
type taskEntry struct {
	Pair  uint32 // index into device.pairs
	Bound int32
	Final bool // no pass with a higher bound follows
}

// memory returns n values that begin at 16 bytes and end at memory that faults.
func memory[T any](t testing.TB, n int) []T {
	t.Helper()
	var one T
	bytes := (n*int(unsafe.Sizeof(one)) + 15) &^ 15
	at := guarded(t, bytes)
	if len(at) > 0 { // anything
		at[0] = 0x5a
		for i := 1; i < len(at); i *= 2 {
			copy(at[i:], at[:i])
		}
	}
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&at[0])), n)
}

func address[T any](s []T) driver.Ptr {
	return driver.Ptr(uintptr(unsafe.Pointer(unsafe.SliceData(s))))
}

// pair is a pattern and a text.
type pair struct{ pattern, text string }

// device has pairs in memory, packed.
type device struct {
	t         testing.TB
	k         *emu.Kernels
	penalties align.Penalties
	pairs     []pair
	params    params
	entries   []abi.Task // of the pairs
	tasks     []taskEntry
	results   []resultEntry
	above     bool // scores may be above bounds, but those of final tasks
	bases     []uint32
	rows      []uint32
	cigars    []uint32
	counters  []uint32 // elements of cigars that are used, the next task, the stop word
	stop      bool     // launches
}

// cigarCapacity is room for the alignments of all tests.
const cigarCapacity = 1 << 18

// upload puts pairs into memory and packs them.
func upload(t testing.TB, k *emu.Kernels, p align.Penalties, pairs []pair) *device {
	t.Helper()
	d := &device{t: t, k: k, penalties: p, pairs: pairs}
	if got, want := k.ParamsBytes(), int(unsafe.Sizeof(d.params)); got != want {
		t.Fatalf("the kernels' parameters have %d bytes, those of this test %d", got, want)
	}
	units := 0
	for _, p := range pairs {
		units += pack.Words(len(p.pattern)) + pack.Words(len(p.text))
	}
	d.bases = memory[uint32](t, units+2)
	at := 0
	for _, p := range pairs {
		entry := abi.Task{PatternLength: int32(len(p.pattern)), TextLength: int32(len(p.text))}
		entry.Pattern = address(d.bases[at:])
		at += packBases(d.bases[at:], p.pattern)
		entry.Text = address(d.bases[at:])
		at += packBases(d.bases[at:], p.text)
		d.entries = append(d.entries, entry)
	}
	d.cigars = memory[uint32](t, cigarCapacity)
	d.counters = memory[uint32](t, 4)
	d.params = params{
		Cigars: address(d.cigars), Used: address(d.counters), Next: address(d.counters[1:]), Stop: address(d.counters[2:]),
		CigarCapacity: cigarCapacity,
		Mismatch:      int32(p.Mismatch), GapOpen: int32(p.GapOpen), GapExtend: int32(p.GapExtend),
	}
	return d
}

// packBases packs letters and returns the number of words.
func packBases(to []uint32, letters string) int {
	n := pack.Words(len(letters))
	clear(to[:n])
	for i := range len(letters) {
		to[i/16] |= uint32(strings.IndexByte("ACTG", letters[i])) << (30 - 2*(i%16))
	}
	return n
}

// setTasks asks for some pairs, in this order, with a bound each.
func (d *device) setTasks(tasks []taskEntry) {
	d.tasks = tasks
	entries := memory[abi.Task](d.t, len(tasks))
	d.results = memory[resultEntry](d.t, len(tasks))
	d.params.Tasks, d.params.Results = address(entries), address(d.results)
	d.params.Count = int32(len(tasks))
	d.params.MaxScore = 0
	for i, task := range tasks {
		entries[i] = d.entries[task.Pair]
		entries[i].Bound = task.Bound
		if task.Final {
			entries[i].Final = 1
		}
		d.params.MaxScore = max(d.params.MaxScore, task.Bound)
	}
}

// setRows sets aside memory for rows, some words for each of a number.
func (d *device) setRows(stride, count int) {
	d.params.RowStride = uint64(stride)
	d.rows = memory[uint32](d.t, stride*count)
	d.params.Rows = address(d.rows)
}

// launch runs a kernel from the first task on.
func (d *device) launch(name string, grid, block, shared int) {
	d.t.Helper()
	clear(d.counters)
	if d.stop {
		d.counters[2] = 1
	}
	a := d.params
	err := d.k.Launch(name, grid, block, shared, unsafe.Pointer(&a), int(unsafe.Sizeof(a)))
	runtime.KeepAlive(d)
	if err != nil {
		d.t.Fatal(err)
	}
}

// stopNext stops the launches that follow. Results are negative until a kernel writes
// them.
func (d *device) stopNext() {
	d.stop = true
	for i := range d.results {
		d.results[i].Score = -1
	}
}

// traceback runs a traceback kernel, in which some threads have a pair.
func (d *device) traceback(name string, threads int) {
	d.t.Helper()
	d.launch(name, (threads*len(d.tasks)+127)/128, 128, 0)
}

// checkpointRows is the number of rows of a checkpoint, cuda/checkpoint.cuh.
func (d *device) checkpointRows() int {
	return max(d.penalties.Mismatch, d.penalties.GapOpen) + 2*d.penalties.GapExtend
}

// retrace runs the kernel that traces back from checkpoints that are some scores apart,
// in windows of some diagonals.
func (d *device) retrace(name string, span, diagonals int) {
	d.t.Helper()
	p := d.penalties
	window := 4 * diagonals * (max(p.Mismatch, p.GapOpen) + span)
	d.launch(fmt.Sprintf("%s_%d_%d_%d", name, p.Mismatch, p.GapOpen, p.GapExtend), (len(d.tasks)+7)/8, 64, 8*window)
}

// name tells which pair and which task one is, for messages.
func (d *device) name(at int) string {
	p := d.pairs[d.tasks[at].Pair]
	return fmt.Sprintf("penalties %v, task %d, bound %d, pattern %s, text %s", d.penalties, at, d.tasks[at].Bound, p.pattern, p.text)
}

// alignment returns what the device has as the alignment of a task.
func (d *device) alignment(at int) []uint32 {
	r := d.results[at]
	end := uint64(r.Cigar) + uint64(r.CigarLength)
	if end > uint64(len(d.cigars)) {
		d.t.Fatalf("%s: elements %d to %d of %d", d.name(at), r.Cigar, end, len(d.cigars))
	}
	return d.cigars[r.Cigar:end]
}
