package gpu

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// openOnFake opens an engine on a fake GPU until the test ends. What is left
// alive then fails the test.
func openOnFake(t testing.TB, g *fakeGPU, o Options) *Engine {
	t.Helper()
	e, err := open(g.API(), drivertest.Image, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		g.CheckReleased(t)
	})
	return e
}

// withCPU puts the CPU engine behind a GPU.
func withCPU(t testing.TB, e *Engine, o align.Options) *gpuAndCPU {
	t.Helper()
	cpu, err := align.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &gpuAndCPU{GPU: e, CPU: cpu}
}

// beShort makes testing.Short true until the test ends.
func beShort(t *testing.T) {
	short := flag.Lookup("test.short").Value
	before := short.String()
	short.Set("true")
	t.Cleanup(func() { short.Set(before) })
}

// The engine, with kernels in Go and the CPU engine behind it, meets the
// contract of all engines. TestEngineOnDevice is the same with real kernels.
func TestEngineOnFake(t *testing.T) {
	beShort(t)
	aligntest.Run(t, func(t testing.TB, o align.Options) aligntest.Engine {
		t.Helper()
		for _, slow := range []string{"Edges/2,0,255", "Edges/255,0,1", "VeryUnequalLengths/3,1,4", "Offset16Bits/4,6,2"} {
			if strings.HasSuffix(t.Name(), slow) {
				t.Skip("takes the oracle a second or more, and is like the others")
			}
		}
		memory := 1000
		if o.Memory > 0 {
			memory = 300
		}
		e := openOnFake(t, newFakeGPU(t, memory), Options{Penalties: o.Penalties, ScoreOnly: o.ScoreOnly})
		return withCPU(t, e, o)
	})
}

// mixedPairs are pairs of many lengths and error rates, some with long gaps, N
// or empty sequences, in no order.
func mixedPairs(t testing.TB, count int, seed uint64) *align.Batch {
	t.Helper()
	b := &align.Batch{First: 1}
	for i, length := range []int{20, 100, 150, 150, 400, 1000, 2500} {
		n := count/8 + 1
		if length >= 1000 {
			n = count/30 + 1
		}
		for j, rate := range []float64{0.01, 0.06, 0.25} {
			o := simulate.Options{Length: length, ErrorRate: rate, Seed: seed*100 + uint64(10*i+j)}
			if i%2 == 1 {
				o.Model = simulate.Bursts
			}
			if length == 400 {
				o.NRate = 0.002
			}
			b.Pairs = append(b.Pairs, simulated(t, n/3+1, o).Pairs...)
		}
	}
	b.Pairs = append(b.Pairs, align.Pair{}, align.Pair{Pattern: []byte("ACGT")}, align.Pair{Text: []byte("ACGTACGT")})
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(b.Pairs), func(i, j int) { b.Pairs[i], b.Pairs[j] = b.Pairs[j], b.Pairs[i] })
	b.Pairs = b.Pairs[:min(count, len(b.Pairs))]
	return b
}

// mustAlignAll aligns within a minute and without error.
func mustAlignAll(t testing.TB, e aligntest.Engine, b *align.Batch) {
	t.Helper()
	if err := alignInTime(t, e, context.Background(), b); err != nil {
		t.Fatal(err)
	}
}

// alignInTime fails the test when AlignBatch does not return.
func alignInTime(t testing.TB, e aligntest.Engine, ctx context.Context, b *align.Batch) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- e.AlignBatch(ctx, b) }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute):
		t.Fatal("AlignBatch has not returned within a minute")
		return nil
	}
}

// wantStats holds the engine's account against the number of pairs given to it.
func wantStats(t testing.TB, e *Engine, pairs int) Stats {
	t.Helper()
	s := e.Stats()
	if got := s.Finished() + s.Fallback(); got != int64(pairs) {
		t.Errorf("%d pairs in the account of %d: %+v", got, pairs, s)
	}
	if s.SecondPass > s.Finished() {
		t.Errorf("more second passes than pairs: %+v", s)
	}
	return s
}

