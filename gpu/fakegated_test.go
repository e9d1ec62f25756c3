package gpu

import (
	"hash/fnv"
	"slices"
	"sync/atomic"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
)

// gatedOutcome is what a gated pass finds.
type gatedOutcome int

const (
	gatedFinds   gatedOutcome = iota // an alignment
	gatedOpens                       // one with open parts
	gatedBounds                      // an upper bound of the score
	gatedNothing                     // nothing
	gatedOutcomes
)

// The fake gated kernel cuts alignments in the middle of runs of equal letters.
const gatedRun = 60

// anyOutcome makes outcomes of all kinds.
func anyOutcome(hash uint32) gatedOutcome { return gatedOutcome(hash % uint32(gatedOutcomes)) }

// always makes outcomes of one kind.
func always(o gatedOutcome) func(uint32) gatedOutcome {
	return func(uint32) gatedOutcome { return o }
}

// gatedHash is a hash of a pair.
func gatedHash(pattern, text []byte) uint32 {
	h := fnv.New32a()
	h.Write(pattern)
	h.Write(text)
	return h.Sum32() >> 3
}

// fakeGated is wfa_gated, cuda/gated.cuh. It opens only parts whose own alignments are those that they have
// in the pair's. With scores alone, a pair with open parts has an upper bound.
func fakeGated(a *fakeLaunch) {
	rowBytes := 2 * 3 * 32 * (int(a.Span) + 1)
	must(a.block == 32 && a.shared >= max(8<<10, rowBytes+4*(2*int(a.Span)+1)), "blocks of %d threads, %d bytes of shared memory", a.block, a.shared)
	must(a.Scratch > 0 && int(a.RowStride) >= 8*int(a.Scratch)+cigarRoom(a.Params, a.MaxScore), "no memory for runs and elements")
	rows := deviceSlice[uint32](a, "rows", a.Rows, a.grid*int(a.RowStride))
	rows[0], rows[len(rows)-1] = ^uint32(0), ^uint32(0)
	cigars := deviceSlice[uint32](a, "cigars", a.Cigars, int(a.CigarCapacity))
	used := &deviceSlice[uint32](a, "used", a.Used, 1)[0]
	a.eachTask(func(_ int, p *abi.Task, r *abi.Result) {
		pattern := unpack(a.bases(p.Pattern, p.PatternLength), p.PatternLength)
		text := unpack(a.bases(p.Text, p.TextLength), p.TextLength)
		hash := gatedHash(pattern, text)
		found := a.align(p, true)
		score, most := found.score, found.score
		elements, flags := found.cigar, abi.Flags(0)
		outcome := a.gpu.gated(hash)
		if outcome == gatedOpens {
			o := opener{fakeLaunch: a, hash: hash}
			o.open(pattern, text, unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elements)), len(elements)))
			if o.parts > 0 {
				score, most, flags = score-o.cost, score-o.cost+o.most, abi.FlagOpen
				elements = unsafe.Slice((*uint32)(unsafe.SliceData(o.elements)), len(o.elements))
			}
		}
		switch {
		case outcome == gatedNothing:
			*r = abi.Result{Score: -1}
			return
		case outcome == gatedBounds || most > int(p.Bound):
			*r = abi.Result{Score: -1, Cigar: uint32(most)*(1+hash>>3&1) + 1 + hash%5} // some are far above the score
			return
		case len(cigars) == 0 && flags == abi.FlagOpen:
			*r = abi.Result{Score: -1, Cigar: uint32(most)}
			return
		}
		must(len(found.cigar)/2 <= int(a.Scratch), "%d runs in memory for %d", len(found.cigar)/2, a.Scratch)
		if len(cigars) == 0 {
			*r = abi.Result{Score: int32(score)}
			return
		}
		room := cigarRoom(a.Params, int32(most))
		must(len(elements) <= room, "%d elements in room for %d", len(elements), room)
		place := int(atomic.AddUint32(used, uint32(len(elements)))) - len(elements)
		must(place+len(elements) <= len(cigars), "%d elements of %d are in use", place+len(elements), len(cigars))
		copy(cigars[place:], elements)
		*r = abi.Result{Score: int32(score), Cigar: uint32(place), CigarLength: uint32(len(elements)), Flags: flags}
	})
}

// opener puts open parts in place of stretches of an alignment.
type opener struct {
	*fakeLaunch
	hash     uint32
	elements cigar.CIGAR // of the alignment with open parts
	parts    int
	cost     int // of the open parts
	most     int // sum of their upper bounds
}

// open opens parts of an alignment: some of the stretches between the middles of long runs of equal letters,
// the beginning, and the end.
func (o *opener) open(pattern, text []byte, elements cigar.CIGAR) {
	var stretch cigar.CIGAR
	for _, e := range elements {
		if e.Op() != cigar.Match || e.Len() < gatedRun {
			stretch = stretch.AppendElem(e, e.Len())
			continue
		}
		half := e.Len() / 2
		stretch = stretch.AppendElem(e, half)
		n, m := stretch.QueryLen(), stretch.TargetLen()
		o.stretch(pattern[:n], text[:m], stretch)
		pattern, text = pattern[n:], text[m:]
		stretch = stretch[:0].AppendElem(e, e.Len()-half)
	}
	o.stretch(pattern, text, stretch)
}

// stretch opens a stretch, or appends it as it is.
func (o *opener) stretch(pattern, text []byte, elements cigar.CIGAR) {
	o.hash = o.hash*1664525 + 1013904223
	if len(elements) > 1 && o.hash>>30 > 0 && len(pattern) > 0 && len(text) > 0 {
		aligner, done := idleAligner(align.Options{Penalties: penaltiesOf(o.Params), Memory: 1 << 30})
		defer done()
		score, alone, err := aligner.Align(pattern, text, nil)
		must(err == nil, "%v", err)
		if slices.Equal(alone, elements) {
			// An open part may take two elements more than its alignment, which have room then.
			most := score + int(min(o.Mismatch, o.GapOpen+o.GapExtend))*int(1+o.hash>>20&3)
			o.elements = append(o.elements, cigar.Elem(len(pattern)<<4|abi.OpenPattern), cigar.Elem(len(text)<<4|abi.OpenText), cigar.Elem(most<<4|abi.OpenCost))
			o.parts, o.cost, o.most = o.parts+1, o.cost+score, o.most+most
			return
		}
	}
	o.elements = align.Joined(o.elements, elements)
}
