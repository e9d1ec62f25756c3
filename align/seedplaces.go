package align

import (
	"iter"
	"math/bits"
	"unsafe"
)

// seedArgs is the argument of the routine that looks for the seeds of a pattern in a text, by their codes
// (codes). A seed has a place where its first code is, and its last one so many codes behind. The routine
// writes a block for each seed, of all, and each run of seedPlaces codes of the text that has places of it,
// in this order, and returns their number. It may write one block more. There are seedPlaces codes to be
// read behind n.
type seedArgs struct {
	text, pattern *byte // codes
	n             int   // of the text
	behind        int
	seeds, stride int // codes from a seed to the next one
	shift         int // codes of the text from where it is searched for a seed to where it is for the next one
	out           *seedBlock
}

// seedBlock has the places of a seed among seedPlaces of the text, a bit for each.
type seedBlock struct {
	places   uint64
	at, seed int32
}

// seedPlaces is the number of places of a block.
const seedPlaces = 64

func (a *seedArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }

// seedFinder looks for seeds.
type seedFinder struct {
	codes []byte // of the pattern
	found []seedBlock
	args  seedArgs
}

// find returns the blocks of places that n seeds of the pattern, of so many letters, may have in the text
// of c, in the order of the seeds.
func (f *seedFinder) find(k *lanesKernel, c *codes, pattern *sequence, letters, n int) []seedBlock {
	return f.run(k, c, pattern, seedArgs{text: &c.buf[0], n: c.text.n, behind: letters - codeLetters, seeds: n})
}

// findOn is find for places on some diagonals, no more than the margin of c below 0 nor above those of the last
// letters. The blocks count codes from the first one of these that a seed may have.
func (f *seedFinder) findOn(k *lanesKernel, c *codes, pattern *sequence, letters, n int, on diagonals) []seedBlock {
	return f.run(k, c, pattern, seedArgs{
		text: &c.room[c.margin+on.first], n: on.count(), behind: letters - codeLetters, seeds: n, shift: pattern.n / n,
	})
}

func (f *seedFinder) run(k *lanesKernel, c *codes, pattern *sequence, a seedArgs) []seedBlock {
	f.codes = roomFor(f.codes, pattern.n+2*seqPad)
	c.kern.codes(&f.codes[0], (*byte)(pattern.first()), pattern.n)
	f.found = roomFor(f.found, 1+a.seeds*(1+a.n/seedPlaces))
	f.args = a
	f.args.pattern, f.args.stride, f.args.out = &f.codes[0], pattern.n/a.seeds, &f.found[0]
	return f.found[:k.places(&f.args)]
}

// diagonals returns those of the places of a block, where letters are equal, not codes alone.
func (b *seedBlock) diagonals(pattern, text *sequence, letters, stride int) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		v, t := int(b.seed)*stride, text.first()
		word := load64(pattern.first(), v)
		for places := b.places; places != 0; places &= places - 1 {
			h := int(b.at) + bits.TrailingZeros64(places)
			if h >= 0 && h+letters <= text.n && (load64(t, h)^word)<<(64-8*letters) == 0 && !yield(int32(h-v)) {
				return
			}
		}
	}
}
