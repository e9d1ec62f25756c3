package kernel

import (
	"math"

	"wfagpu/align"
	"wfagpu/cigar"
)

// spanOracle is a plain dynamic program over the costs of all cells, with the rule of which
// optimum is reported.
type spanOracle struct {
	m          align.Model
	p, t       string
	cost       []int
	begin, end align.Place
}

func (o *spanOracle) at(i, j int) int { return o.cost[i*(len(o.t)+1)+j] }

func (o *spanOracle) begins(i, j int) (int, bool) {
	c := (i + j) * o.m.FreeLetter
	switch o.m.Span {
	case align.Local:
		return c, true
	case align.EndsFree:
		return c, j == 0 && i <= o.m.Free.PatternBegin || i == 0 && j <= o.m.Free.TextBegin
	}
	return 0, i == 0 && j == 0
}

func (o *spanOracle) ends(i, j int) bool {
	n, m := len(o.p), len(o.t)
	switch o.m.Span {
	case align.Local, align.Extension:
		return true
	case align.EndsFree:
		return i == n && m-j <= o.m.Free.TextEnd || j == m && n-i <= o.m.Free.PatternEnd
	}
	return i == n && j == m
}

// align returns the reduced cost, free letters included, the alignment and its place.
func (o *spanOracle) align(p, t string) (cost int, c cigar.CIGAR, place align.Place) {
	const none = math.MaxInt / 2
	o.p, o.t = p, t
	n, m := len(p), len(t)
	o.cost = make([]int, (n+1)*(m+1))
	pieces := []align.Gap{o.m.Gap}
	if o.m.Long != (align.Gap{}) {
		pieces = append(pieces, o.m.Long)
	}
	down := make([][]int, len(pieces))
	for k := range down {
		down[k] = make([]int, m+1)
		for j := range down[k] {
			down[k][j] = none
		}
	}
	for i := range n + 1 {
		right := []int{none, none}
		for j := range m + 1 {
			best := none
			if c, ok := o.begins(i, j); ok {
				best = c
			}
			if i > 0 && j > 0 {
				step := 0
				if p[i-1] != t[j-1] {
					step = o.m.Mismatch
				}
				best = min(best, o.at(i-1, j-1)+step)
			}
			for k, g := range pieces {
				if i > 0 {
					down[k][j] = min(down[k][j], o.at(i-1, j)+g.Open) + g.Extend
				}
				if j > 0 {
					right[k] = min(right[k], o.at(i, j-1)+g.Open) + g.Extend
				}
				best = min(best, down[k][j], right[k])
			}
			o.cost[i*(m+1)+j] = best
		}
	}
	cost = none
	v, h := 0, 0
	for i := range n + 1 {
		for j := range m + 1 {
			free := 0
			if o.m.Span != align.Global {
				free = (n - i + m - j) * o.m.FreeLetter
			}
			if o.ends(i, j) && o.at(i, j)+free < cost {
				cost, v, h = o.at(i, j)+free, i, j
			}
		}
	}
	place.PatternEnd, place.TextEnd = v, h
	for {
		now := o.at(v, h)
		if c, ok := o.begins(v, h); ok && c == now {
			break
		}
		if v > 0 && h > 0 && p[v-1] == t[h-1] {
			c, v, h = c.Append(cigar.Match, 1), v-1, h-1
			continue
		}
		if v > 0 && h > 0 && o.at(v-1, h-1)+o.m.Mismatch == now {
			c, v, h = c.Append(cigar.Mismatch, 1), v-1, h-1
			continue
		}
		for l := 1; ; l++ {
			if l <= v && o.at(v-l, h)+o.m.Cost(l) == now {
				c, v = c.Append(cigar.Ins, l), v-l
				break
			}
			if l <= h && o.at(v, h-l)+o.m.Cost(l) == now {
				c, h = c.Append(cigar.Del, l), h-l
				break
			}
		}
	}
	place.PatternBegin, place.TextBegin = v, h
	c.Reverse()
	return cost, c, place
}
