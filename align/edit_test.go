package align

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// plainDistance is the dynamic program, and the traceback by the rule of the package comment.
func plainDistance(pattern, text []byte) (int, string) {
	n, m := len(pattern), len(text)
	c := make([][]int, n+1)
	for v := range c {
		c[v] = make([]int, m+1)
		for h := range c[v] {
			switch {
			case v == 0:
				c[v][h] = h
			case h == 0:
				c[v][h] = v
			default:
				differ := 0
				if pattern[v-1] != text[h-1] {
					differ = 1
				}
				c[v][h] = min(c[v-1][h-1]+differ, c[v-1][h]+1, c[v][h-1]+1)
			}
		}
	}
	var ops []byte
	v, h := n, m
	for v > 0 || h > 0 {
		switch {
		case v > 0 && h > 0 && pattern[v-1] == text[h-1]:
			ops = append(ops, '=')
			v, h = v-1, h-1
		case v > 0 && h > 0 && c[v-1][h-1] == c[v][h]-1:
			ops = append(ops, 'X')
			v, h = v-1, h-1
		case v > 0 && c[v-1][h] == c[v][h]-1:
			ops = append(ops, 'I')
			v--
		default:
			ops = append(ops, 'D')
			h--
		}
	}
	s := ""
	for i := len(ops); i > 0; {
		j := i
		for j > 0 && ops[j-1] == ops[i-1] {
			j--
		}
		s += fmt.Sprintf("%d%c", i-j, ops[i-1])
		i = j
	}
	return c[n][m], s
}

func TestEditPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		n := 1 + r.IntN(1+i%400)
		s := randomLetters(r, n)
		p := append([]byte(nil), s...)
		for range r.IntN(1 + n/4) {
			k := r.IntN(len(p))
			switch r.IntN(3) {
			case 0:
				p[k] = "ACGTN"[r.IntN(5)]
			case 1:
				p = append(p[:k], append([]byte{"ACGT"[r.IntN(4)]}, p[k:]...)...)
			default:
				if len(p) > 1 {
					p = append(p[:k], p[k+1:]...)
				}
			}
		}
		if r.IntN(20) == 0 {
			p = randomLetters(r, 1+r.IntN(300))
		}
		for _, l := range Levels() {
			a, err := NewAligner(Options{Penalties: EditPenalties, Level: l})
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(2) == 0 {
				a.costs.rate = r.Float64() / 4
			}
			want, wantC := plainDistance(p, s)
			got, c, err := a.Align(p, s, nil)
			if err != nil || got != want || c.String() != wantC {
				t.Fatalf("%s: %d %s %v, want %d %s\n%s\n%s", l, got, c, err, want, wantC, p, s)
			}
		}
	}
}
