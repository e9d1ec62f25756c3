package emu_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"wfagpu/gpu/internal/emu"
)

// launch runs a kernel of cuda/emu/check.cuh with words at Params::rows.
func launch(k *emu.Kernels, name string, grid, block, shared int, words []uint32) error {
	a := params{Rows: address(words)}
	return k.Launch(name, grid, block, shared, unsafe.Pointer(&a), int(unsafe.Sizeof(a)))
}

func mustLaunch(t testing.TB, k *emu.Kernels, name string, block int, words []uint32) {
	t.Helper()
	if err := launch(k, name, 1, block, 0, words); err != nil {
		t.Fatal(err)
	}
}

// corners are 16-bit values at which arithmetic wraps or compares differently.
var corners = []uint32{0, 1, 2, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x1234, 0xfedc}

// operands returns three words for each thread.
func operands(threads int) []uint32 {
	r := rand.New(rand.NewPCG(6, 0))
	words := make([]uint32, 3*threads)
	for i := range words {
		words[i] = corners[r.IntN(len(corners))] | corners[r.IntN(len(corners))]<<16
		if r.IntN(4) == 0 {
			words[i] = r.Uint32() >> r.IntN(32)
		}
	}
	return words
}

// checkFunctions compares six functions of three words, per thread.
func checkFunctions(t *testing.T, name string, want func(a, b, c uint32) [6]uint32) {
	t.Helper()
	k := emu.ForTest(t)
	const threads = 1024
	words := memory[uint32](t, 9*threads)
	in := operands(threads)
	copy(words, in)
	mustLaunch(t, k, name, threads, words)
	for i := range threads {
		a, b, c := in[3*i], in[3*i+1], in[3*i+2]
		if got, want := words[3*threads+6*i:][:6], want(a, b, c); !slices.Equal(got, want[:]) {
			t.Fatalf("%s of %#x, %#x, %#x is %#x, want %#x", name, a, b, c, got, want)
		}
	}
}

// halves applies a function to both halves of words.
func halves(a, b, c uint32, f func(a, b, c int16) int16) uint32 {
	low := uint16(f(int16(a), int16(b), int16(c)))
	high := uint16(f(int16(a>>16), int16(b>>16), int16(c>>16)))
	return uint32(low) | uint32(high)<<16
}

// The C++ that stands for the inline PTX of cuda/simd.cuh: meanings are those of
// the PTX ISA, which has no saturation unless it is asked for.
func TestSIMD(t *testing.T) {
	checkFunctions(t, "emu_simd", func(a, b, c uint32) [6]uint32 {
		return [6]uint32{
			halves(a, b, c, func(a, b, _ int16) int16 { return max(a, b) }),
			halves(a, b, c, func(a, b, _ int16) int16 { return min(a, b) }),
			halves(a, b, c, func(a, b, _ int16) int16 { return a - b }),
			halves(a, b, c, func(a, b, c int16) int16 { return max(a+b, c) }),
			halves(a, b, c, func(a, _, _ int16) int16 { return a >> 15 }),
			uint32(bits.Len32(c) - 1),
		}
	})
}

func TestBits(t *testing.T) {
	checkFunctions(t, "emu_bits", func(a, b, c uint32) [6]uint32 {
		permuted := uint32(0)
		for i := range 4 {
			permuted |= uint32(byte((uint64(b)<<32|uint64(a))>>(8*(c>>(4*i)&7)))) << (8 * i)
		}
		first := uint32(0)
		if c != 0 {
			first = uint32(bits.TrailingZeros32(c) + 1)
		}
		return [6]uint32{
			permuted,
			b<<(c%32) | uint32(uint64(a)>>(32-c%32)),
			uint32(uint64(b)<<(32-c%32)) | a>>(c%32),
			uint32(bits.LeadingZeros32(c)),
			first,
			floor(float32(int32(a)) / 65536),
		}
	})
}

func floor(f float32) uint32 {
	i := int32(f)
	if float32(i) > f {
		i--
	}
	return uint32(i)
}

