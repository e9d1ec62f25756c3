package kernel

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/pack"
)

// gatedBases is how many bases a launch of BenchmarkGated has, copies of those of a set: so many that
// the slowest pairs at its end take little of the time, and that they do not fit into a cache.
const gatedBases = 1 << 32

// BenchmarkGated measures single launches of the gated kernel on the sets of real reads, by the device's
// clock. Of the pairs "aligned-%" are aligned, "open-%" have open parts and "bounded-%" an upper bound alone;
// "left-%" is what the squares of all scores that are left to other kernels are of those of all pairs.
func BenchmarkGated(b *testing.B) {
	x := newBench(b)
	penalties, factor := benchPenalties(b)
	names, load := aligntest.RealSets(b)
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			var pairs []align.Pair
			for _, c := range load(b, name).Cases {
				pairs = append(pairs, align.Pair{Pattern: c.Pattern, Text: c.Text})
			}
			x.gated(b, penalties, factor, pairs)
		})
	}
}

// BenchmarkGatedSimulated is BenchmarkGated for simulated pairs. Its figures are what gated.Work is fitted to.
func BenchmarkGatedSimulated(b *testing.B) {
	x := newBench(b)
	penalties, factor := benchPenalties(b)
	for _, length := range []int{300, 1000, 4000, 15_000} {
		for _, rate := range []float64{0.003, 0.01, 0.02, 0.05} {
			b.Run(fmt.Sprintf("%d_%v", length, rate), func(b *testing.B) {
				g, err := simulate.New(simulate.Options{Length: length, ErrorRate: rate, Seed: 5})
				x.must(err)
				pairs := make([]align.Pair, 2_000_000/length)
				for i := range pairs {
					p, t := g.Next()
					pairs[i] = align.Pair{Pattern: bytes.Clone(p), Text: bytes.Clone(t)}
				}
				x.gated(b, penalties, factor, pairs)
			})
		}
	}
}

func (x *bench) gated(b *testing.B, penalties align.Penalties, factor float64, pairs []align.Pair) {
	const capacity = 256 << 20
	set, err := Load(x.module, x.dev.Info, Config{
		Penalties: penalties, CigarCapacity: capacity, Families: []string{"gated"},
	})
	x.must(err)
	k := set.Kernels[set.Gated]
	var tasks []abi.Task
	group := Group{Bound: int(10_000 * factor)}
	bases := 0
	for _, p := range pairs {
		bases += len(p.Pattern) + len(p.Text)
	}
	words := make([]uint32, bases/16+2*len(pairs)+benchTail)
	at := 0
	for i := range pairs {
		p := &pairs[i]
		if !pack.Pair(words[at:], p, p) || !k.Takes(len(p.Pattern), len(p.Text), group.Bound) {
			continue
		}
		n := pack.Words(len(p.Pattern))
		tasks = append(tasks, abi.Task{
			Pattern: driver.Ptr(4 * at), Text: driver.Ptr(4 * (at + n)),
			PatternLength: int32(len(p.Pattern)), TextLength: int32(len(p.Text)), Bound: int32(group.Bound),
		})
		at += n + pack.Words(len(p.Text))
		group.Text, group.Pattern = max(group.Text, len(p.Text)), max(group.Pattern, len(p.Pattern))
	}
	if len(tasks) == 0 {
		b.Skip("no pair is long enough")
	}
	once, words := tasks, words[:at+benchTail]
	copies := max(1, min(gatedBases/bases, 1_000_000/len(once)))
	tasks = make([]abi.Task, 0, copies*len(once))
	base := upload(x, b, slices.Repeat(words, copies))
	for range copies {
		for _, t := range once {
			t.Pattern += base
			t.Text += base
			tasks = append(tasks, t)
		}
		base += driver.Ptr(4 * len(words))
	}
	group.Count = len(tasks)
	queue := upload(x, b, tasks)
	plan, ok, err := k.Plan(group, 32<<30)
	x.must(err)
	if !ok {
		b.Fatal("no memory")
	}
	results, counters := x.alloc(b, 16*group.Count), x.alloc(b, 256)
	rows, cigars := x.alloc(b, plan.Bytes(group.Count)), x.alloc(b, 4*capacity)
	a := abi.Params{
		Tasks: queue, Results: results, Rows: rows, Cigars: cigars, Used: counters, Next: counters + 64, Stop: counters + 128,
		CigarCapacity: capacity, Count: int32(group.Count),
		Mismatch: int32(penalties.Mismatch), GapOpen: int32(penalties.GapOpen), GapExtend: int32(penalties.GapExtend),
	}
	seconds := 0.0
	for b.Loop() {
		x.must(x.stream.Fill(counters, 0, 256))
		x.must(x.stream.Fill(results, abi.Unreached, 16*group.Count))
		x.clock.Reset()
		x.must(k.Launch(x.stream, a, group, plan))
		took, err := x.clock.Took()
		x.must(err)
		seconds += took.Seconds()
	}
	found := download[abi.Result](x, results, group.Count)
	elements := download[uint32](x, cigars, int(download[uint32](x, counters, 1)[0]))
	aligned, open, bounded, parts, all, left, scores, work := 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0
	for i := range found {
		r := &found[i]
		score := float64(r.Score)
		switch {
		case r.Score < 0 && r.Flags != 0:
			b.Fatalf("flags %#x", r.Flags)
		case r.Score < 0 && r.Cigar > 0:
			bounded++
			score = float64(r.Cigar)
			left += score * score
		case r.Score < 0:
			continue
		case r.Flags == 0:
			aligned++
		default:
			open++
			for _, e := range elements[r.Cigar:][:r.CigarLength] {
				if e&15 == abi.OpenCost {
					part := float64(e >> 4)
					score += part
					left += part * part
					parts++
				}
			}
		}
		all += score * score
		scores += score
		work += k.Work(group.Pattern, group.Text, int(score), group.Bound)
	}
	n := float64(group.Count)
	b.ReportMetric(float64(b.N)*n/seconds/1e6, "Mpairs/s")
	b.ReportMetric(seconds/float64(b.N)/n*1e12, "ps/pair")
	b.ReportMetric(work/n, "work")
	b.ReportMetric(scores/n, "score")
	b.ReportMetric(float64(plan.Wave()), "warps")
	b.ReportMetric(seconds/float64(b.N)*1e3, "ms")
	b.ReportMetric(100*float64(aligned)/n, "aligned-%")
	b.ReportMetric(100*float64(open)/n, "open-%")
	b.ReportMetric(float64(parts)/n, "parts")
	b.ReportMetric(100*float64(bounded)/n, "bounded-%")
	b.ReportMetric(100*left/all, "left-%")
	b.ReportMetric(0, "ns/op")
}
