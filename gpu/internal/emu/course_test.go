package emu_test

import "slices"

// courses is the number of kinds of bands that a kernel has: straight ones, and those that follow an alignment.
func (g *gotohKernel) courses() int {
	if g.searches() && g.lanes >= 8 && g.lanes <= 32 {
		return 2
	}
	return 1
}

// courseSlot is what a kernel keeps in a slot of a band that follows an alignment: cuda/gotohcourse.cuh.
type courseSlot struct {
	step, strip int // the next strip to come
	comes       bool
	values      []uint32
}

// courseOf returns the slots of a task, and its memory behind them.
func (g *gotohKernel) courseOf(d *device, at int) (slots []courseSlot, comes, behind []uint32) {
	p := d.pairs[d.tasks[at].Pair]
	memory, all := d.edgeMemory(at), (len(p.text)-1)/g.columns+1
	comes, memory = memory[:all], memory[all:]
	for i := range int(comes[all-1]) {
		v := memory[i*edgeWords:][:edgeWords]
		slots = append(slots, courseSlot{step: int(v[5]), strip: int(v[4] / 2), comes: v[4]&1 != 0, values: v[:4]})
	}
	return slots, comes, memory[len(slots)*(edgeWords+2):]
}

// checkCourse is checkEdges for a band that follows an alignment.
func (g *gotohKernel) checkCourse(d *device, at int) (measured, affine int) {
	d.t.Helper()
	p := d.pairs[d.tasks[at].Pair]
	n, m := len(p.pattern), len(p.text)
	if m <= g.strips()*g.columns || g.beside() < max(n-m, m-n) {
		return 0, 0
	}
	slots, comes, _ := g.courseOf(d, at)
	h := g.matrix(p)
	inner := (g.beside()/2 + 1 - 24 - (g.columns+1)/2) / (g.columns + 1)
	strip, cells, above := g.strips(), 0, 0
	check := func(s *courseSlot, of, row, column int, value uint32, want int32) {
		cells++
		if int32(value) < want {
			d.t.Fatalf("value of strip %d in step %d, row %d, column %d: %d, want %d: %s", of, s.step, row, column, int32(value), want, d.name(at))
		} else if int32(value) > want {
			above++
		}
	}
	before := 0 // step of the last slot
	for i := range slots {
		s := &slots[i]
		if period := g.columns + 1; (s.step != before+period && s.step != before+period/2 && s.step != before+period-period/2) || s.step > n+(m-1)/g.columns {
			d.t.Fatalf("a slot in step %d after %d: %s", s.step, before, d.name(at))
		}
		if s.strip != strip {
			d.t.Fatalf("strip %d comes in step %d after %d: %s", s.strip, s.step, strip-1, d.name(at))
		}
		for side, b := range []int{strip - 1 - inner, strip - g.strips() + inner} {
			if row, column := s.step-1-b, (b+1)*g.columns; row >= 0 && row <= n && column <= m {
				check(s, b, row, column, s.values[2+side], h[row][column])
			}
		}
		if row, column := s.step-strip, strip*g.columns; column <= m && row > 0 && row <= n {
			least := int32(1 << 28)
			for r := max(row-(s.step-before), 0); r < row; r++ {
				least = min(least, h[r][column])
			}
			check(s, strip-1, row, column, s.values[0], least)
		}
		if s.comes {
			b := strip - g.strips()
			if row, column := s.step-1-b, (b+1)*g.columns; row <= n {
				check(s, b, row, column, s.values[1], slices.Min(h[row][column-g.columns+1:column+1]))
			}
			if int(comes[b]) != s.step {
				d.t.Fatalf("strip %d comes in step %d, not in %d: %s", strip, s.step, comes[b], d.name(at))
			}
			strip++
		}
		before = s.step
	}
	if strip*g.columns < m {
		d.t.Fatalf("strip %d does not come: %s", strip, d.name(at))
	}
	if cells < 2*len(slots)*2/3 || above*10 > cells {
		d.t.Fatalf("%d of %d cells of %d slots have more than in the whole matrix: %s", above, cells, len(slots), d.name(at))
	}
	return 1, 1
}
