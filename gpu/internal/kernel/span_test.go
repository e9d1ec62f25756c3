package kernel

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
)

// spanScorings have all costs of gaps; those of a kind take different ways.
var spanScorings = []align.Scoring{
	{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}},
	{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1},
	{Penalties: align.Penalties{Mismatch: 1, GapExtend: 1}, Match: 2},
	{Penalties: align.Penalties{Mismatch: 3, GapExtend: 1}},
	{Penalties: align.Penalties{Mismatch: 5, GapExtend: 2}, Match: 3},
	{Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, Match: 2, LongGap: align.Gap{Open: 24, Extend: 1}},
	{Penalties: align.Penalties{Mismatch: 4, GapOpen: 0, GapExtend: 3}, LongGap: align.Gap{Open: 9, Extend: 1}},
	{Penalties: align.Penalties{Mismatch: 30, GapOpen: 40, GapExtend: 11}, Match: 9},
	{Penalties: align.Penalties{Mismatch: 9, GapOpen: 7, GapExtend: 1}, Match: 1},
	{Penalties: align.Penalties{Mismatch: 20, GapExtend: 4}},
	{Penalties: align.Penalties{Mismatch: 15, GapExtend: 4}, Match: 3},
	{Penalties: align.Penalties{Mismatch: 9, GapOpen: 3, GapExtend: 7}, Match: 4, LongGap: align.Gap{Open: 14, Extend: 5}},
}

// spanFrees are spans, with free letters on all sides.
var spanFrees = []struct {
	span align.Span
	free align.Free
}{
	{align.Global, align.Free{}},
	{align.EndsFree, align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}},
	{align.EndsFree, align.Free{PatternBegin: align.FreeAll, PatternEnd: align.FreeAll}},
	{align.EndsFree, align.Free{PatternBegin: align.FreeAll, PatternEnd: align.FreeAll, TextBegin: align.FreeAll, TextEnd: align.FreeAll}},
	{align.EndsFree, align.Free{PatternBegin: 3, PatternEnd: 5, TextBegin: 7, TextEnd: 2}},
	{align.EndsFree, align.Free{PatternBegin: 20, TextEnd: 11}},
	{align.Extension, align.Free{}},
	{align.Local, align.Free{}},
}

// letterPair is a pattern and a text.
type letterPair struct{ pattern, text string }

