package gpu

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/kernel"
)

// fakeGPU is a fake driver with the engine's kernels, written in Go. A fake
// kernel takes tasks and hands out room in the order of its twin in cuda/, touches
// the same memory and keeps to the same bounds, but package align computes the
// alignments. So tests on a fakeGPU prove the scheduling alone: staging, memory,
// launches, retries, decoding, errors. They prove nothing about the recurrence or
// the traceback of the CUDA kernels: package emu runs those on the CPU, and the
// OnDevice tests on a GPU.
//
// What the real kernel would not survive (memory that is too small, tables that do
// not fit, penalties of another kernel) fails the test and the launch.
type fakeGPU struct {
	*drivertest.Driver
	t         testing.TB
	registers map[string]registerKernel
	model     align.Options // for the kernels of the span family
	// before is called ahead of every launch when it is not nil, and may make
	// it fail.
	before func(name string) driver.Result

	countMu sync.Mutex
	counts  map[string]int // launches by name
}

// registerKernel is a kernel with wavefronts in registers.
type registerKernel struct {
	kernel.Variant
	rows bool
}

// half is the number of diagonals on either side of the end cell's.
func (k *registerKernel) half() int { return k.PairThreads * k.Words }

// tableBytes is the size of all look-ahead tables of a block, given the entries
// of one pair's.
func (k *registerKernel) tableBytes(entries int) int {
	if k.Bases == 0 { // packed: each base twice, in two bits
		return k.Pairs * entries / 2
	}
	return k.Pairs * entries * k.Bases * 2 / 8
}

// staticShared is what the kernel declares in shared memory itself, in bytes: in
// the block family, the gaps between neighbouring strides.
func (k *registerKernel) staticShared(t testing.TB) int32 {
	if k.Family.Name != "block" {
		return 0
	}
	var warps, strides int
	if _, err := fmt.Sscanf(k.Arguments, "%d, %d,", &warps, &strides); err != nil || warps != k.Warps {
		t.Fatalf("arguments %q of a block of %d warps: %v", k.Arguments, k.Warps, err)
	}
	return int32(8*(k.Penalties.GapExtend+1)*(warps*strides+1) + 16)
}

// newFakeGPU returns a GPU with some MiB of memory.
func newFakeGPU(t testing.TB, memory int) *fakeGPU {
	g := &fakeGPU{Driver: drivertest.New(1), t: t, registers: map[string]registerKernel{}, counts: map[string]int{}}
	g.Devices[0].Memory = uint64(memory) << 20
	for name, static := range map[string]int32{
		"wfa_retrace_2_3_1": 0, "wfa_retrace_tiles_2_3_1": 0, "wfa_tiles_clear": 0,
		"wfa_gotoh_trace_4": 0, "wfa_gotoh_trace_8": 0, "wfa_gotoh_trace_4_warp": 0, "wfa_gotoh_trace_8_warp": 0,
		"wfa_span_trace_4": 0, "wfa_span_trace_8": 0, "wfa_span_trace_4_warp": 0, "wfa_span_trace_8_warp": 0,
		"wfa_edit_trace": 32 << 10, "wfa_edit_trace_warp": 32 << 10,
		"wfa_general": 64, "wfa_adaptive_warp_trace": 0,
		"wfa_adaptive_block_score": 272, "wfa_adaptive_block_rows": 272, "wfa_adaptive_block_trace": 0,
	} {
		g.Kernels[name] = drivertest.Kernel{Registers: 40, StaticShared: static}
	}
	for name := range traceThreads {
		g.Kernels[name] = drivertest.Kernel{Registers: 40}
	}
	for _, v := range kernel.Variants() {
		for _, name := range v.Names {
			switch v.Family.Name {
			case "tiles":
				g.Kernels[name] = drivertest.Kernel{Registers: 128, StaticShared: 1024}
				continue
			case "gotoh":
				g.Kernels[name] = drivertest.Kernel{Registers: 128, StaticShared: 336}
				continue
			case "span":
				g.Kernels[name] = drivertest.Kernel{Registers: 128, StaticShared: 4096}
				continue
			case "edit":
				g.Kernels[name] = drivertest.Kernel{Registers: 80, StaticShared: 592}
				continue
			}
			k := registerKernel{v, strings.HasSuffix(name, "_rows")}
			g.Kernels[name] = drivertest.Kernel{Registers: 64, StaticShared: k.staticShared(t)}
			g.registers[name] = k
		}
	}
	g.Launch = g.kernel
	g.Recycle = true
	return g
}

