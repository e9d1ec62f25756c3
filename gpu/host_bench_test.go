package gpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/memory"
)

// hostBench is a batch that is larger than any cache, staged load by load, and results
// that are made up. It measures what the host does for a pair: with short pairs that
// bounds the rate.
type hostBench struct {
	e     *Engine
	s     *stager
	bases []uint32
	call  *call
	next  int // the first pair of the next load

	// Alignments as those of many launches, which no cache holds either.
	cigars  [16][]uint32
	results []abi.Result
	turn    int
}

// hostSets are kinds of short pairs: reads of one length, and of many.
var hostSets = []struct {
	name             string
	shortest, spread int
}{{"150", 150, 0}, {"100-200", 100, 101}}

func benchmarkHost(b *testing.B, scoreOnly bool, measure func(b *testing.B, h *hostBench)) {
	for _, set := range hostSets {
		b.Run(set.name, func(b *testing.B) {
			e := openOnFake(b, newFakeGPU(b, 2000), Options{ScoreOnly: scoreOnly})
			r := rand.New(rand.NewPCG(7, 8))
			var seen estimate.Observations
			for range 10 * estimate.Enough {
				seen.Add(madeUpScore(r), 150, estimate.LengthClass(150))
			}
			e.estimate.Learn(&seen)
			h := &hostBench{e: e, call: testCall(readsInOneBuffer(b, r, 1<<20, set.shortest, set.spread))}
			h.s, h.bases = testStager(e)
			h.stage()
			h.next = 0
			for i := range h.cigars {
				h.cigars[i] = make([]uint32, 20*launchTasks)
				for j := range h.cigars[i] {
					h.cigars[i][j] = uint32(j)
				}
			}
			h.results = make([]abi.Result, launchTasks)
			for i := range h.results { // in no order, as tracebacks end
				at := 20 * r.IntN(launchTasks)
				h.results[i] = abi.Result{Score: int32(madeUpScore(r)), Cigar: uint32(at), CigarLength: uint32(15 + r.IntN(5))}
			}
			measure(b, h)
		})
	}
}

// readsInOneBuffer simulates pairs, one behind the other as a reader leaves them.
func readsInOneBuffer(b *testing.B, r *rand.Rand, count, shortest, spread int) *align.Batch {
	var generators []*simulate.Generator
	for i := range max(spread, 1) {
		g, err := simulate.New(simulate.Options{Length: shortest + i, ErrorRate: 0.05, Seed: uint64(i)})
		if err != nil {
			b.Fatal(err)
		}
		generators = append(generators, g)
	}
	letters := make([]byte, 0, 2*count*(shortest+spread+40))
	keep := func(s []byte) []byte {
		from := len(letters)
		letters = append(letters, s...)
		return letters[from:len(letters):len(letters)]
	}
	batch := &align.Batch{First: 1}
	for range count {
		p, q := generators[r.IntN(len(generators))].Next()
		batch.Pairs = append(batch.Pairs, align.Pair{Pattern: keep(p), Text: keep(q)})
	}
	batch.PrepareResults()
	for i := range batch.Results { // storage of an earlier use
		batch.Results[i].CIGAR = make(cigar.CIGAR, 0, 24)
	}
	return batch
}

func madeUpScore(r *rand.Rand) int { return max(int(24.5+8*r.NormFloat64()), 0) }

// stage stages the next load.
func (h *hostBench) stage() {
	from := h.next
	to, _ := cut(h.call.batch.Pairs, from)
	h.next = h.s.stage(h.call, h.bases, from, to)
	if h.next == len(h.call.batch.Pairs) {
		h.next = 0
	}
}

// load makes a load of what was staged.
func (h *hostBench) load() (*load, []group) { return h.s.load(h.call, memory.Span{}) }

// perPair reports the time of a pair, of loads that b.Loop has counted.
func perPair(b *testing.B, pairs int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(pairs), "ns/pair")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkStage measures all that is done before tasks are queued, but for copies.
func BenchmarkStage(b *testing.B) {
	benchmarkHost(b, false, func(b *testing.B, h *hostBench) {
		pairs := 0
		for b.Loop() {
			h.stage()
			pairs += len(h.s.todo)
			l, _ := h.load()
			giveTasks(l.tasks)
		}
		perPair(b, pairs)
	})
}

// BenchmarkCut measures what goroutines that share a batch do one at a time.
func BenchmarkCut(b *testing.B) {
	benchmarkHost(b, false, func(b *testing.B, h *hostBench) {
		pairs, from := 0, 0
		for b.Loop() {
			to, _ := cut(h.call.batch.Pairs, from)
			pairs += to - from
			if from = to; from == len(h.call.batch.Pairs) {
				from = 0
			}
		}
		perPair(b, pairs)
	})
}

// BenchmarkLaunch measures all that is done for tasks once they are queued, but for the
// driver: launches are formed, tasks written, results decoded.
func BenchmarkLaunch(b *testing.B) {
	for _, scoreOnly := range []bool{false, true} {
		b.Run(fmt.Sprintf("score=%v", scoreOnly), func(b *testing.B) {
			benchmarkHost(b, scoreOnly, func(b *testing.B, h *hostBench) {
				r := &runner{}
				r.policy = &h.e.policy
				tasks := make([]abi.Task, launchTasks)
				s := h.e.scheduler
				finished := make(chan struct{})
				s.release = func(l *load) {
					giveTasks(l.tasks)
					close(finished)
				}
				launches := make(chan *launch)
				s.execute = func(l *launch) { launches <- l }
				pairs := 0
				for b.Loop() {
					b.StopTimer()
					h.stage()
					l, groups := h.load()
					pairs += l.open
					finished = make(chan struct{})
					b.StartTimer()
					s.add(l, groups, h.s.rates)
					for open := true; open; {
						select {
						case l := <-launches:
							r.begin(h.s.rates, h.s.maxBounds)
							r.writeTasks(l, tasks)
							h.turn++
							if err := r.decode(l, h.results[:l.group.Count], h.cigars[h.turn%len(h.cigars)]); err != nil {
								b.Fatal(err)
							}
							s.finish(l, nil, nil, &r.stats, func() {})
						case <-finished:
							open = false
						}
					}
				}
				perPair(b, pairs)
			})
		})
	}
}
