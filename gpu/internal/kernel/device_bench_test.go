package kernel

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/cuda"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/pack"
)

// launchSets are sets of simulated pairs with a score bound that all keep.
var launchSets = []struct {
	length int
	rate   float64
	count  int
	bound  int
}{
	{150, 0.02, 400_000, 24},
	{150, 0.05, 400_000, 44},
	{150, 0.10, 400_000, 72},
	{1000, 0.02, 40_000, 110},
	{1000, 0.05, 40_000, 215},
	{1000, 0.10, 20_000, 350},
	{10_000, 0.02, 4_000, 760},
	{10_000, 0.05, 2_000, 1700},
	{10_000, 0.10, 1_500, 3050},
	{30_000, 0.05, 600, 4800},
	{14_000, 0.20, 600, 7500},
	{30_000, 0.20, 300, 15_400},
	{100_000, 0.05, 132, 15_800},
	{15_000, 0.002, 8000, 150},
	{15_000, 0.005, 6000, 340},
	{15_000, 0.02, 4000, 1130},
	{15_000, 0.05, 2000, 2500},
	{15_000, 0.10, 1000, 4500},
	{70_000, 0.012, 528, 3100},
	{100_000, 0.01, 264, 3700},
	{300_000, 0.10, 1, 85_500},
	{1_000_000, 0.01, 16, 33_500},
	{1_000_000, 0.02, 1, 65_500},
}

// benchPenalties returns the penalties of the environment variable PENALTIES, 2,3,1 without
// one, and the factor of their scores beside those of 2,3,1.
func benchPenalties(b *testing.B) (align.Penalties, float64) {
	p, _ := aligntest.PenaltiesOfEnvironment(b, align.DefaultPenalties).Reduced()
	perError := func(p align.Penalties) float64 { return float64(p.Mismatch + 2*(p.GapOpen+p.GapExtend)) }
	return p, perError(p) / perError(align.DefaultPenalties)
}

// benchOptions returns those of pairs: of patterns within texts if the environment variable FLANKS
// is the largest number of random letters on either side of a text.
func benchOptions(b *testing.B, p align.Penalties) (o align.Options, flank func(text []byte) []byte) {
	o.Penalties = p
	s := os.Getenv("FLANKS")
	if s == "" {
		return o, bytes.Clone
	}
	most, err := strconv.Atoi(s)
	if err != nil {
		b.Fatal(err)
	}
	o.Span, o.Free = align.EndsFree, align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	r := rand.New(rand.NewPCG(6, 0))
	random := func(to []byte) []byte {
		for range r.IntN(most + 1) {
			to = append(to, "ACGT"[r.IntN(4)])
		}
		return to
	}
	return o, func(text []byte) []byte { return random(append(random(nil), text...)) }
}

// bench is a device with simulated pairs.
type bench struct {
	b      *testing.B
	dev    *driver.Device
	clock  *drivertest.Clock
	stream *driver.Stream
	module *driver.Module
}

func newBench(b *testing.B) *bench {
	drivertest.RequireDevice(b)
	x := &bench{b: b}
	api, err := driver.Load()
	x.must(err)
	x.clock, err = drivertest.NewClock(api)
	x.must(err)
	x.dev, err = driver.Open(x.clock.API, 0)
	x.must(err)
	image, err := cuda.Image()
	if path := os.Getenv("WFAGPU_KERNELS"); path != "" {
		image, err = os.ReadFile(path)
	}
	x.must(err)
	x.module, err = x.dev.LoadModule(image)
	x.must(err)
	x.stream, err = x.dev.NewStream()
	x.must(err)
	b.Cleanup(func() { x.must(x.dev.Close()) })
	return x
}

func (x *bench) must(err error) {
	x.b.Helper()
	if err != nil {
		x.b.Fatal(err)
	}
}