// forModes runs f with both sets of penalties that differ in their kernels, for
// alignments and for scores, and with sequences packed on the device and, where
// the host can, there.
func forModes(t *testing.T, f func(t *testing.T, o align.Options, g Options)) {
	for i, p := range []align.Penalties{{Mismatch: 4, GapOpen: 6, GapExtend: 2}, {Mismatch: 3, GapOpen: 1, GapExtend: 4}} {
		for j, scoreOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v score only %v", p, scoreOnly), func(t *testing.T) {
				f(t, align.Options{Penalties: p, ScoreOnly: scoreOnly},
					Options{Penalties: p, ScoreOnly: scoreOnly, packOnDevice: i != j})
			})
		}
	}
}

// Every kernel of the engine has pairs that suit it best.
func TestEveryKernelOnFake(t *testing.T) {
	p, _ := align.DefaultPenalties.Reduced()
	a := &params{gapOpen: int32(p.GapOpen), gapExtend: int32(p.GapExtend), maxScore: 1 << 20}
	for _, scoreOnly := range []bool{false, true} {
		o := align.Options{Penalties: p, ScoreOnly: scoreOnly}
		run := func(name string, limit int) {
			// Equal lengths, so that nothing but the bound sets the limit.
			count := max(2, 10-limit/100)
			b := simulated(t, count, simulate.Options{Length: max(limit, 50), ErrorRate: 0.01, Model: simulate.Substitution, Seed: 3})
			g := newFakeGPU(t, 16_000)
			e := openOnFake(t, g, Options{Penalties: p, ScoreOnly: scoreOnly, MaxError: ErrorBound{Score: limit}})
			mustAlignAll(t, e, b)
			wantAsOnCPU(t, o, b)
			if g.launched(name) == 0 {
				t.Errorf("%s was not launched for scores up to %d", name, limit)
			}
			wantStats(t, e, len(b.Pairs))
		}
		most := 0
		for i := range variants {
			v := &variants[i]
			if v.kind == kindApprox {
				continue
			}
			most = fakeBand(a, pairEntry{}, a.maxScore, v.lanes*v.words)
			run(v.kernelName(p, scoreOnly), most)
		}
		run("wfa_general", most+1)
	}
}

// A first limit that is far too low costs passes, not exactness.
func TestEscalationOnFake(t *testing.T) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		var pairs []align.Pair
		for _, length := range []int{30, 150, 700} {
			// Equal lengths, so that nothing but the bound sets the limit.
			pairs = append(pairs, simulated(t, 100, simulate.Options{
				Length: length, ErrorRate: 0.1, Model: simulate.Substitution, Seed: 5,
			}).Pairs...)
		}
		pairs = append(pairs, simulated(t, 50, simulate.Options{Length: 150, Seed: 6}).Pairs...)
		b := &align.Batch{Pairs: pairs}
		opts.MaxError = ErrorBound{Score: 1}
		e := openOnFake(t, newFakeGPU(t, 1000), opts)
		mustAlignAll(t, e, b)
		wantAsOnCPU(t, o, b)
		if s := wantStats(t, e, len(pairs)); s.SecondPass != 300 {
			t.Errorf("%d pairs took a second pass, want 300", s.SecondPass)
		}
	})
}

// Bounds that make no sense are as good as any.
func TestOddBoundsOnFake(t *testing.T) {
	for _, bound := range []ErrorBound{
		{Score: -5}, {Fraction: -1}, {Fraction: 1e-300}, {Fraction: 1}, {Fraction: 1000}, {Score: 1 << 30}, {Score: math.MaxInt}, {Fraction: 1e300}, {Fraction: math.NaN()}, {Fraction: math.Inf(1)},
	} {
		for _, scoreOnly := range []bool{false, true} {
			b := mixedPairs(t, 100, 7)
			e := openOnFake(t, newFakeGPU(t, 1000), Options{ScoreOnly: scoreOnly, MaxError: bound})
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly}
			mustAlignAll(t, withCPU(t, e, o), b)
			wantAsOnCPU(t, o, b)
			if s := wantStats(t, e, len(b.Pairs)); s.Memory > 0 {
				t.Errorf("%+v: %d pairs left for want of memory", bound, s.Memory)
			}
		}
	}
}

