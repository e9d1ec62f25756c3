package gpu

import (
	"strings"

	"wfagpu/gpu/internal/abi"
)

// gotohCertified is the score that GotohBand of cuda/gotohband.cuh certifies for a task, negative
// if the band lacks the end cell.
func gotohCertified(a *abi.Params, p *abi.Task) int {
	lanes, columns := int(a.PairThreads), int(a.PairWords)
	if int(p.TextLength) <= 2*lanes*columns {
		return 1 << 30
	}
	apart := int(max(p.TextLength-p.PatternLength, p.PatternLength-p.TextLength))
	beside := 2*lanes*(columns+1) - columns - 1 - apart
	if beside < 0 {
		return -1
	}
	return 2*int(a.GapOpen) + int(a.GapExtend)*(2*(beside/2+1)+apart) - 1
}

// gotohMemory returns the words of a task's letters and of what is stored of it.
func gotohMemory(a *abi.Params, p *abi.Task, stores bool) (letters, stored int) {
	lanes, columns := int(a.PairThreads), int(a.PairWords)
	pad := (2*lanes + columns + 8 + 15) &^ 15
	letters = (2*pad + (int(p.PatternLength)+15)&^15) / 4
	steps := int(p.PatternLength) + (int(p.TextLength)-1)/columns + 1
	if stores {
		stored = 4 + (steps/4+2)*4*lanes + (steps/8+1)*lanes*columns
	}
	return letters, stored
}

// fakeGotoh is a kernel of cuda/gotoh.cuh. It reports an upper bound of a score above the bound.
func fakeGotoh(a *fakeLaunch) {
	must(a.shared == 0, "shared memory for a kernel that uses none")
	must(a.block == max(int(a.PairThreads), 32), "blocks of %d threads for pairs of %d lanes", a.block, a.PairThreads)
	must(a.RowStride%4 == 0 && a.Rows%16 == 0, "memory that does not begin at 16 bytes")
	must(2*int(a.GapExtend)*2*int(a.PairThreads*a.PairWords)+2*int(a.GapOpen) <= 44_000, "values beyond 16 bits")
	stores := strings.HasSuffix(a.name, "_checkpoints")
	deviceSlice[uint32](a, "spare memory", a.Rows, int(a.Count)*int(a.RowStride)+2048)
	a.eachTask(func(at int, p *abi.Task, r *abi.Result) {
		letters, stored := gotohMemory(a.Params, p, stores)
		must(letters <= int(a.LetterWords), "%d words for letters of %d", a.LetterWords, letters)
		memory := a.rows(at, int(a.LetterWords)+stored)
		memory[0], memory[len(memory)-1] = ^uint32(0), ^uint32(0)
		certified := gotohCertified(a.Params, p)
		score := a.align(p, stores).score
		if stores {
			memory[a.LetterWords] = rowTag(at, score, certified, int(a.PairThreads), int(a.PairWords))
		}
		switch bound := min(certified, int(p.Bound), int(a.MaxScore)); {
		case certified < 0:
			*r = abi.Result{Score: -1}
		case score > bound:
			*r = abi.Result{Score: -1, Cigar: uint32(score + score/64)}
		default:
			*r = abi.Result{Score: int32(score)}
		}
	})
}

// traceGotoh is a kernel of cuda/gotohtrace.cuh.
func traceGotoh(a *fakeLaunch, at int, p *abi.Task, room []uint32) (elements int) {
	score := int(a.result(at).Score)
	tag := rowTag(at, score, gotohCertified(a.Params, p), int(a.PairThreads), int(a.PairWords))
	must(a.rows(at, int(a.LetterWords)+1)[a.LetterWords] == tag, "what is stored of pair %d is not its own", at)
	return fill(room, a.align(p, true).cigar)
}
