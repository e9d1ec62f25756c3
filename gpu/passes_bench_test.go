package gpu

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/abi"
)

// launches counts the tasks of an emulated GPU by kernel, and the cells of the bands that gotoh kernels compute.
type launches struct {
	mu    sync.Mutex
	tasks map[string]int
	cells map[string]float64
}

func (l *launches) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tasks, l.cells = map[string]int{}, map[string]float64{}
}

func (l *launches) observe(kernel string, a *abi.Params) {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := kernel
	if strings.Contains(kernel, "_block_20_") {
		name = fmt.Sprintf("%s of %d threads", kernel, a.PairThreads)
	}
	l.tasks[name] += int(a.Count)
	if !strings.HasPrefix(kernel, "wfa_gotoh") || !strings.HasSuffix(kernel, "_checkpoints") && !strings.HasSuffix(kernel, "_score") {
		return
	}
	for _, t := range unsafe.Slice(*(**abi.Task)(unsafe.Pointer(&a.Tasks)), a.Count) {
		steps := t.PatternLength + (t.TextLength-1)/a.PairWords + 1
		l.cells[name] += float64(steps) * float64(2*a.PairThreads*a.PairWords)
	}
}

// report logs a line for each kernel, that with the most cells first, and returns the cells of all.
func (l *launches) report(b *testing.B, pairs int) (all float64) {
	kernels := slices.SortedFunc(maps.Keys(l.tasks), func(x, y string) int {
		return cmp.Or(cmp.Compare(l.cells[y], l.cells[x]), cmp.Compare(l.tasks[y], l.tasks[x]))
	})
	for _, k := range kernels { // others than gotoh ones have no cells
		all += l.cells[k]
		cells := strings.Repeat(" ", len("1234.567 M cells/pair"))
		if l.cells[k] > 0 {
			cells = fmt.Sprintf("%8.3f M cells/pair", l.cells[k]/float64(pairs)/1e6)
		}
		b.Logf("%s %8d tasks  %s", cells, l.tasks[k], k)
	}
	return all
}

// BenchmarkPasses shows which kernels align the pairs of the real read sets, on an emulated GPU: how many tasks each has, and how many cells
// the bands of the matrix have. An operation is a batch of PAIRS pairs, 100 without that variable. An engine learns from one batch for
// the next; of several ones the first is not counted. FLANK is the longest one of random flanks around targets, of 10 letters at least,
// for ends-free alignments, and PENALTIES are x,o,e.
//
//	go test ./gpu -v -run '^$' -bench Passes/ont_r94 -benchtime 4x
func BenchmarkPasses(b *testing.B) {
	names, load := aligntest.RealSets(b)
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return otherwise
	}
	pairs, flank := number("PAIRS", 100), number("FLANK", 0)
	o := Options{Penalties: aligntest.PenaltiesOfEnvironment(b, align.DefaultPenalties)}
	if flank > 0 {
		o.Span, o.Free = align.EndsFree, align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	}
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(7, 8))
			cases := load(b, name).Cases
			if flank > 0 {
				for i := range cases {
					cases[i].Text = flanked(r, cases[i].Text, max(flank, 10))
				}
			}
			var seen launches
			seen.reset()
			e := openEmulatedWith(b, 8<<30, o, seen.observe)
			counted := 0
			for i := range b.N {
				if i == 1 {
					seen.reset()
					counted = 0
				}
				batch := &align.Batch{}
				for k := range pairs {
					c := &cases[(i*pairs+k)%len(cases)]
					batch.Pairs = append(batch.Pairs, align.Pair{Pattern: c.Pattern, Text: c.Text})
				}
				if err := e.AlignBatch(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
				counted += pairs
			}
			b.ReportMetric(seen.report(b, counted)/float64(counted), "cells/pair")
		})
	}
}
