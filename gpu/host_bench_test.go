package gpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
)

// hostBench is a batch that is larger than any cache, with a slot that takes its
// chunks in turn and results that are made up. It measures what the host does for
// a pair: with short pairs that bounds the rate.
type hostBench struct {
	s     *slot
	batch *align.Batch
	next  int // the first pair of the next chunk

	// Alignments as those of many slots, which no cache holds either.
	cigars [16][]uint32
	turn   int
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
			s, err := e.acquire(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			defer func() { e.slots <- s }()
			r := rand.New(rand.NewPCG(7, 8))
			h := &hostBench{s: s, batch: readsInOneBuffer(b, r, 1<<20, set.shortest, set.spread)}
			for range 10 * enough {
				s.pass.seen.add(madeUpScore(r), 150, lengthClass(150))
			}
			e.estimate.learn(&s.pass.seen)
			e.estimate.rates(&s.chunk.rates)
			h.stage()
			h.next = 0
			for i := range h.cigars {
				h.cigars[i] = make([]uint32, 20*chunkPairs)
				for j := range h.cigars[i] {
					h.cigars[i][j] = uint32(j)
				}
			}
			for i := range s.mem.results { // in no order, as tracebacks end
				at := 20 * r.IntN(chunkPairs)
				s.mem.results[i] = abi.Result{Score: int32(madeUpScore(r)), Cigar: uint32(at), CigarLength: uint32(15 + r.IntN(5))}
			}
			s.mem.used[0] = 20 * chunkPairs
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

// stage stages and plans the next chunk.
func (h *hostBench) stage() []group {
	from := h.next
	to := cut(h.batch.Pairs, from)
	to = h.s.chunk.stage(h.batch, from, to)
	if h.next = to; h.next == len(h.batch.Pairs) {
		h.next = 0
	}
	return h.s.pass.planner.plan(h.s.pass.planner.withRoom())
}

// perPair reports the time of a pair, of chunks that b.Loop has counted.
func perPair(b *testing.B, pairs int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(pairs), "ns/pair")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkStage measures all that is done before kernels are launched.
func BenchmarkStage(b *testing.B) {
	benchmarkHost(b, false, func(b *testing.B, h *hostBench) {
		pairs := 0
		for b.Loop() {
			h.stage()
			pairs += len(h.s.chunk.index)
		}
		perPair(b, pairs)
	})
}

// BenchmarkCut measures what goroutines that share a batch do one at a time.
func BenchmarkCut(b *testing.B) {
	benchmarkHost(b, false, func(b *testing.B, h *hostBench) {
		pairs, from := 0, 0
		for b.Loop() {
			to := cut(h.batch.Pairs, from)
			pairs += to - from
			if from = to; from == len(h.batch.Pairs) {
				from = 0
			}
		}
		perPair(b, pairs)
	})
}

// BenchmarkDecode measures what is done with results.
func BenchmarkDecode(b *testing.B) {
	for _, scoreOnly := range []bool{false, true} {
		b.Run(fmt.Sprintf("score=%v", scoreOnly), func(b *testing.B) {
			benchmarkHost(b, scoreOnly, func(b *testing.B, h *hostBench) {
				pairs := 0
				own := h.s.mem.cigars
				for b.Loop() {
					b.StopTimer()
					h.s.mem.cigars = own
					groups := h.stage()
					h.turn++
					h.s.mem.cigars = h.cigars[h.turn%len(h.cigars)]
					b.StartTimer()
					d := newDecoder(&h.s.chunk, &h.s.pass.seen, nil)
					for i := range groups {
						if err := d.decode(&groups[i]); err != nil {
							b.Fatal(err)
						}
					}
					pairs += len(h.s.chunk.index)
				}
				h.s.mem.cigars = own
				perPair(b, pairs)
			})
		})
	}
}