// randomLetters returns n letters of an alphabet.
func randomLetters(r *rand.Rand, alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// editedLetters returns s after some errors.
func editedLetters(r *rand.Rand, alphabet, s string, errors, longest int) string {
	for range errors {
		at, n := r.IntN(len(s)+1), 1+r.IntN(longest)
		switch r.IntN(3) {
		case 0:
			s = s[:at] + randomLetters(r, alphabet, 1) + s[min(at+1, len(s)):]
		case 1:
			s = s[:at] + randomLetters(r, alphabet, n) + s[at:]
		default:
			s = s[:at] + s[min(at+n, len(s)):]
		}
	}
	if s == "" {
		return alphabet[:1]
	}
	return s
}

// spanPairs are pairs for a kernel: with few and many errors, many ties, unequal lengths, and
// lengths at the borders of strips and stripes.
func spanPairs(r *rand.Rand, k *spanned) []letterPair {
	var pairs []letterPair
	width, most := k.width(), k.width()
	if k.shape.lanes == 32 {
		most = 3*width + 5
	}
	add := func(p, t string) {
		if len(t) > most {
			t = t[:most]
		}
		pairs = append(pairs, letterPair{p, t})
	}
	for range 4 {
		a := randomLetters(r, "ACGT", 1+r.IntN(150))
		add(a, editedLetters(r, "ACGT", a, 1+len(a)/12, 3))
		b := randomLetters(r, "AC", 1+r.IntN(100))
		add(b, editedLetters(r, "AC", b, 1+len(b)/8, 5))
		add(a, randomLetters(r, "ACGT", r.IntN(30))+editedLetters(r, "ACGT", a, 3, 4)+randomLetters(r, "ACGT", r.IntN(30)))
		add(randomLetters(r, "ACGT", r.IntN(20))+a+randomLetters(r, "ACGT", r.IntN(40)), editedLetters(r, "ACGT", a, 2, 9))
		add(randomLetters(r, "ACG", 1+r.IntN(40)), randomLetters(r, "ACT", 1+r.IntN(40)))
	}
	add("A", "C")
	add("A", "A")
	add("G", strings.Repeat("ACT", 20))
	add(strings.Repeat("CT", 40), "A")
	add(strings.Repeat("A", 60), strings.Repeat("A", 33))
	for _, n := range []int{k.shape.columns, k.shape.columns + 1, 2 * k.shape.columns, 63, 64, 65, 128, 129} {
		a := randomLetters(r, "ACGT", n)
		add(a, editedLetters(r, "ACGT", a, 2, 3))
		add(editedLetters(r, "ACGT", a, 2, 3), a)
	}
	for _, n := range []int{width - 1, width, width + 1, 2 * width, 2*width + 77} {
		if n > most {
			break
		}
		t := randomLetters(r, "ACGT", n)
		at := r.IntN(n)
		add(editedLetters(r, "ACGT", t[at:min(at+60, n)], 4, 3), t)
		add(randomLetters(r, "ACGT", 30), t)
		if n > width+60 {
			add(t[width-40:width+30], t)
			add(t[width-70:width-10]+t[width+20:width+50], t)
			add(t[width-70:width+60], t)
		}
	}
	return pairs
}

// TestEmulatedSpan: every kernel of the family gives the optimum and the alignment that the rule
// defines, of models of all kinds, on the CPU. WFAGPU_EMULATION_ROUNDS is the number of models
// that a kernel is given, three without it.
func TestEmulatedSpan(t *testing.T) {
	rounds := 3
	if n, err := strconv.Atoi(os.Getenv("WFAGPU_EMULATION_ROUNDS")); err == nil {
		rounds = n
	}
	testSpan(t, emulatedSpans(t), rounds)
}

// TestSpanOnDevice: they do so on the GPU, where warps run at the same time.
func TestSpanOnDevice(t *testing.T) { testSpan(t, spansOnDevice(t), math.MaxInt) }

// testSpan gives every kernel some models.
func testSpan(t *testing.T, d *spanDevice, rounds int) {
	ran := map[string]int{}
	r := rand.New(rand.NewPCG(1, 2))
	for _, at := range r.Perm(len(spanScorings) * len(spanFrees)) {
		scoring, f := spanScorings[at/len(spanFrees)], spanFrees[at%len(spanFrees)]
		if scoring.Match == 0 && (f.span == align.Local || f.span == align.Extension) {
			continue
		}
		cpu := newSpanCPU(t, f.span, f.free, scoring)
		for _, scoreOnly := range []bool{false, true} {
			for _, k := range d.kernels(t, cpu.model, scoreOnly) {
				if ran[k.name()]++; ran[k.name()] > rounds {
					continue
				}
				t.Run(fmt.Sprintf("%s/%d", strings.TrimPrefix(k.name(), "wfa_span_"), at), func(t *testing.T) {
					checkSpan(t, d, k, cpu, spanPairs(r, k))
				})
			}
		}
	}
	for _, v := range Variants() {
		for _, name := range v.Names {
			if v.Family.Name == spanFamily && ran[name] == 0 {
				t.Errorf("%s has not run", name)
			}
		}
	}
}

// checkSpan compares the results of a kernel with those of the CPU engine.
func checkSpan(t *testing.T, d *spanDevice, k *spanned, cpu *spanCPU, pairs []letterPair) {
	results, cigars := d.run(t, k, pairs)
	for i, p := range pairs {
		cost, want, place := cpu.align(t, p)
		got := results[i]
		if int(got.Score) != cost || got.Flags != 0 {
			t.Fatalf("cost %d, flags %#x, want %d, %+v: pair %d, %.200s %.200s, %d and %d letters, domain %+v",
				got.Score, got.Flags, cost, place, i, p.pattern, p.text, len(p.pattern), len(p.text), k.domain)
		}
		if k.bits == 0 {
			continue
		}
		elements := cigars[got.Cigar : got.Cigar+got.CigarLength]
		c := cigar.CIGAR(unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elements)), len(elements)))[spanPositions:]
		if c.String() != want.String() || int(elements[0]) != place.PatternBegin || int(elements[1]) != place.TextBegin {
			t.Fatalf("alignment %.200v at %v, want %.200v at %+v: pair %d, %.200s %.200s, %d and %d letters, domain %+v",
				c, elements[:2], want, place, i, p.pattern, p.text, len(p.pattern), len(p.text), k.domain)
		}
	}
}