// alloc returns device memory until the benchmark ends.
func (x *bench) alloc(b *testing.B, bytes int) driver.Ptr {
	p, err := x.dev.Alloc(max(bytes, 256))
	x.must(err)
	b.Cleanup(func() { x.must(x.dev.Free(p)) })
	return p
}

// benchTail is how many words packing and look-ups may use past the last one, or more.
const benchTail = 64

// upload copies a slice to new device memory.
func upload[T any](x *bench, b *testing.B, s []T) driver.Ptr {
	bytes := len(s) * int(unsafe.Sizeof(s[0]))
	pinned, err := x.dev.AllocPinned(bytes)
	x.must(err)
	copy(pinned, unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), bytes))
	p := x.alloc(b, bytes)
	x.must(x.stream.ToDevice(p, pinned))
	x.must(x.stream.Wait(b.Context()))
	x.must(x.dev.FreePinned(pinned))
	return p
}

// download copies device memory to a new slice.
func download[T any](x *bench, p driver.Ptr, n int) []T {
	var one T
	if n == 0 {
		return nil
	}
	bytes := n * int(unsafe.Sizeof(one))
	pinned, err := x.dev.AllocPinned(bytes)
	x.must(err)
	x.must(x.stream.ToHost(pinned, p))
	x.must(x.stream.Synchronize())
	s := slices.Clone(unsafe.Slice((*T)(unsafe.Pointer(&pinned[0])), n))
	x.must(x.dev.FreePinned(pinned))
	return s
}

// BenchmarkLaunch measures single launches of every exact kernel that takes a set in a time
// near the shortest, by the device's clock, with the traceback and without. "ps/work" is the
// unit of Kernel.Work, "certified-%" the share of the pairs for which the kernel has a score:
// those of unequal lengths may need a wider band. All kernels must find the same alignments, and
// those that the CPU engine finds for the first pairs.
func BenchmarkLaunch(b *testing.B) {
	x := newBench(b)
	penalties, factor := benchPenalties(b)
	for _, set := range launchSets {
		b.Run(fmt.Sprintf("%d_%v", set.length, set.rate), func(b *testing.B) {
			set.bound = int(float64(set.bound) * factor)
			if penalties == align.EditPenalties {
				// A pair has at most as many differences as errors; launches are soon done.
				set.bound = int(math.Ceil(set.rate * float64(set.length)))
				if set.length <= 30_000 {
					set.count *= 4
				}
			}
			g, err := simulate.New(simulate.Options{Length: set.length, ErrorRate: set.rate, Seed: 5})
			x.must(err)
			options, flank := benchOptions(b, penalties)
			pairs := make([]align.Pair, set.count)
			at, group := 0, Group{Count: set.count, Bound: set.bound}
			for i := range pairs {
				p, t := g.Next()
				t = flank(t)
				pairs[i] = align.Pair{Pattern: bytes.Clone(p), Text: t}
				at += pack.Words(len(p)) + pack.Words(len(t))
				group.Text, group.Pattern = max(group.Text, len(t)), max(group.Pattern, len(p))
			}
			words := make([]uint32, at+benchTail)
			tasks := make([]abi.Task, set.count)
			at = 0
			for i, p := range pairs {
				if !pack.Pair(words[at:], &p, &p) {
					b.Fatal("letters")
				}
				n := pack.Words(len(p.Pattern))
				tasks[i] = abi.Task{
					Pattern: driver.Ptr(4 * at), Text: driver.Ptr(4 * (at + n)),
					PatternLength: int32(len(p.Pattern)), TextLength: int32(len(p.Text)), Bound: int32(set.bound),
				}
				at += n + pack.Words(len(p.Text))
			}
			bases := upload(x, b, words)
			for i := range tasks {
				tasks[i].Pattern += bases
				tasks[i].Text += bases
			}
			queue := upload(x, b, tasks)
			found := agreedByCPU(b, options, pairs)
			for _, scoreOnly := range []bool{true, false} {
				x.launches(b, options, scoreOnly, group, queue, pairs, found)
			}
		})
	}
}