// launched counts the launches of the kernels whose names begin so.
func (g *fakeGPU) launched(prefix string) int {
	g.countMu.Lock()
	defer g.countMu.Unlock()
	n := 0
	for name, count := range g.counts {
		if strings.HasPrefix(name, prefix) {
			n += count
		}
	}
	return n
}

// violation is what a kernel panics with when it is launched wrongly.
type violation string

func must(holds bool, format string, args ...any) {
	if !holds {
		panic(violation(fmt.Sprintf(format, args...)))
	}
}

// kernel is the launch function of the driver.
func (g *fakeGPU) kernel(name string, grid, block, shared int, p unsafe.Pointer) (r driver.Result) {
	g.countMu.Lock()
	g.counts[name]++
	g.countMu.Unlock()
	if g.before != nil {
		if r := g.before(name); r != driver.Success {
			return r
		}
	}
	a := *(*abi.Params)(p)
	defer func() {
		if v := recover(); v != nil {
			what, ok := v.(violation)
			if !ok {
				panic(v)
			}
			g.t.Errorf("%s with grid %d, block %d, %d shared bytes: %s\n%+v", name, grid, block, shared, what, a)
			r = 700 // CUDA_ERROR_ILLEGAL_ADDRESS
		}
	}()
	must(block%32 == 0, "blocks are not of whole warps")
	must(a.Count > 0, "nothing to do")
	if k, ok := g.registers[name]; ok {
		if k.Family.Name == "adaptive_warp" {
			g.adaptiveWarp(&k, block, shared, &a)
		} else {
			g.exact(&k, block, shared, &a)
		}
		return driver.Success
	}
	if form, ok := strings.CutPrefix(name, "wfa_adaptive_block_"); ok && form != "trace" {
		g.adaptiveBlock(form == "rows", grid, block, shared, &a)
		return driver.Success
	}
	if shape, ok := strings.CutPrefix(name, "wfa_tiles_2_3_1_"); ok {
		warps, _, _ := strings.Cut(shape, "x")
		must(fmt.Sprint(block/32) == warps, "blocks of %d threads, not of %s warps", block, warps)
		g.tiles(strings.HasSuffix(name, "_rows"), grid, shared, &a)
		return driver.Success
	}
	if retrace, ok := strings.CutPrefix(name, "wfa_retrace"); ok {
		must(block <= 64, "more threads than __launch_bounds__")
		g.retrace(strings.HasPrefix(retrace, "_tiles"), grid*block/8, block/8, shared, &a)
		return driver.Success
	}
	if trace, ok := strings.CutPrefix(name, "wfa_gotoh_trace_"); ok {
		must(block <= 128, "more threads than __launch_bounds__")
		threads := 1
		if strings.HasSuffix(trace, "_warp") {
			threads = 32
		}
		g.traceGotoh(grid*block/threads, 32/threads, &a)
		return driver.Success
	}
	if strings.HasPrefix(name, "wfa_gotoh_") {
		g.gotoh(name, block, shared, &a)
		return driver.Success
	}
	if trace, ok := strings.CutPrefix(name, "wfa_span_trace_"); ok {
		must(block <= 128, "more threads than __launch_bounds__")
		threads := 1
		if strings.HasSuffix(trace, "_warp") {
			threads = 32
		}
		g.traceSpan(grid*block/threads, 32/threads, &a)
		return driver.Success
	}
	if strings.HasPrefix(name, "wfa_span_") {
		g.span(name, grid, block, shared, &a)
		return driver.Success
	}
	if trace, ok := strings.CutPrefix(name, "wfa_edit_trace"); ok {
		must(block <= 128, "more threads than __launch_bounds__")
		threads := 1
		if trace == "_warp" {
			threads = 32
		}
		g.traceEdit(grid*block/threads, 32/threads, &a)
		return driver.Success
	}
	if strings.HasPrefix(name, "wfa_edit_") {
		g.edit(name, block, shared, &a)
		return driver.Success
	}
	must(shared == 0, "shared memory for a kernel that uses none")
	if threads, ok := traceThreads[name]; ok {
		must(block <= 128, "more threads than __launch_bounds__")
		g.trace(grid*block/threads, 32/threads, &a)
		return driver.Success
	}
	switch name {
	case "wfa_tiles_clear":
		must(block <= 128 && grid*block >= int(a.Count), "threads for %d headers of %d", grid*block, a.Count)
		for at := range int(a.Count) {
			clear(g.rows(&a, at, tileHeader))
		}
	case "wfa_adaptive_warp_trace", "wfa_adaptive_block_trace":
		must(block <= 128, "more threads than __launch_bounds__")
		g.traceAdaptive(grid*block/adaptiveTraceThreads, 32/adaptiveTraceThreads, &a)
	case "wfa_general":
		must(block <= 1024, "more threads than __launch_bounds__")
		g.general(grid, &a)
	default:
		must(false, "no such kernel")
	}
	return driver.Success
}