func TestWarpFunctions(t *testing.T) {
	k := emu.ForTest(t)
	const threads = 96
	words := memory[uint32](t, 8*threads)
	mustLaunch(t, k, "emu_warp", threads, words)
	for i := range threads {
		lane, first := i%32, i/32*32
		up, down := lane-3, lane+3
		if up < 0 {
			up = lane
		}
		if down > 31 {
			down = lane
		}
		ballot, all := uint32(0), uint32(1)
		for j := lane / 16 * 16; j < lane/16*16+16; j++ {
			if j%3 == 0 {
				ballot |= 1 << j
			}
		}
		if lane >= 16 {
			all = 0
		}
		anyLane := uint32(0)
		if first == 32 {
			anyLane = 1
		}
		want := []uint32{
			uint32(first + lane*7%32), uint32(first + up), uint32(first + down), uint32(first + lane ^ 5),
			uint32(first + lane/16*16 + 2), ballot, anyLane, all,
		}
		if got := words[8*i:][:8]; !slices.Equal(got, want) {
			t.Fatalf("thread %d: %v, want %v", i, got, want)
		}
	}
}

// Threads that have ended are not waited for.
func TestExit(t *testing.T) {
	k := emu.ForTest(t)
	words := memory[uint32](t, 64)
	mustLaunch(t, k, "emu_exit", 64, words)
	for i := 0; i < 64; i += 2 {
		if words[i] != 1 {
			t.Errorf("thread %d got %d", i, words[i])
		}
	}
}

// A barrier that is missing shows in one of two launches: threads take turns in
// another order.
func TestTurns(t *testing.T) {
	k := emu.ForTest(t)
	wrong := 0
	for range 2 {
		words := memory[uint32](t, 64)
		mustLaunch(t, k, "emu_unsynchronized", 64, words)
		for i := range words {
			if words[i] != uint32(i+1)%64 {
				wrong++
			}
		}
	}
	if wrong < 32 {
		t.Errorf("%d wrong words", wrong)
	}
}

// Undefined behaviour and faults are errors of the launch. The next launch is not
// affected.
func TestFaults(t *testing.T) {
	k := emu.ForTest(t)
	for _, test := range []struct{ name, want string }{
		{"emu_two_barriers", "barrier"},
		{"emu_two_shuffles", "do not come"},
		{"emu_half_a_warp", "do not come"},
		{"emu_not_in_the_mask", "mask"},
		{"emu_lane_that_left", "take part"},
		{"emu_beyond_shared_memory", "address 0x"},
		{"emu_null", "address 0x"},
		{"wfa_nonexistent", "no kernel"},
	} {
		words := memory[uint32](t, 64)
		err := launch(k, test.name, 1, 64, 1024, words)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
		mustLaunch(t, k, "emu_exit", 64, words)
	}
	for _, test := range []struct{ grid, block, shared, size int }{
		{0, 32, 0, 168}, {1, 0, 0, 168}, {1, 33, 0, 168}, {1, 2048, 0, 168}, {1, 32, 1 << 20, 168}, {1, 32, 0, 100},
	} {
		var a params
		if err := k.Launch("wfa_trace_1", test.grid, test.block, test.shared, unsafe.Pointer(&a), test.size); err == nil {
			t.Errorf("launched: %+v", test)
		}
	}
}

// tested are the kernels that a test names; those with wavefronts in registers are
// found by their names.
var tested = []string{
	"wfa_gated", "wfa_gated_free", "wfa_general", "wfa_trace_1", "wfa_trace_8", "wfa_trace_32", "wfa_trace_free_1", "wfa_trace_free_8", "wfa_trace_free_32", "wfa_tiles_clear",
	"wfa_adaptive_warp_trace", "wfa_adaptive_long_trace", "wfa_adaptive_block_score", "wfa_adaptive_block_rows", "wfa_adaptive_block_trace",
	"wfa_gotoh_trace", "wfa_gotoh_free_trace", "wfa_gotoh_seeds", "wfa_gotoh_free_seeds", "wfa_gotoh_detours", "wfa_gotoh_free_outside", "wfa_probe", "wfa_edit_trace", "wfa_edit_trace_warp",
}

func TestEveryKernelIsTested(t *testing.T) {
	k := emu.ForTest(t)
	for _, name := range k.Names() {
		if strings.HasPrefix(name, "wfa_span_") {
			continue // package kernel's TestEmulatedSpan runs every one
		}
		if !registerName.MatchString(name) && !ringsName.MatchString(name) && !bandName.MatchString(name) && !retraceName.MatchString(name) && !slices.Contains(tested, name) {
			t.Errorf("%s is in no test", name)
		}
	}
	for _, name := range tested {
		if !k.Has(name) {
			t.Errorf("no kernel %s", name)
		}
	}
}
