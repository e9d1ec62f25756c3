package kernel

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
)

// spanBenches are the models that BenchmarkSpan measures.
var spanBenches = []struct {
	name    string
	span    align.Span
	scoring align.Scoring
}{
	{"linear", align.EndsFree, align.Scoring{Penalties: align.Penalties{Mismatch: 1, GapExtend: 1}, Match: 2}},
	{"affine", align.EndsFree, align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}}},
	{"local", align.Local, align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1}},
	{"two", align.Global, align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, LongGap: align.Gap{Open: 24, Extend: 1}}},
	{"extension", align.Extension, align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1}},
	{"local_linear", align.Local, align.Scoring{Penalties: align.Penalties{Mismatch: 1, GapExtend: 1}, Match: 2}},
	{"local_two", align.Local, align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, Match: 2, LongGap: align.Gap{Open: 24, Extend: 1}}},
	{"affine_bytes", align.EndsFree, align.Scoring{Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}}},
}

// BenchmarkSpan measures single launches of the kernel that pairs take, with SPAN_ALL=1 of all
// that take them, by the device's clock: cells of the matrix a second without the traceback
// (TCUPS) and with it (traced). The scores and alignments of the first pairs are checked.
func BenchmarkSpan(b *testing.B) {
	x := newBench(b)
	d := &spanDevice{x.dev, x.module, x.stream}
	for _, model := range spanBenches {
		free := align.Free{}
		if model.span == align.EndsFree {
			free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
		}
		cpu := newSpanCPU(b, model.span, free, model.scoring)
		for _, set := range []struct{ length, count int }{{125, 1_000_000}, {150, 1_000_000}, {1000, 60_000}, {4000, 6000}, {20_000, 1056}} {
			for _, scoreOnly := range []bool{true, false} {
				kernels := d.kernels(b, cpu.model, scoreOnly)
				chosen := (&Set{Kernels: asKernels(kernels)}).Span(set.length, set.length)
				for i, k := range kernels {
					if i != chosen && os.Getenv("SPAN_ALL") == "" || !k.Takes(set.length, set.length, 0) {
						continue
					}
					b.Run(fmt.Sprintf("%s/%d/%s", model.name, set.length, k.name()), func(b *testing.B) {
						d.bench(b, x, k, cpu, set.length, set.count)
					})
				}
			}
		}
	}
}

func asKernels(all []*spanned) (kernels []Kernel) {
	for _, k := range all {
		kernels = append(kernels, k)
	}
	return kernels
}

func (d *spanDevice) bench(b *testing.B, clock *bench, k *spanned, cpu *spanCPU, length, count int) {
	g, err := simulate.New(simulate.Options{Length: length, ErrorRate: 0.05, Seed: 5})
	clock.must(err)
	free, _, err := d.dev.Memory()
	clock.must(err)
	width := k.stripes(length) * k.width()
	group := Group{Count: count, Pattern: 2 * length, Text: width}
	plan, _, err := k.Plan(group, 0)
	clock.must(err)
	count = min(count, int(free)*7/10/plan.PerTask)
	pairs := make([]letterPair, count)
	for i := range pairs {
		if i >= 20_000 { // they take long to make
			pairs[i] = pairs[i-20_000]
			continue
		}
		p, t := g.Next()
		if os.Getenv("UNRELATED") != "" {
			p = bytes.Clone(p)
			_, t = g.Next()
		}
		pairs[i] = letterPair{string(p), string(t[:min(len(t), width)])}
	}
	const cigars = 256 << 20
	m := d.prepare(b, k, pairs, cigars)
	defer m.free()
	seconds, tracing := 0.0, 0.0
	for b.Loop() {
		m.clear()
		clock.clock.Reset()
		m.must(k.Launch(d.stream, m.params, m.group, m.plan))
		took, err := clock.clock.Took()
		m.must(err)
		seconds += took.Seconds()
		clock.clock.Reset()
		m.must(k.Trace(d.stream, m.params, m.group, m.plan))
		if took, err = clock.clock.Took(); err == nil {
			tracing += took.Seconds()
		}
	}
	runs := float64(b.N)
	b.ReportMetric(runs*m.cells/seconds/1e12, "TCUPS")
	b.ReportMetric(runs*m.cells/(seconds+tracing)/1e12, "traced")
	b.ReportMetric(seconds/runs*1e3, "ms")
	b.ReportMetric(tracing/runs*1e3, "trace-ms")
	b.ReportMetric(float64(count), "pairs")
	b.ReportMetric(seconds/runs/k.Work(length, length, 0, 0)/float64(count)*1e12, "ps/work")
	b.ReportMetric(0, "ns/op")
	results := read[abi.Result](m, m.params.Results, count)
	var elements []uint32
	if k.bits > 0 {
		elements = read[uint32](m, m.params.Cigars, int(read[uint32](m, m.params.Used, 1)[0]))
	}
	for i := range min(count, max(1, 40_000_000/length/length)) {
		if length > 5000 {
			break // takes long
		}
		cost, want, _ := cpu.align(b, pairs[i])
		r := results[i]
		if int(r.Score) != cost {
			b.Fatalf("pair %d: cost %d, want %d", i, r.Score, cost)
		}
		if k.bits == 0 {
			continue
		}
		c := elements[r.Cigar+spanPositions : r.Cigar+r.CigarLength]
		if !slices.Equal(c, unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(want))), len(want))) {
			b.Fatalf("pair %d: %v, want %v", i, cigar.CIGAR(unsafe.Slice((*cigar.Elem)(unsafe.SliceData(c)), len(c))), want)
		}
	}
	for i, r := range results {
		if r.Score < 0 || r.Flags != 0 || i >= 20_000 && r.Score != results[i-20_000].Score {
			b.Fatalf("pair %d: score %d, flags %#x", i, r.Score, r.Flags)
		}
	}
}