// loadModels are models of all costs of gaps, ends, and bits of a cell.
func loadModels(t testing.TB) (models []align.Model) {
	coarse := align.Scoring{Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}}
	for _, s := range append(slices.Clone(spanScorings), coarse) {
		models = append(models, newSpanCPU(t, align.EndsFree, align.Free{TextEnd: 1}, s).model)
		if s.Match == 0 {
			models = append(models, newSpanCPU(t, align.EndsFree, align.Free{TextBegin: 9, TextEnd: 1}, s).model)
		}
		if s.Match > 0 {
			models = append(models, newSpanCPU(t, align.Local, align.Free{}, s).model)
		}
	}
	return models
}

// wantedSpans are the names of the kernels that a configuration of the family needs.
func wantedSpans(c Config) map[string]bool {
	d := newSpanDomain(&c.Model)
	f := c.Model.Free
	within := c.Model.Span == align.EndsFree && f.PatternBegin+f.PatternEnd == 0 && min(f.TextBegin, f.TextEnd) > 0 &&
		c.Model.FreeLetter == 0 && d.gaps() != "two"
	want := map[string]bool{"wfa_gated_free": within && c.Penalties.LongestStep() <= 64}
	p := c.Penalties
	if within && p.GapExtend <= 64 && p.Mismatch-2*p.GapExtend <= 127 && (c.ScoreOnly || gotohTraces(p)) {
		form := "score"
		want["wfa_gotoh_free_seeds"] = true
		if !c.ScoreOnly {
			form = "checkpoints"
			want["wfa_gotoh_free_trace"] = true
		}
		for _, v := range Variants() {
			if v.Family.Name == "gotoh_free" {
				want[strings.TrimSuffix(v.Names[0], "score")+form] = true
				want["wfa_gotoh_free_outside"] = want["wfa_gotoh_free_outside"] || 2*p.GapExtend*(v.Words+1)+p.GapOpen <= borderLow
				want["wfa_probe"] = want["wfa_gotoh_free_outside"]
			}
		}
	}
	if within && slices.Contains(registerPenalties, c.Penalties) {
		for _, v := range Variants() {
			if v.Family.Name != "gotoh_free" && strings.HasSuffix(v.Family.Name, "_free") {
				want[v.Names[map[bool]int{true: 0, false: 1}[c.ScoreOnly]]] = true
			}
		}
		for _, name := range []string{"wfa_trace_free_1", "wfa_trace_free_8", "wfa_trace_free_32", "wfa_retrace_free_2_3_1", "wfa_retrace_long_free_2_3_1"} {
			want[name] = !c.ScoreOnly
		}
	}
	maps.Copy(want, wantedWhole(c))
	return want
}

// wantedWhole returns the names of the kernels of whole matrices that a configuration needs.
func wantedWhole(c Config) map[string]bool {
	d, bits, want := newSpanDomain(&c.Model), 0, map[string]bool{}
	if !c.ScoreOnly {
		bits = d.bits()
		want[fmt.Sprintf("wfa_span_trace_%d", bits)] = true
		want[fmt.Sprintf("wfa_span_trace_%d_warp", bits)] = true
	}
	for _, v := range Variants() {
		if v.Family.Name != spanFamily || !strings.HasPrefix(v.Arguments, d.gaps()+", "+d.ends()+", ") ||
			d.spread(2*v.PairThreads*v.Words, 2*v.PairThreads) > spanRange {
			continue
		}
		for _, name := range v.Names {
			want[name] = want[name] || strings.HasSuffix(name, "_"+spanSuffixes[bits])
		}
	}
	return want
}

// Of a model that is not plain, other families have no kernel.
func TestSpanOrOthers(t *testing.T) {
	for _, s := range spanScorings {
		for _, f := range spanFrees {
			if s.Match == 0 && f.span > align.EndsFree {
				continue
			}
			m := newSpanCPU(t, f.span, f.free, s).model
			set := mustLoad(t, newImage(), Config{Penalties: m.Affine(), Model: m})
			plain := f.span == align.Global && m.Long == (align.Gap{})
			for _, k := range set.Kernels {
				if !plain && !k.Family().spans {
					t.Errorf("%+v, %+v: %s", s, f, name(k))
				}
			}
			if len(set.Kernels) == 0 || plain == (set.General < 0) || set.Span(100, 100) < 0 {
				t.Errorf("%+v, %+v: %d kernels, the general one %d, for 100 letters %d", s, f, len(set.Kernels), set.General, set.Span(100, 100))
			}
		}
	}
}