func (x *bench) launches(b *testing.B, options align.Options, scoreOnly bool, group Group, queue driver.Ptr, pairs []align.Pair, found *agreed) {
	const capacity = 64 << 20
	model, err := options.Model()
	x.must(err)
	penalties := model.Affine()
	c := Config{Penalties: penalties, Model: model, ScoreOnly: scoreOnly, CigarCapacity: capacity}
	k, err := Load(x.module, x.dev.Info, c)
	x.must(err)
	work := func(k Kernel) float64 { return k.Work(group.Pattern, group.Text, group.Bound, group.Bound) }
	_, least := k.Bounded(group.Pattern, group.Text, Plain(group.Bound), unlimited(k))
	for i, kernel := range k.Kernels {
		if k.Gates(i) || !kernel.Takes(group.Pattern, group.Text, group.Bound) || work(kernel) > 4*least {
			continue
		}
		n := name(kernel)
		if scoreOnly {
			n += "_score"
		}
		b.Run(n, func(b *testing.B) {
			free, _, err := x.dev.Memory()
			x.must(err)
			budget := int(free) * 8 / 10
			plan, ok, err := kernel.Plan(group, budget)
			x.must(err)
			if !ok || plan.Bytes(group.Count) > budget {
				b.Skipf("%d bytes", plan.Bytes(group.Count))
			}
			count := len(pairs)
			results, counters := x.alloc(b, 16*count), x.alloc(b, 256)
			rows, cigars := x.alloc(b, plan.Bytes(count)), x.alloc(b, 4*capacity)
			a := abi.Params{
				Tasks: queue, Results: results, Rows: rows, Cigars: cigars, Used: counters, Next: counters + 64, Stop: counters + 128,
				CigarCapacity: capacity, Count: int32(count),
				Mismatch: int32(penalties.Mismatch), GapOpen: int32(penalties.GapOpen), GapExtend: int32(penalties.GapExtend),
			}
			seconds, tracing := 0.0, 0.0
			for b.Loop() {
				x.must(x.stream.Fill(counters, 0, 256))
				x.must(x.stream.Fill(results, abi.Unreached, 16*count))
				x.clock.Reset()
				x.must(kernel.Launch(x.stream, a, group, plan))
				took, err := x.clock.Took()
				x.must(err)
				seconds += took.Seconds()
				x.clock.Reset()
				x.must(kernel.Trace(x.stream, a, group, plan))
				if took, err = x.clock.Took(); err == nil {
					tracing += took.Seconds()
				}
			}
			o := &outcome{results: download[abi.Result](x, results, count)}
			if n := int(download[uint32](x, counters, 1)[0]); n > 0 {
				o.cigars = download[uint32](x, cigars, n)
			}
			certified, err := found.add(o, group.Bound, func(at int) bool {
				return kernel.Takes(len(pairs[at].Pattern), len(pairs[at].Text), group.Bound)
			})
			if err != nil {
				b.Fatal(err)
			}
			squares := 0.0
			for _, r := range o.results {
				squares += float64(max(r.Score, 0)) * float64(max(r.Score, 0))
			}
			rate := float64(b.N) / (seconds + tracing)
			b.ReportMetric(rate*float64(count)/1e6, "Mpairs/s")
			b.ReportMetric(rate*squares/1e12, "Tscore2/s")
			b.ReportMetric(seconds/float64(b.N)*1e3, "ms")
			b.ReportMetric(tracing/float64(b.N)*1e3, "trace-ms")
			b.ReportMetric(seconds/float64(b.N)/work(kernel)/float64(count)*1e12, "ps/work")
			b.ReportMetric(float64(plan.Bytes(count))/1e9, "GB")
			b.ReportMetric(100*float64(certified)/float64(count), "certified-%")
			b.ReportMetric(0, "ns/op")
		})
	}
}
