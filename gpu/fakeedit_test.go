package gpu

import (
	"fmt"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/abi"
)

// editFamilies are those for edit distance, with the general kernel for other pairs.
const editFamilies = "edit general adaptive_rings adaptive_block"

// editBand is EditBand of cuda/editband.cuh: the distance that the band of a task certifies,
// negative if the band lacks the end cell, and its stages.
func editBand(a *abi.Params, p *abi.Task) (certified, stages int) {
	lanes, words := int(a.PairThreads), int(a.PairWords)
	text, pattern := int(p.TextLength), int(p.PatternLength)
	last := (pattern - 1) / (32 * words)
	stages = (text+31)/32 + last
	if last < lanes {
		return 1 << 30, stages
	}
	end, skew, spread := text-pattern, -text&31, lanes*(words+1)-words
	first := (end + 2*skew - 32*spread + 32) >> 6
	below, above := skew-32*first, 32*(first+spread)-skew
	if above < max(end, 0) || below < max(-end, 0) {
		return -1, stages
	}
	return min(2*above+2-end, 2*below+2+end) - 1, stages
}

// fakeEdit is a kernel of cuda/edit.cuh. It reports an upper bound of a distance
// above the bound, unless no other pass follows.
func fakeEdit(a *fakeLaunch) {
	must(a.shared == 0, "shared memory for a kernel that uses none")
	must(a.block == max(int(a.PairThreads), 32), "blocks of %d threads for pairs of %d lanes", a.block, a.PairThreads)
	must(penaltiesOf(a.Params) == align.EditPenalties, "penalties %v", penaltiesOf(a.Params))
	must(a.RowStride%2 == 0 && a.Rows%16 == 0, "memory that does not begin at 8 bytes")
	stores := strings.HasSuffix(a.name, "_rows")
	a.eachTask(func(at int, p *abi.Task, r *abi.Result) {
		certified, stages := editBand(a.Params, p)
		score := a.align(p, stores).score
		if stores {
			memory := a.rows(at, stages*int(a.PairThreads)*(2*int(a.PairWords)+2))
			memory[len(memory)-1] = ^uint32(0)
			memory[0] = rowTag(at, score, certified, int(a.PairThreads), int(a.PairWords))
		}
		switch bound := min(certified, int(p.Bound), int(a.MaxScore)); {
		case certified < 0:
			*r = abi.Result{Score: -1}
		case score > bound && p.Final != 0:
			*r = abi.Result{Score: -1}
		case score > bound:
			*r = abi.Result{Score: -1, Cigar: uint32(score + score/64)}
		default:
			*r = abi.Result{Score: int32(score)}
		}
	})
}

// traceEdit is a kernel of cuda/edittrace.cu.
func traceEdit(a *fakeLaunch, at int, p *abi.Task, room []uint32) (elements int) {
	score := int(a.result(at).Score)
	certified, _ := editBand(a.Params, p)
	tag := rowTag(at, score, certified, int(a.PairThreads), int(a.PairWords))
	must(a.rows(at, 1)[0] == tag, "the tiles of pair %d are not the ones stored", at)
	return fill(room, a.align(p, true).cigar)
}

// Edit distance of pairs of all sorts is computed by the edit family: short and long, few and many
// differences, with bounds too low and too high, and cutoffs.
func TestEditOnFake(t *testing.T) {
	b := mixedPairs(t, 150, 7)
	for i, length := range []int{150, 1000, 4000, 20_000} {
		for j, rate := range []float64{0.02, 0.1} {
			b.Pairs = append(b.Pairs, simulated(t, max(2, 20_000/length), simulate.Options{Length: length, ErrorRate: rate, Seed: uint64(10*i + j)}).Pairs...)
		}
	}
	for _, scoreOnly := range []bool{false, true} {
		for _, bound := range []ErrorBound{{}, {Score: 5}, {Score: 5000}} {
			for _, cutoff := range []int{0, 1, 2, 33, 1000} {
				if testing.Short() && (bound.Score > 0) != (cutoff == 0) {
					continue
				}
				t.Run(fmt.Sprintf("score=%v/%d/%d", scoreOnly, bound.Score, cutoff), func(t *testing.T) {
					o := align.Options{Penalties: align.EditPenalties, ScoreOnly: scoreOnly, Cutoff: cutoff}
					e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: o.Penalties, ScoreOnly: scoreOnly, Cutoff: cutoff, MaxError: bound, families: editFamilies})
					mustAlignAll(t, withCPU(t, e, o), b)
					wantAsOnCPU(t, o, b)
					wantBeyond(t, e, o, b)
					if s := e.Stats(); cutoff == 0 && s.Kernels["edit"] < int64(len(b.Pairs)*8/10) {
						t.Errorf("%+v", s)
					}
				})
			}
		}
	}
}

// Pairs whose tiles do not fit into the device's memory go to other kernels, or to the CPU, and
// all come to an end.
func TestEditLittleMemoryOnFake(t *testing.T) {
	b := simulated(t, 1, simulate.Options{Length: 150_000, ErrorRate: 0.3, Seed: 11})
	b.Pairs = append(b.Pairs, simulated(t, 10, simulate.Options{Length: 2000, ErrorRate: 0.3, Seed: 12}).Pairs...)
	for _, families := range []string{"edit general", "edit gotoh general adaptive_block"} {
		o := align.Options{Penalties: align.EditPenalties}
		e := openOnFake(t, newFakeGPU(t, 126), Options{Penalties: o.Penalties, families: families})
		mustAlignAll(t, withCPU(t, e, o), b)
		wantAsOnCPU(t, o, b)
		if s := e.Stats(); s.Kernels["edit"] != 10 {
			t.Errorf("%+v", s)
		}
	}
}
