package gpu

import (
	"fmt"
	"strings"
	"sync"
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
	t       testing.TB
	kernels map[string]func(*fakeLaunch) // by name
	model   align.Options                // for the kernels of the span family
	gated   func(hash uint32) gatedOutcome
	// before is called ahead of every launch when it is not nil, and may make
	// it fail.
	before func(name string) driver.Result

	countMu sync.Mutex
	counts  map[string]int // launches by name
}

// fakeImage returns the kernel image of a fake GPU.
func fakeImage() ([]byte, error) { return drivertest.Image, nil }

// newFakeGPU returns a GPU with some MiB of memory.
func newFakeGPU(t testing.TB, memory int) *fakeGPU {
	g := &fakeGPU{Driver: drivertest.New(1), t: t, kernels: map[string]func(*fakeLaunch){}, gated: anyOutcome, counts: map[string]int{}}
	g.Devices[0].Memory = uint64(memory) << 20
	g.add("wfa_general", drivertest.Kernel{Registers: 40, StaticShared: 64}, fakeGeneral)
	g.add("wfa_tiles_clear", drivertest.Kernel{Registers: 40}, clearTiles)
	for _, family := range []string{"gotoh", "gotoh_free"} {
		g.add("wfa_"+family+"_seeds", drivertest.Kernel{Registers: 40, StaticShared: 8192}, fakeSeeds)
	}
	g.add("wfa_gotoh_detours", drivertest.Kernel{Registers: 64, StaticShared: 8 << 10}, fakeDetours)
	g.add("wfa_gotoh_free_outside", drivertest.Kernel{Registers: 64, StaticShared: 8 << 10}, fakeOutside)
	g.add("wfa_gated", drivertest.Kernel{Registers: 64}, fakeGated)
	for _, form := range []string{"score", "rows"} {
		g.add("wfa_adaptive_block_"+form, drivertest.Kernel{Registers: 40, StaticShared: 272}, fakeAdaptiveBlock)
	}
	for i := range fakeTraces {
		k := &fakeTraces[i]
		g.add(k.name, drivertest.Kernel{Registers: 40, StaticShared: k.static}, k.run)
	}
	for _, v := range kernel.Variants() {
		for _, name := range v.Names {
			switch v.Family.Name {
			case "tiles":
				g.add(name, drivertest.Kernel{Registers: 128, StaticShared: 1024}, fakeTiles)
			case "gotoh":
				g.add(name, drivertest.Kernel{Registers: 128, StaticShared: 336}, fakeGotoh)
			case "span":
				g.add(name, drivertest.Kernel{Registers: 128, StaticShared: 4096}, fakeSpan)
			case "edit":
				g.add(name, drivertest.Kernel{Registers: 80, StaticShared: 592}, fakeEdit)
			}
		}
	}
	for name, k := range registerKernels() {
		g.add(name, drivertest.Kernel{Registers: 64, StaticShared: k.staticShared(t)}, k.run)
	}
	g.Launch = g.launch
	g.Recycle = true
	return g
}

// add adds a kernel.
func (g *fakeGPU) add(name string, uses drivertest.Kernel, run func(*fakeLaunch)) {
	g.Kernels[name] = uses
	g.kernels[name] = run
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

// launch is the launch function of the driver.
func (g *fakeGPU) launch(name string, grid, block, shared int, p unsafe.Pointer) (r driver.Result) {
	g.countMu.Lock()
	g.counts[name]++
	g.countMu.Unlock()
	if g.before != nil {
		if r := g.before(name); r != driver.Success {
			return r
		}
	}
	params := *(*abi.Params)(p)
	defer func() {
		if v := recover(); v != nil {
			what, ok := v.(violation)
			if !ok {
				panic(v)
			}
			g.t.Errorf("%s with grid %d, block %d, %d shared bytes: %s\n%+v", name, grid, block, shared, what, params)
			r = 700 // CUDA_ERROR_ILLEGAL_ADDRESS
		}
	}()
	must(block%32 == 0, "blocks are not of whole warps")
	must(params.Count > 0, "nothing to do")
	g.kernels[name](&fakeLaunch{&params, g, name, grid, block, shared})
	return driver.Success
}
