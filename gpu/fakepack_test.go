package gpu

import (
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// code2 is the 2-bit code of a letter as it is, 4 for one outside ACGTU.
func code2(letter byte) uint32 {
	switch letter &^ 0x20 {
	case 'A':
		return 0
	case 'C':
		return 1
	case 'T', 'U':
		return 2
	case 'G':
		return 3
	}
	return 4
}

var packTable = func() (table [256]struct{ code, strange uint8 }) {
	for i := range table {
		table[i].code = uint8(i) >> 1 & 3
		if code2(byte(i)) > 3 {
			table[i].strange = 1
		}
	}
	return table
}()

// pack is wfa_pack, cuda/pack.cu.
func (g *fakeGPU) pack(pairs int, a *abi.Params) {
	must(pairs >= int(a.Count), "threads for %d pairs of %d", pairs, a.Count)
	for i := range uint32(a.Count) {
		p := g.pair(a, i)
		strange := g.packBases(a, p.Pattern, p.PatternLength) | g.packBases(a, p.Text, p.TextLength)
		*g.result(a, i) = abi.Result{Score: -1, Flags: abi.Flags(strange) * abi.FlagLetters}
	}
}

func (g *fakeGPU) packBases(a *abi.Params, at uint32, n int32) (strange uint8) {
	bases := g.bases(a, at, n)
	letters := deviceSlice[byte](g, "letters", a.Letters+driver.Ptr(abi.LettersPerWord*int(at)), abi.LettersPerWord*len(bases))
	for w := range bases {
		word := uint32(0)
		for i, letter := range letters[abi.LettersPerWord*w:][:abi.LettersPerWord] {
			c := packTable[letter]
			word = word<<2 | uint32(c.code)
			if abi.LettersPerWord*w+i < int(n) {
				strange |= c.strange
			}
		}
		bases[w] = word
	}
	return strange
}
