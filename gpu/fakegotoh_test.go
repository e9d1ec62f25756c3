package gpu

import (
	"strings"

	"wfagpu/gpu/internal/abi"
)

// gotohCertified is the score that GotohBand of cuda/gotohband.cuh certifies by gaps for a task, negative
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
	letters = (2*pad+(int(p.PatternLength)+15)&^15)/4 + 4
	steps := int(p.PatternLength) + (int(p.TextLength)-1)/columns + 1
	if stores {
		stored = 4 + (steps/4+2)*4*lanes + (steps/8+1)*lanes*columns
	}
	return letters, stored
}

// fakeSeeds is a kernel of cuda/brokenseeds.cuh. It leaves the share of a pair's score that is
// slack, in 255ths, where the kernels have what an alignment costs that leaves the band.
func fakeSeeds(a *fakeLaunch) {
	must(a.shared == 0 && a.block == 32 && a.grid <= int(a.Count), "%d blocks of %d threads", a.grid, a.block)
	must(a.BrokenSeeds == 1, "seeds are counted that are not used")
	for at := range a.tasks() {
		p := &a.tasks()[at]
		a.rows(at, int(a.LetterWords))[a.LetterWords-4] = slackOf(p)
	}
}

// rimsTag is what the fake kernel leaves that looks outside of bands, less the number of the pair.
const rimsTag = 0x5eed0000

// slackOf returns the share that the fake kernels have for a pair: much the same for most, all for some.
func slackOf(p *abi.Task) uint32 {
	hash := uint32(p.PatternLength)*2654435761 + uint32(p.TextLength)*40503
	if hash>>8%16 == 0 {
		return 255
	}
	return 100 + hash>>12%40
}

// exceeds reports whether results of the launch may have scores above bounds: of cuda/gotoh.cuh, without free ends.
func (a *fakeLaunch) exceeds() bool {
	return strings.Contains(a.name, "gotoh") && !strings.Contains(a.name, "free")
}

// fakeGotoh is a kernel of cuda/gotoh.cuh. It reports an upper bound of a score above the bound,
// and its slack where the band does not certify the bound.
func fakeGotoh(a *fakeLaunch) {
	must(a.shared == 0, "shared memory for a kernel that uses none")
	must(a.block == max(int(a.PairThreads), 32), "blocks of %d threads for pairs of %d lanes", a.block, a.PairThreads)
	must(a.RowStride%4 == 0 && a.Rows%16 == 0, "memory that does not begin at 16 bytes")
	must(2*int(a.GapExtend)*2*int(a.PairThreads*a.PairWords)+2*int(a.GapOpen) <= 44_000, "values beyond 16 bits")
	stores := strings.HasSuffix(a.name, "_checkpoints")
	deviceSlice[uint32](a, "spare memory", a.Rows, int(a.Count)*int(a.RowStride)+2048)
	a.eachTask(func(at int, p *abi.Task, r *abi.Result) {
		letters, stored := gotohMemory(a.Params, p, stores)
		must(letters+int(a.EdgeWords) <= int(a.LetterWords), "%d words for letters of %d, %d at the edges", a.LetterWords, letters, a.EdgeWords)
		memory := a.rows(at, int(a.LetterWords)+stored)
		rimmed := a.EdgeWords > 0 && strings.Contains(a.name, "free")
		if rimmed {
			rims := &memory[a.LetterWords-4-a.EdgeWords]
			must(*rims == rimsTag+uint32(at), "nobody has looked outside of the band of pair %d", at)
			*rims = 0
		}
		memory[0], memory[a.LetterWords-5] = ^uint32(0), ^uint32(0)
		if stores {
			memory[len(memory)-1] = ^uint32(0)
		}
		certified := gotohCertified(a.Params, p)
		rimmed = rimmed && int(p.TextLength) > 2*int(a.PairThreads*a.PairWords)
		score := a.align(p, stores).score
		upper, share := score+score/64, uint32(255)
		if a.BrokenSeeds != 0 {
			share = memory[a.LetterWords-4]
			must(share == slackOf(p), "the seeds of pair %d have not been counted", at)
			certified = max(certified, certified*255/int(share))
		}
		if stores {
			memory[a.LetterWords] = rowTag(at, score, gotohCertified(a.Params, p), int(a.PairThreads), int(a.PairWords))
		}
		wanted := min(int(p.Bound), int(a.MaxScore))
		if rimmed && certified >= 0 && certified < wanted { // rims certify some of them
			if p.PatternLength%2 == 1 {
				certified, share = wanted, share/2+1
			} else if score <= wanted {
				*r = abi.Result{Score: -1, Cigar: uint32(wanted), CigarLength: uint32(wanted)*share/255 + 1}
				return
			}
		}
		bound := min(certified, wanted)
		if a.exceeds() && p.Final == 0 {
			bound = certified
		}
		switch {
		case certified < 0:
			*r = abi.Result{Score: -1}
		case score > bound:
			*r = abi.Result{Score: -1, Cigar: uint32(upper)}
			if certified < wanted {
				r.CigarLength = uint32(upper)*share/255 + 1
			}
		default:
			*r = abi.Result{Score: int32(score)}
			if a.BrokenSeeds != 0 {
				r.Flags = abi.Flags(share) << abi.FlagSlackShift
			}
		}
	})
}

