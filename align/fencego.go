package align

import "unsafe"

// openGo is the plain version of the routines for open bands.
func openGo(a *fenceArgs, lanes int) {
	bandGo(&a.bandArgs, lanes)
	a.setLeast(lanes)
}

// fenceGo is the plain version of the routines for fenced bands.
func fenceGo(a *fenceArgs, lanes int) {
	f := &fenceSteps{fenceArgs: a, events: unsafe.Slice(a.events, a.steps)}
	bandSteps(&a.bandArgs, lanes, f)
	for _, s := range []*int16{&a.fence.beforeLeft, &a.fence.inSeedLeft, &a.fence.beforeRight, &a.fence.inSeedRight, &a.fence.insRight} {
		*s = saturated(int(*s)+int(a.add), bandInf)
	}
	a.setLeast(lanes)
}

// setLeast writes the least H of each fenceLanes lanes.
func (a *fenceArgs) setLeast(lanes int) {
	even := unsafe.Slice(a.even, a.vectors*lanes)
	for i := range len(even) / fenceLanes {
		m := int16(bandInf)
		for _, h := range even[i*fenceLanes:][:fenceLanes] {
			m = min(m, h)
		}
		*(*uint16)(unsafe.Add(unsafe.Pointer(a.least), 2*i)) = uint16(int(m) + leastBias)
	}
}

// fenceSteps is what a fence adds to the steps of a band; nil adds nothing.
type fenceSteps struct {
	*fenceArgs
	events []fenceEvent
}

// saturated returns a cost as routines add them, most at the most.
func saturated(c, most int) int16 { return int16(min(max(c, -1<<15), most)) }

const mostState = 1<<15 - 1

// left computes step c on the left, where out leaves the band, and returns what comes in.
func (f *fenceSteps) left(c int, out int16) int16 {
	if f == nil {
		return bandInf
	}
	s, e := f.fence, &f.events[c].left
	s.inSeedLeft = min(s.inSeedLeft+f.match, out)
	s.beforeLeft = saturated(int(s.beforeLeft)+int(e.cost[0]), mostState)
	in := saturated(int(min(s.inSeedLeft, s.beforeLeft))+int(f.leftIn[0]), bandInf)
	s.beforeLeft = min(s.beforeLeft, saturated(int(s.inSeedLeft)-int(e.out[0]), mostState))
	s.inSeedLeft = max(s.inSeedLeft, e.begin[0])
	return in
}

// right computes step c on the right, where out leaves the band.
func (f *fenceSteps) right(c int, out int16) {
	if f == nil {
		return
	}
	s, e := f.fence, &f.events[c].right
	s.inSeedRight = min(s.inSeedRight+f.match, out)
	s.beforeRight = saturated(int(s.beforeRight)+int(e.cost[0]), mostState)
	in := min(saturated(int(s.inSeedRight)-int(f.rightIn[0]), mostState), saturated(int(s.beforeRight)-int(f.beforeIn[0]), mostState))
	s.insRight = saturated(int(in)+int(f.open), bandInf)
	s.beforeRight = min(s.beforeRight, saturated(int(s.inSeedRight)-int(e.out[0]), mostState))
	s.inSeedRight = max(s.inSeedRight, e.begin[0])
}

// fromRight returns what comes in on the right.
func (f *fenceSteps) fromRight() int16 {
	if f == nil {
		return bandInf
	}
	return f.fence.insRight
}