// Letters outside ACGTU go to the other engine, and nothing else does.
func TestLettersOnFake(t *testing.T) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		b := simulated(t, 300, simulate.Options{Length: 150, ErrorRate: 0.05, Seed: 8})
		strange := int64(0)
		for i := range b.Pairs {
			p := &b.Pairs[i]
			switch i % 10 {
			case 0:
				p.Pattern = append(p.Pattern, "N@`{[^_=7"[i%9])
				strange++
			case 1:
				p.Text[i%len(p.Text)] = byte(0x80 | i)
				strange++
			case 2:
				p.Text = bytes.ReplaceAll(bytes.ToLower(p.Text), []byte("t"), []byte("u"))
			case 3:
				p.Pattern = bytes.ReplaceAll(p.Pattern, []byte("T"), []byte("U"))
			}
		}
		e := openOnFake(t, newFakeGPU(t, 1000), opts)
		alone := &align.Batch{Pairs: b.Pairs}
		mustAlignAll(t, e, alone)
		for i, r := range alone.Results {
			if want := i%10 < 2; errors.Is(r.Err, FallbackLetters) != want || (r.Err != nil) != want {
				t.Fatalf("pair %d, %q: error %v", i, b.Pairs[i].Pattern, r.Err)
			}
		}
		mustAlignAll(t, withCPU(t, e, o), b)
		wantAsOnCPU(t, o, b)
		if s := wantStats(t, e, 2*len(b.Pairs)); s.Letters != 2*strange || s.Fallback() != s.Letters {
			t.Errorf("%d pairs with strange letters, want %d: %+v", s.Letters, 2*strange, s)
		}
	})
}

// Every byte is a letter to the GPU exactly when it is one of ACGTU.
func TestEveryByteOnFake(t *testing.T) {
	b := &align.Batch{}
	for c := range 256 {
		b.Pairs = append(b.Pairs, align.Pair{Pattern: []byte("ACGTACGTACGTACGTACG"), Text: []byte{'A', byte(c), 'A'}})
	}
	for _, packOnDevice := range []bool{false, true} {
		e := openOnFake(t, newFakeGPU(t, 1000), Options{packOnDevice: packOnDevice})
		mustAlignAll(t, e, b)
		for c, r := range b.Results {
			if known := strings.ContainsRune("ACGTUacgtu", rune(c)); known != (r.Err == nil) {
				t.Errorf("byte %#x, packed on the device %v: error %v", c, packOnDevice, r.Err)
			}
		}
	}
}

// A pair that does not fit into a load is left to the other engine, among pairs
// that do.
func TestTooLongOnFake(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 1000), Options{})
	r := withCPU(t, e, align.Options{Threads: 1})
	pairs := 0
	for n := 3 << 20; e.Stats().Length == 0; n *= 3 {
		if n > 1<<28 {
			t.Fatal("no pair is too long")
		}
		b := mixedPairs(t, 20, 9)
		at := len(b.Pairs) / 2
		long := bytes.Repeat([]byte("ACGGT"), n/5)
		b.Pairs[at] = align.Pair{Pattern: long, Text: long}
		pairs += len(b.Pairs)
		mustAlignAll(t, r, b)
		if got := b.Results[at]; got.Err != nil || got.Score != 0 || got.CIGAR.String() != fmt.Sprintf("%d=", len(long)) {
			t.Errorf("%d letters: score %d, CIGAR %.100v, error %v", len(long), got.Score, got.CIGAR, got.Err)
		}
		b.Pairs = slices.Delete(b.Pairs, at, at+1)
		b.Results = slices.Delete(b.Results, at, at+1)
		wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, b)
	}
	if s := wantStats(t, e, pairs); s.Length != 1 {
		t.Errorf("%d pairs were too long, want 1", s.Length)
	}
}