// deviceSlice is n values of device memory from p on.
func deviceSlice[T any](g *fakeGPU, what string, p driver.Ptr, n int) []T {
	var one T
	size := int(unsafe.Sizeof(one))
	if n == 0 {
		return nil
	}
	b := g.MemoryAt(p, n*size)
	if b == nil || int(p)%size != 0 {
		must(false, "%s: %d values of %d bytes at %#x are not in one allocation, or not aligned", what, n, size, p)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n)
}

// tasks returns the tasks of a launch.
func (g *fakeGPU) tasks(a *abi.Params) []abi.Task {
	tasks := deviceSlice[abi.Task](g, "tasks", a.Tasks, int(a.Count))
	for i := range tasks {
		t := &tasks[i]
		must(t.PatternLength >= 1 && t.TextLength >= 1, "task %d has lengths %d and %d", i, t.PatternLength, t.TextLength)
		must(t.Bound >= 0 && t.Bound <= a.MaxScore, "task %d has bound %d", i, t.Bound)
	}
	return tasks
}

// stopped reports whether the host has set the stop word of a launch.
func (g *fakeGPU) stopped(a *abi.Params) bool {
	b := g.PinnedAt(a.Stop, 4)
	must(b != nil, "the stop word is not in pinned memory")
	return atomic.LoadUint32((*uint32)(unsafe.Pointer(&b[0]))) != 0
}

func (g *fakeGPU) result(a *abi.Params, at int) *abi.Result {
	return &deviceSlice[abi.Result](g, "results", a.Results+driver.Ptr(16*at), 1)[0]
}

// rows returns the first words of a task's rows.
func (g *fakeGPU) rows(a *abi.Params, at, words int) []uint32 {
	must(words <= int(a.RowStride), "%d words of rows run into those of the next pair", words)
	return deviceSlice[uint32](g, "rows", a.Rows+driver.Ptr(4*uint64(at)*a.RowStride), words)
}

// bases returns the packed words of a sequence. Kernels read up to two words more.
func (g *fakeGPU) bases(from driver.Ptr, n int32) []uint32 {
	words := (int(n) + 15) / 16
	return deviceSlice[uint32](g, "bases", from, int(n)/16+3)[:words]
}

func penaltiesOf(a *abi.Params) align.Penalties {
	return align.Penalties{Mismatch: int(a.Mismatch), GapOpen: int(a.GapOpen), GapExtend: int(a.GapExtend)}
}
