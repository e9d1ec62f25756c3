package gpu

import (
	"cmp"
	"slices"
)

// tally counts the tasks of a pass by group before they are sorted into groups.
type tally struct {
	groups []group
	// at is the index of a group plus one, by kernel and class; 0 is no group.
	at [maxKernels][lengthClasses]uint16
}

func (y *tally) clear() {
	for i := range y.groups {
		g := &y.groups[i]
		y.at[g.kernel][g.class] = 0
	}
	y.groups = y.groups[:0]
}

// group returns the group of tasks for a kernel and of a class.
func (y *tally) group(kernel, class uint8) *group {
	at := &y.at[kernel][class]
	if *at == 0 {
		y.groups = append(y.groups, group{kernel: kernel, class: class})
		*at = uint16(len(y.groups))
	}
	return &y.groups[*at-1]
}

// add counts tasks of one bound and one pair of lengths.
func (y *tally) add(kernel, class uint8, count, bound, text, pattern int) {
	g := y.group(kernel, class)
	g.Count += count
	g.Bound = max(g.Bound, bound)
	g.Text = max(g.Text, text)
	g.Pattern = max(g.Pattern, pattern)
}

// sort puts costly kernels, and among them long pairs, first.
func (y *tally) sort() {
	slices.SortFunc(y.groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.kernel, a.kernel), cmp.Compare(b.class, a.class))
	})
	for i := range y.groups {
		g := &y.groups[i]
		y.at[g.kernel][g.class] = uint16(i + 1)
	}
}