// fakeDetours is a kernel of cuda/detours.cuh. It makes results of half of the scores that bands have not certified.
func fakeDetours(a *fakeLaunch) {
	must(a.shared == 0 && a.block%32 == 0 && a.block <= 256 && a.grid <= int(a.Count), "%d blocks of %d threads", a.grid, a.block)
	must(a.BrokenSeeds == 1 && a.EdgeWords > 0, "%d words at the edges", a.EdgeWords)
	columns := int(a.PairWords)
	for at := range a.tasks() {
		p, r := &a.tasks()[at], a.result(at)
		if int(p.TextLength) <= 2*int(a.PairThreads)*columns {
			continue // no strip comes
		}
		come := (int(p.PatternLength)+int(p.TextLength)/columns)/(columns+1) + 1
		words := 6*come + int(p.PatternLength)/64 + int(p.TextLength)/64 + 2
		must(words <= int(a.EdgeWords), "%d words at the edges for %d strips", a.EdgeWords, come)
		if r.Score >= 0 || r.CigarLength == 0 || p.PatternLength%2 == 0 {
			continue
		}
		if score := a.align(p, false).score; p.Final == 0 || score <= min(int(p.Bound), int(a.MaxScore)) {
			*r = abi.Result{Score: int32(score), Flags: abi.Flags(slackOf(p)/2) << abi.FlagSlackShift}
		}
	}
}

// fakeOutside is a kernel of cuda/outside.cuh.
func fakeOutside(a *fakeLaunch) {
	must(a.shared == 0 && a.block%32 == 0 && a.block <= 256 && a.grid <= int(a.Count), "%d blocks of %d threads", a.grid, a.block)
	must(a.BrokenSeeds == 1 && a.EdgeWords > 0, "%d words for rims", a.EdgeWords)
	for at := range a.tasks() {
		p := &a.tasks()[at]
		memory := a.rows(at, int(a.LetterWords))
		must(memory[a.LetterWords-4] == slackOf(p), "the seeds of pair %d have not been counted", at)
		must(1+2*(int(p.PatternLength)/64+1) <= int(a.EdgeWords), "%d words for the rims of %d letters", a.EdgeWords, p.PatternLength)
		memory[a.LetterWords-4-a.EdgeWords] = rimsTag + uint32(at)
	}
}

// traceGotoh is a kernel of cuda/gotohtrace.cuh.
func traceGotoh(a *fakeLaunch, at int, p *abi.Task, room []uint32) (elements int) {
	score := int(a.result(at).Score)
	tag := rowTag(at, score, gotohCertified(a.Params, p), int(a.PairThreads), int(a.PairWords))
	must(a.rows(at, int(a.LetterWords)+1)[a.LetterWords] == tag, "what is stored of pair %d is not its own", at)
	return fill(room, a.align(p, true).cigar)
}