// repeated returns a batch that has a few pairs many times, and shares their
// letters.
func repeated(few *align.Batch, times int) *align.Batch {
	return &align.Batch{First: 1, Pairs: slices.Repeat(few.Pairs, times)}
}

// wantRepeated holds the results of repeated pairs against those of the CPU.
func wantRepeated(t *testing.T, o align.Options, few, b *align.Batch) {
	t.Helper()
	n := len(few.Pairs)
	wantAsOnCPU(t, o, &align.Batch{Pairs: few.Pairs, Results: b.Results[:n]})
	for i, r := range b.Results {
		if w := b.Results[i%n]; r.Err != nil || r.Score != w.Score || !slices.Equal(r.CIGAR, w.CIGAR) {
			t.Fatalf("pair %d of many comes out differently: score %d, want %d, error %v", i, r.Score, w.Score, r.Err)
		}
	}
}

// longPairs repeated 70 times are several loads.
func longPairs(t testing.TB) *align.Batch {
	return simulated(t, 4, simulate.Options{Length: 150_000, ErrorRate: 0.0002, Seed: 17})
}

func TestManyLoadsOnFake(t *testing.T) {
	t.Run("long pairs", func(t *testing.T) {
		e := openOnFake(t, newFakeGPU(t, 4000), Options{})
		few := longPairs(t)
		b := repeated(few, 70)
		if b.Bases() < 3*laneLetters {
			t.Fatal("the batch is not several loads")
		}
		mustAlignAll(t, e, b)
		wantRepeated(t, align.Options{Penalties: align.DefaultPenalties}, few, b)
		wantStats(t, e, len(b.Pairs))
	})
	t.Run("fewer lanes than planned", func(t *testing.T) {
		g := newFakeGPU(t, 4000)
		e := openOnFake(t, g, Options{})
		few := longPairs(t)
		mustAlignAll(t, e, &align.Batch{Pairs: few.Pairs})
		g.Resize(0, 0)
		b := repeated(few, 70)
		mustAlignAll(t, withCPU(t, e, align.Options{}), b)
		wantRepeated(t, align.Options{Penalties: align.DefaultPenalties}, few, b)
		wantStats(t, e, 4+len(b.Pairs))
	})
	t.Run("many pairs", func(t *testing.T) {
		few := simulated(t, 50, simulate.Options{Length: 12, ErrorRate: 0.1, Seed: 18})
		few.Pairs = append(few.Pairs, align.Pair{Pattern: []byte("A"), Text: []byte("N")}, align.Pair{Text: []byte("ACG")})
		const times = 3000
		b := repeated(few, times)
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly}
			e := openOnFake(t, newFakeGPU(t, 1000), Options{ScoreOnly: scoreOnly})
			mustAlignAll(t, withCPU(t, e, o), b)
			wantRepeated(t, o, few, b)
			if s := wantStats(t, e, len(b.Pairs)); s.Letters != times || s.Trivial != times {
				t.Errorf("%+v, want %d trivial pairs and as many with strange letters", s, times)
			}
		}
	})
}

// Batches of no, one or two pairs, many of them.
func TestTinyBatchesOnFake(t *testing.T) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		e := openOnFake(t, newFakeGPU(t, 1000), opts)
		r := withCPU(t, e, o)
		all := mixedPairs(t, 150, 19)
		var results []align.Result
		for from := 0; from < len(all.Pairs); {
			to := min(from+len(results)%3, len(all.Pairs))
			if len(results)%3 == 0 {
				mustAlignAll(t, r, &align.Batch{})
				to = min(from+1, len(all.Pairs))
			}
			b := &align.Batch{Pairs: all.Pairs[from:to]}
			mustAlignAll(t, r, b)
			results = append(results, b.Results...)
			from = to
		}
		all.Results = results
		wantAsOnCPU(t, o, all)
		wantStats(t, e, len(all.Pairs))
	})
}

