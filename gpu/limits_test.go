package gpu

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"wfagpu/align"
)

// prefixes are a pair of sequences of which one begins with the other.
func prefixes(r *rand.Rand, pattern, text int) align.Pair {
	a := make([]byte, max(pattern, text))
	for i := range a {
		a[i] = "ACGT"[r.IntN(4)]
	}
	return align.Pair{Pattern: bytes.Clone(a[:pattern]), Text: bytes.Clone(a[:text])}
}

// The longest text and the longest pattern of a launch may be of different
// pairs, and the tables of both must fit into shared memory: lengths about the
// limits, differences both ways, scores so low that the cheapest kernels are
// chosen.
func TestSharedMemoryLimitsOnFake(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, around := range []int{380, 890, 6200, 14_400, 25_000} {
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly}
			e := openOnFake(t, newFakeGPU(t, 4000), Options{ScoreOnly: scoreOnly})
			var seen observations
			for class := range e.estimate.seen {
				for range 2 * enough {
					seen.add(1, 1<<class, class)
				}
			}
			e.estimate.learn(&seen)
			b := &align.Batch{}
			for step := -8; step <= 8; step++ {
				n := around + step*around/200
				for _, d := range []int{1, around / 400} {
					b.Pairs = append(b.Pairs, prefixes(r, n, n+d), prefixes(r, n+d, n))
				}
			}
			mustAlignAll(t, withCPU(t, e, o), b)
			wantAsOnCPU(t, o, b)
		}
	}
}

// Limits of giant differences in length, with the largest penalties, do not
// wrap around: such pairs are left to the CPU, and bounds are cut.
func TestLimitsStayIn32Bits(t *testing.T) {
	p := align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 255}
	for _, bound := range []ErrorBound{{}, {Score: 1 << 62}, {Fraction: 1e300}} {
		e := openOnFake(t, newFakeGPU(t, 1000), Options{ScoreOnly: true, Penalties: p, MaxError: bound})
		l, err := e.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b := &align.Batch{Pairs: []align.Pair{
			{Pattern: []byte("A"), Text: bytes.Repeat([]byte("C"), 9_000_000)},
			{Pattern: bytes.Repeat([]byte("A"), 5_000_000), Text: bytes.Repeat([]byte("C"), 5_000_000)},
		}}
		b.PrepareResults()
		l.stage(b, 0, 2)
		if len(l.todo) != 1 || b.Results[0].Err != errLength {
			t.Errorf("%+v: tasks %+v, error of the first pair %v", bound, l.todo, b.Results[0].Err)
		}
		for _, task := range l.todo {
			if task.limit <= 0 || task.limit > maxLimit {
				t.Errorf("%+v: limit %d", bound, task.limit)
			}
		}
		e.lanes <- l
	}
}
