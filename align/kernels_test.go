package align

import (
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"testing"
)

// eachSIMDKernels runs f for the kernels of each SIMD code path.
func eachSIMDKernels(t *testing.T, f func(t *testing.T, k *kernels)) {
	t.Helper()
	eachSIMDLevel(t, func(t *testing.T, l Level) { f(t, kernelsFor(l)) })
}

// eachKernels is eachSIMDKernels with the kernels of plain Go besides.
func eachKernels(t *testing.T, f func(t *testing.T, k *kernels)) {
	t.Helper()
	t.Run(string(LevelGo), func(t *testing.T) { f(t, goKernels) })
	eachSIMDKernels(t, f)
}

// eachSIMDLevel runs f for each SIMD code path. One that this CPU lacks is skipped by name.
func eachSIMDLevel(t *testing.T, f func(t *testing.T, level Level)) {
	t.Helper()
	for _, l := range []Level{LevelAVX512, LevelAVX2} {
		t.Run(string(l), func(t *testing.T) {
			if !slices.Contains(simdLevels(), l) {
				t.Skipf("this machine does not run the %s code path", l)
			}
			f(t, l)
		})
	}
}

// An SSE instruction without the VEX prefix, among AVX ones whose upper halves are
// in use, takes hundreds of cycles on some CPUs (Sapphire and Emerald Rapids).
func TestNoLegacySSE(t *testing.T) {
	source, err := os.ReadFile("kernels_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	legacy := regexp.MustCompile(`(?m)^\s+[A-UW-Z][A-Z0-9]*\s.*\bX[0-9]+\b.*$`)
	for _, line := range legacy.FindAll(source, -1) {
		t.Errorf("not an AVX instruction: %s", line)
	}
	if !regexp.MustCompile(`(?m)^\s+VMOVD\s`).Match(source) {
		t.Error("there are no instructions")
	}
}

func TestCanonicalKernels(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for n := 0; n <= 200; n++ {
			for _, from := range []int{0, 1, 17, 256 - n} {
				src := all[from : from+min(n, 256-from)]
				got, want := make([]byte, len(src)+2*seqPad), make([]byte, len(src)+2*seqPad)
				ok, wantOK := k.canonical(got, src, textPad), canonicalGo(want, src, textPad)
				if ok != wantOK || !slices.Equal(got, want) {
					t.Fatalf("%d bytes from %d: %v %q, want %v %q", n, from, ok, got, wantOK, want)
				}
			}
		}
	})
}

// TestCanonicalWords has words of plain letters, in which each byte in turn is any other.
func TestCanonicalWords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for b := range 256 {
		for n := 1; n <= 40; n++ {
			src := randomLetters(r, n)
			src[r.IntN(n)] = byte(b)
			got, want := make([]byte, n+2*seqPad), make([]byte, n)
			ok, wantOK := canonicalGo(got, src, patternPad), canonicalEach(want, src)
			want = slices.Concat(patternPad[:], want, patternPad[:])
			if ok != wantOK || !slices.Equal(got, want) {
				t.Fatalf("%q: %v %q, want %v %q", src, ok, got, wantOK, want)
			}
		}
	}
}

// TestComputeKernels compares rows of every width with the plain versions, nulls beside them
// included, of gaps with one and with two costs.
func TestComputeKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for n := k.computeLanes; n <= 5*k.computeLanes; n += k.computeLanes {
			for range 200 {
				run := randomCompute(r, k, n)
				for _, by := range []struct{ assembly, plain func(*computeArgs) }{
					{k.compute, computeGo}, {k.computeLong, computeLongGo},
				} {
					got, args := run(by.assembly)
					want, _ := run(by.plain)
					for i := range got {
						if !slices.Equal(got[i], want[i]) {
							t.Fatalf("%d diagonals from %d, lengths %d %d, row %d:\n%v\nwant\n%v", n, args.k0, args.patternLen, args.textLen, i, got[i], want[i])
						}
					}
				}
			}
		}
	})
}

// randomCompute returns what computes n diagonals of rows from random ones, as many as gaps with
// two costs have, with the arguments of that. Rows that are not computed are 0.
func randomCompute(r *rand.Rand, k *kernels, n int) func(compute func(*computeArgs)) ([5][]int32, computeArgs) {
	plen, tlen := 1+r.IntN(200), 1+r.IntN(200)
	var pattern, text sequence
	copy(pattern.guarded(plen, patternPad), randomLetters(r, plen))
	copy(text.guarded(tlen, textPad), randomLetters(r, tlen))
	k0 := -plen + r.IntN(plen+tlen)
	var in [7][]int32
	for i := range in {
		in[i] = nulls(n + 2*k.computeLanes)
		for j := range in[i] {
			if r.IntN(3) > 0 {
				in[i][j] = int32(r.IntN(tlen + 3))
			}
		}
	}
	return func(compute func(*computeArgs)) (out [5][]int32, a computeArgs) {
		g := 2 * k.computeLanes
		for i := range out {
			out[i] = make([]int32, g+n+g)
		}
		a = computeArgs{
			mx: &in[0][1], mo: &in[1][1], ins: &in[2][1], del: &in[3][1],
			moLong: &in[4][1], insLong: &in[5][1], delLong: &in[6][1],
			outM: &out[0][g], outIns: &out[1][g], outDel: &out[2][g],
			outInsLong: &out[3][g], outDelLong: &out[4][g],
			n: n, k0: int32(k0), patternLen: int32(plen), textLen: int32(tlen),
			left: int32(g), right: int32(g),
			pattern: (*byte)(pattern.first()), text: (*byte)(text.first()),
		}
		compute(&a)
		return out, a
	}
}

func randomLetters(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = "ACGT"[r.IntN(4)]
	}
	return b
}