// Batches do not disturb one another.
func TestConcurrentBatchesOnFake(t *testing.T) {
	for _, memory := range []int{leastMemory(t, Options{}), 1000} { // one lane, and several
		e := openOnFake(t, newFakeGPU(t, memory), Options{})
		o := align.Options{Penalties: align.DefaultPenalties, Threads: 2}
		r := withCPU(t, e, o)
		var calls sync.WaitGroup
		var pairs atomic.Int64
		for caller := range uint64(6) {
			calls.Go(func() {
				for i := range uint64(3) {
					b := mixedPairs(t, 60, 20+3*caller+i)
					pairs.Add(int64(len(b.Pairs)))
					if err := r.AlignBatch(context.Background(), b); err != nil {
						t.Error(err)
						return
					}
					wantAsOnCPU(t, o, b)
					e.Stats()
				}
			})
		}
		calls.Wait()
		wantStats(t, e, int(pairs.Load()))
	}
}

// A pair's alignment does not depend on its company, nor on what the engine has
// learnt from other pairs.
func TestSameBytesOnFake(t *testing.T) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		b := mixedPairs(t, 150, 50)
		for _, lesson := range []float64{0, 0.3} {
			e := openOnFake(t, newFakeGPU(t, 1000), opts)
			r := withCPU(t, e, o)
			if lesson > 0 {
				for _, length := range []int{20, 150, 1000} {
					mustAlignAll(t, r, simulated(t, 110, simulate.Options{Length: length, ErrorRate: lesson, Seed: 51}))
				}
			}
			for _, size := range []int{7, 64, len(b.Pairs)} {
				got := &align.Batch{}
				for part := range slices.Chunk(b.Pairs, size) {
					p := &align.Batch{Pairs: part}
					mustAlignAll(t, r, p)
					got.Pairs = append(got.Pairs, p.Pairs...)
					got.Results = append(got.Results, p.Results...)
				}
				wantAsOnCPU(t, o, got)
			}
		}
	})
}

// A context that has ended starts no work.
func TestCancelledBeforeOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	e := openOnFake(t, g, Options{})
	r := withCPU(t, e, align.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := mixedPairs(t, 100, 70)
	for _, engine := range []aligntest.Engine{e, r} {
		if err := alignInTime(t, engine, ctx, b); err != context.Canceled {
			t.Errorf("%T: error %v", engine, err)
		}
	}
	if n := g.launched(""); n > 0 {
		t.Errorf("%d launches", n)
	}
	mustAlignAll(t, r, b)
	wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, b)
}

// A context that ends in the middle, at any launch, ends the call with its
// error, and the engine can be used again.
func TestCancelledMidwayOnFake(t *testing.T) {
	b := mixedPairs(t, 150, 71)
	o := align.Options{Penalties: align.DefaultPenalties}
	g := newFakeGPU(t, 1000)
	var mu sync.Mutex
	launch, at := 0, 0
	var cancel context.CancelFunc
	g.before = func(string) driver.Result {
		mu.Lock()
		defer mu.Unlock()
		if launch++; launch == at {
			cancel()
		}
		return driver.Success
	}
	e := openOnFake(t, g, Options{MaxError: ErrorBound{Score: 5}})
	r := withCPU(t, e, o)
	cancelled := 0
	for n := 1; ; n += 3 {
		var ctx context.Context
		ctx, cancel = context.WithCancel(context.Background())
		mu.Lock()
		launch, at = 0, n
		mu.Unlock()
		err := alignInTime(t, r, ctx, b)
		late := ctx.Err() == nil
		cancel()
		if late {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		cancelled++
		if err != context.Canceled {
			t.Fatalf("cancelled at launch %d: %v", n, err)
		}
	}
	if cancelled < 5 {
		t.Errorf("cancelled %d times, want more", cancelled)
	}
	at = 0
	mustAlignAll(t, r, b)
	wantAsOnCPU(t, o, b)

	// Large batches, of which several loads are on their way.
	large := repeated(longPairs(t), 70)
	for _, n := range []int{1, 2, 3} {
		var ctx context.Context
		ctx, cancel = context.WithCancel(context.Background())
		mu.Lock()
		launch, at = 0, n
		mu.Unlock()
		if err := alignInTime(t, r, ctx, large); err != context.Canceled {
			t.Errorf("cancelled at launch %d of many: %v", n, err)
		}
		cancel()
	}
	mustAlignAll(t, r, b)
	wantAsOnCPU(t, o, b)
}

// A deadline and a cause of one's own do not change what is returned: the
// context's error.
func TestCauseOnFake(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 1000), Options{})
	r := withCPU(t, e, align.Options{})
	b := mixedPairs(t, 50, 72)
	timeout, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	cause, cancelCause := context.WithCancelCause(context.Background())
	cancelCause(errors.New("the cause"))
	for _, engine := range []aligntest.Engine{e, r} {
		for _, ctx := range []context.Context{timeout, cause} {
			if err := alignInTime(t, engine, ctx, b); !errors.Is(err, ctx.Err()) {
				t.Errorf("%T: error %v, want %v", engine, err, ctx.Err())
			}
		}
	}
}

