package gpu

import (
	"cmp"
	"math"
	"slices"
)

// tally counts tasks by launch group before there are places for them.
type tally struct {
	groups []launchGroup
	// at is, by variant and class, where the group is in groups; 0 for none,
	// and one more otherwise.
	at [math.MaxUint8 + 1][lengthClasses]uint16
}

func (y *tally) clear() {
	for i := range y.groups {
		g := &y.groups[i]
		y.at[g.variant][g.class] = 0
	}
	y.groups = y.groups[:0]
}

// group returns the group of some tasks.
func (y *tally) group(variant, class uint8) *launchGroup {
	at := &y.at[variant][class]
	if *at == 0 {
		y.groups = append(y.groups, launchGroup{variant: variant, class: class})
		*at = uint16(len(y.groups))
	}
	return &y.groups[*at-1]
}

// add counts tasks of one limit and one pair of lengths.
func (y *tally) add(variant, class uint8, count, limit, text, pattern int) {
	g := y.group(variant, class)
	g.count += count
	g.maxScore = max(g.maxScore, limit)
	g.text = max(g.text, text)
	g.pattern = max(g.pattern, pattern)
}

// sort puts costly kernels and long pairs first.
func (y *tally) sort() {
	slices.SortFunc(y.groups, func(a, b launchGroup) int { // general is the highest number
		return cmp.Or(cmp.Compare(b.variant, a.variant), cmp.Compare(b.class, a.class))
	})
	for i := range y.groups {
		g := &y.groups[i]
		y.at[g.variant][g.class] = uint16(i + 1)
	}
}
