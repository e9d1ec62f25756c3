package kernel

import (
	"math"
)

func loadGotoh(f *Family, l *loader) ([]Kernel, error) {
	return loadGotohs(gotoh{family: f, longest: gotohLongest}, gotohShapes, l)
}

// loadGotohFree loads kernels for patterns within texts, of which all letters before the pattern and behind it are
// free and cost nothing.
func loadGotohFree(f *Family, l *loader) ([]Kernel, error) {
	longest := l.withinTexts()
	if longest == 0 {
		return nil, nil
	}
	return loadGotohs(gotoh{family: f, gotohBand: gotohBand{free: true}, longest: min(longest, gotohLongest)}, gotohFreeShapes, l)
}

// loadGotohs loads kernels of some shapes, which have the fields of base.
func loadGotohs(base gotoh, shapes []gotohShape, l *loader) ([]Kernel, error) {
	f, p := base.family, l.Penalties
	base.penalties, base.sms = p, l.device.SMs
	if !gotohCells(p) {
		return nil, nil
	}
	if !l.ScoreOnly && !gotohTraces(p) {
		return nil, nil
	}
	var kernels []Kernel
	for _, s := range shapes {
		k := base
		k.columns = s.columns
		var err error
		if k.kernel, err = l.function(gotohName(f, s, l.ScoreOnly)); err != nil {
			return nil, err
		}
		if !l.ScoreOnly {
			if k.trace, err = l.function("wfa_" + f.Name + "_trace"); err != nil {
				return nil, err
			}
		}
		if s.seeded() {
			if k.seeds, err = l.function("wfa_" + f.Name + "_seeds"); err != nil {
				return nil, err
			}
		}
		switch {
		case base.free && s.rimmed(p, l.ScoreOnly):
			k.outside, err = l.function("wfa_gotoh_free_outside")
		case !base.free && s.wide() && s.bordered(p):
			k.detours, err = l.function("wfa_gotoh_detours")
		}
		if err != nil {
			return nil, err
		}
		widths := []int{s.lanes}
		if s.lanes == 0 {
			widths = widths[:0]
			for warps := 2; warps <= gotohWarps; warps++ {
				widths = append(widths, 32*warps)
			}
		}
		for _, lanes := range widths {
			k := k
			k.lanes = lanes
			if !k.holds(1) {
				continue
			}
			if k.trace == nil && !k.holds(2) {
				k.outside = nil
			}
			k.cell = k.cellWork()
			kernels = append(kernels, &k)
		}
	}
	whole := math.MaxInt
	for _, k := range kernels {
		if k := k.(*gotoh); k.looks() {
			whole = min(whole, k.strips()*k.columns)
		}
	}
	for _, k := range kernels {
		k.(*gotoh).whole = whole
	}
	return kernels, nil
}