// The GPU's verdict on a pair with an empty sequence is that of the CPU, also
// for bytes that are no letters.
func TestEmptyAgainstNoLetterOnFake(t *testing.T) {
	b := &align.Batch{Pairs: []align.Pair{{Text: []byte("AC\x00")}, {Pattern: []byte("\xffGT")}, {Text: []byte("NN")}}}
	want := &align.Batch{Pairs: b.Pairs}
	cpu, err := align.New(align.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mustAlignAll(t, cpu, want)
	mustAlignAll(t, &gpuAndCPU{GPU: openOnFake(t, newFakeGPU(t, 1000), Options{}), CPU: cpu}, b)
	for i, r := range b.Results {
		if w := want.Results[i]; r.Score != w.Score || r.Err != w.Err {
			t.Errorf("pattern %q, text %q: score %d, error %v; on the CPU %d, %v",
				b.Pairs[i].Pattern, b.Pairs[i].Text, r.Score, r.Err, w.Score, w.Err)
		}
	}
}

// A device that fails takes the batch with it, and Close still works, twice.
func TestCloseOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	e, err := open(g.API(), drivertest.Image, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := mixedPairs(t, 50, 90)
	mustAlignAll(t, e, b)
	g.before = func(string) driver.Result { return 719 }
	var failure *Error
	if err := alignInTime(t, e, context.Background(), b); !errors.As(err, &failure) || failure.Code != 719 {
		t.Errorf("a failed launch: %v", err)
	}
	for range 2 {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		g.CheckReleased(t)
	}
}

// Open refuses what it cannot work with, and leaves nothing behind.
func TestOpenRefusesOnFake(t *testing.T) {
	for name, o := range map[string]Options{
		"penalties": {Penalties: align.Penalties{Mismatch: -1, GapOpen: 1, GapExtend: 1}},
		"device":    {Device: 7},
		"memory":    {Memory: 1 << 20},
	} {
		g := newFakeGPU(t, 1000)
		if _, err := open(g.API(), drivertest.Image, o); err == nil {
			t.Errorf("%s: no error", name)
		}
		if left := g.Live(); len(left) > 0 || len(g.Lost()) > 0 {
			t.Errorf("%s: left alive: %v, %v", name, left, g.Lost())
		}
	}
	// A kernel that the image lacks.
	full := newFakeGPU(t, 1000)
	e, err := open(full.API(), drivertest.Image, Options{})
	if err != nil {
		t.Fatal(err)
	}
	needed := 0
	for _, call := range full.Log() {
		if call == "cuModuleGetFunction" {
			needed++
		}
	}
	e.Close()
	missing := 0
	for name := range full.Kernels {
		g := newFakeGPU(t, 1000)
		delete(g.Kernels, name)
		e, err := open(g.API(), drivertest.Image, Options{})
		if err == nil {
			e.Close()
			continue
		}
		missing++
		if !errors.Is(err, ErrNoKernels) || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
		if left := g.Live(); len(left) > 0 || len(g.Lost()) > 0 {
			t.Errorf("without %s: left alive: %v, %v", name, left, g.Lost())
		}
	}
	if missing != needed {
		t.Errorf("%d kernels are needed, %d are missed", needed, missing)
	}
}
