package align

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// gotohStates are the least costs of a pair by cell, v*(n+1)+h, and state.
type gotohStates [3][]int

// forward computes the costs from the start to each cell: as M, with an open insertion and with
// an open deletion.
func forward(pen Penalties, p, t []byte) gotohStates {
	const far = 1 << 30
	m, n := len(p), len(t)
	var f gotohStates
	for i := range f {
		f[i] = slices.Repeat([]int{far}, (m+1)*(n+1))
	}
	for v := range m + 1 {
		for h := range n + 1 {
			at := v*(n+1) + h
			best := far
			if v == 0 && h == 0 {
				best = 0
			}
			if v > 0 {
				up := at - n - 1
				f[compIns][at] = pen.GapExtend + min(f[compM][up]+pen.GapOpen, f[compIns][up])
			}
			if h > 0 {
				f[compDel][at] = pen.GapExtend + min(f[compM][at-1]+pen.GapOpen, f[compDel][at-1])
			}
			if v > 0 && h > 0 {
				step := pen.Mismatch
				if p[v-1] == t[h-1] {
					step = 0
				}
				best = f[compM][at-n-2] + step
			}
			f[compM][at] = min(best, f[compIns][at], f[compDel][at])
		}
	}
	return f
}

// backward computes the costs from each cell and state to the end.
func backward(pen Penalties, p, t []byte) gotohStates {
	q, u := slices.Clone(p), slices.Clone(t)
	slices.Reverse(q)
	slices.Reverse(u)
	f := forward(pen, q, u)
	for i := range f {
		slices.Reverse(f[i])
	}
	for i := range f[compM] {
		// A gap that is open may end here, or go on without another opening.
		f[compIns][i] = min(f[compM][i], f[compIns][i]-pen.GapOpen)
		f[compDel][i] = min(f[compM][i], f[compDel][i]-pen.GapOpen)
	}
	return f
}

// erroneous returns a text of few kinds of letters and a copy with errors, some of them long gaps.
func erroneous(r *rand.Rand) (pattern, text []byte) {
	letters := "ACGT"[:2+r.IntN(3)]
	for range 80 + r.IntN(120) {
		text = append(text, letters[r.IntN(len(letters))])
	}
	if r.IntN(2) == 0 { // a tandem repeat
		at, unit := r.IntN(len(text)-20), 1+r.IntN(4)
		for i := at + unit; i < at+20; i++ {
			text[i] = text[i-unit]
		}
	}
	for i := 0; i < len(text); i++ {
		switch r.IntN(150) {
		case 0:
			pattern = append(pattern, "ACGT"[r.IntN(4)])
		case 1:
			pattern = append(pattern, text[i], "ACGT"[r.IntN(4)])
		case 2: // a deletion
		case 3:
			if r.IntN(4) == 0 {
				i += r.IntN(40)
			}
		case 4:
			for range r.IntN(60) * (r.IntN(4) / 3) {
				pattern = append(pattern, "ACGT"[r.IntN(4)])
			}
		default:
			pattern = append(pattern, text[i])
		}
	}
	return pattern, text
}

// From no cell of an alignment within the bound does the end cost less than the seeds say, and the
// alignment that the errors are from costs what its score says at least.
func TestSeedsBoundTheCost(t *testing.T) {
	for _, level := range Levels() {
		for _, pen := range []Penalties{{2, 3, 1}, {1, 0, 1}, {3, 1, 4}, {10, 12, 3}, {1, 9, 1}, {7, 2, 1}} {
			r := rand.New(rand.NewPCG(4, 4))
			k := kernelsFor(level)
			d, g := newSeeds(k, pen), greedy{kern: k, pen: pen}
			tried, weighed, best := 0, 0, 0
			for i := range 60 {
				p, x := erroneous(r)
				var pattern, text sequence
				if pattern.load(k, p, patternPad) != nil || text.load(k, x, textPad) != nil {
					t.Fatal("letters are refused")
				}
				if !g.run(&pattern, &text) {
					continue
				}
				tried++
				from, to := forward(pen, p, x), backward(pen, p, x)
				score := to[compM][0]
				if g.cost < score {
					t.Fatalf("%s, %v, pair %d: an alignment of cost %d, the least is %d", level, pen, i, g.cost, score)
				}
				if g.cost == score {
					best++
				}
				bound := g.cost + r.IntN(10)
				d.find(&pattern, &text, g.errors, bound)
				if d.least(0, 0) > 0 {
					weighed++
				}
				for v := range len(p) + 1 {
					for h := range len(x) + 1 {
						at := v*(len(x)+1) + h
						for c := range 3 {
							rest := to[c][at]
							if from[c][at]+rest <= bound && d.least(h-v, h) > rest {
								t.Fatalf("%s, %v, pair %d, bound %d, pattern letter %d, text letter %d, component %d: the end costs %d, the seeds say %d\npattern %s\ntext    %s",
									level, pen, i, bound, v, h, c, rest, d.least(h-v, h), p, x)
							}
						}
					}
				}
			}
			if tried < 30 || weighed < tried/2 || best < tried/8 {
				t.Errorf("%s, %v: %d pairs, %d with seeds, %d with the optimum", level, pen, tried, weighed, best)
			}
		}
	}
}

func TestWordsKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for i := range 2000 {
			n := r.IntN(200)
			s := make([]byte, n+2*wordsBlock+8)
			for j := range s {
				s[j] = "AC"[r.IntN(2)]
			}
			p := unsafe.Pointer(&s[0])
			a, b := load64(p, r.IntN(n+8)), load64(p, r.IntN(n+8))
			got, want := k.words(&s[0], n, a, b), wordsGo(&s[0], n, a, b)
			// A word behind the n letters may end the search, too.
			if min(got, n)/wordsBlock != want/wordsBlock && got/wordsBlock != want/wordsBlock {
				t.Fatalf("%d: %d of %d letters, want the block of %d", i, got, n, want)
			}
		}
	})
}
