package kernel

import (
	"slices"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

// outcome is what kernels make of a set.
type outcome struct {
	results []abi.Result
	cigars  []uint32
}

func (o *outcome) cigar(at int) []uint32 {
	r := o.results[at]
	return o.cigars[r.Cigar : r.Cigar+r.CigarLength]
}

// check compares an outcome with the first one, and the first with the CPU engine.
func (x *bench) check(b *testing.B, p align.Penalties, o *outcome, first **outcome, pairs []align.Pair, scoreOnly bool) {
	if *first == nil || !scoreOnly && (*first).cigars == nil {
		cpu, err := align.NewAligner(align.Options{Penalties: p})
		x.must(err)
		for i := range min(len(pairs), max(1, 3_000_000/len(pairs[0].Text)/100)) {
			if len(pairs[0].Text) > 200_000 {
				break // takes minutes
			}
			score, cigar, err := cpu.Align(pairs[i].Pattern, pairs[i].Text, nil)
			x.must(err)
			if r := o.results[i]; int(r.Score) != score && r.Score >= 0 {
				b.Fatalf("pair %d: score %d, want %d", i, r.Score, score)
			}
			if scoreOnly || o.results[i].Score < 0 {
				continue
			}
			want := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(cigar))), len(cigar))
			if !slices.Equal(o.cigar(i), want) {
				b.Fatalf("pair %d: another alignment than the CPU engine's", i)
			}
		}
		*first = o
		return
	}
	for i, r := range o.results {
		f := (*first).results[i]
		if r.Score != f.Score {
			b.Fatalf("pair %d: score %d, another kernel finds %d", i, r.Score, f.Score)
		}
		if r.Flags != 0 {
			b.Fatalf("pair %d: flags %#x", i, r.Flags)
		}
		if !scoreOnly && !slices.Equal(o.cigar(i), (*first).cigar(i)) {
			b.Fatalf("pair %d: another alignment than another kernel's", i)
		}
	}
}
