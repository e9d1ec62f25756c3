package gpu

import (
	"fmt"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/kernel"
)

// Words of a pair's memory in cuda/span.cuh.
func spanLetters(a *abi.Params, p *abi.Task) int {
	pad := (2*int(a.PairThreads) + 31) &^ 15
	return (2*pad + int(p.PatternLength)&^15 + 16) / 2
}
func spanEdges(a *abi.Params, p *abi.Task) int {
	words := 1
	if a.CellOpenLong > 0 {
		words = 2
	}
	return words*int(p.PatternLength) + (int(p.PatternLength)+63)/64
}
func spanStripes(a *abi.Params, p *abi.Task) int {
	width := 2 * int(a.PairThreads*a.PairWords)
	return (int(p.TextLength) + width - 1) / width
}

// fakeSpan is a kernel of cuda/span.cuh, for the model of the GPU or a plain one.
func fakeSpan(a *fakeLaunch) {
	lanes, columns := int(a.PairThreads), int(a.PairWords)
	must(a.shared == 0 && a.block == 32 && a.grid > 0, "blocks are not warps")
	must(strings.Contains(a.name, fmt.Sprintf("_%dx%d_", lanes, columns)), "%d lanes, %d columns", lanes, columns)
	must(a.RowStride%32 == 0 && a.StateWords%32 == 0 && a.LetterWords%32 == 0 && a.EdgeWords%32 == 0 && a.Rows%128 == 0, "memory that shares lines")
	must(a.One == 1 && a.CellScale > 0 && a.CheapestRun > 0 && a.CellMatch+max(a.CellExtend, a.CellExtendLong) <= 127 && a.CellMismatch >= -128, "steps beyond a byte")
	bits := map[string]int{"score": 0, "4": 4, "8": 8}[a.name[strings.LastIndexByte(a.name, '_')+1:]]
	states := deviceSlice[uint32](a, "states", a.Rows, int(a.Count)*int(a.StateWords))
	for _, w := range states {
		must(w == 0, "states are not cleared")
	}
	deviceSlice[uint32](a, "spare memory", a.Rows, int(a.Count)*(int(a.StateWords)+int(a.RowStride))+2048)
	cells := func(p *abi.Task) int {
		return spanStripes(a.Params, p) * (int(p.PatternLength) + 2*lanes - 1) * lanes * columns * bits / 16
	}
	a.eachTask(func(at int, p *abi.Task, r *abi.Result) {
		stripes := spanStripes(a.Params, p)
		must(spanLetters(a.Params, p) <= int(a.LetterWords), "%d words for letters of %d", a.LetterWords, p.PatternLength)
		must(stripes <= int(a.Stripes) && (lanes == 32 || stripes == 1), "%d stripes of %d", stripes, a.Stripes)
		must(lanes < 32 || 4+stripes <= int(a.StateWords) && spanEdges(a.Params, p) <= int(a.EdgeWords), "stripes without memory")
		memory := a.spanMemory(at, int(a.LetterWords+a.EdgeWords)+cells(p))
		if len(memory) > 0 {
			memory[len(memory)-1] = ^uint32(0)
			memory[0] = rowTag(at, 1, 2, lanes, columns)
		}
		cost, _, place := a.alignSpan(p, bits > 0)
		*r = abi.Result{Score: int32(cost), Cigar: uint32(place.PatternEnd), CigarLength: uint32(place.TextEnd)}
	})
}

// spanMemory returns the first words of a pair's memory behind the states.
func (a *fakeLaunch) spanMemory(at, words int) []uint32 {
	must(words <= int(a.RowStride), "%d words run into those of the next pair", words)
	from := int(a.Count)*int(a.StateWords) + at*int(a.RowStride)
	return deviceSlice[uint32](a, "rows", a.Rows+driver.Ptr(4*from), words)
}

// alignSpan aligns a pair, with its packed letters, as kernels see it.
func (a *fakeLaunch) alignSpan(p *abi.Task, traced bool) (cost int, elements []uint32, place align.Place) {
	o := a.gpu.model
	if a.Anywhere == 0 && a.PatternBegin+a.PatternEnd+a.TextBegin+a.TextEnd == 0 && a.CellOpenLong == 0 {
		o = align.Options{Penalties: penaltiesOf(a.Params)} // plain, or with the costs of a plain one
	}
	o.ScoreOnly = !traced
	m, err := o.Model()
	must(err == nil, "%v", err)
	aligner, done := idleAligner(o)
	defer done()
	pattern, text := unpack(a.bases(p.Pattern, p.PatternLength), p.PatternLength), unpack(a.bases(p.Text, p.TextLength), p.TextLength)
	score, c, err := aligner.Align(pattern, text, nil)
	must(err == nil, "%v", err)
	cost = score / m.Scale
	if o.Match > 0 {
		cost = (o.Match*len(pattern) + o.Match*len(text) - 2*score) / m.Scale
	}
	for _, e := range c {
		elements = append(elements, uint32(e))
	}
	return cost, elements, aligner.Place()
}

// traceSpan is a kernel of cuda/spantrace.cuh.
func traceSpan(a *fakeLaunch, at int, p *abi.Task, room []uint32) int {
	tag := rowTag(at, 1, 2, int(a.PairThreads), int(a.PairWords))
	must(a.spanMemory(at, 1)[0] == tag, "the cells of pair %d are not the ones stored", at)
	cost, elements, place := a.alignSpan(p, true)
	r := a.result(at)
	must(int(r.Score) == cost && int(r.Cigar) == place.PatternEnd && int(r.CigarLength) == place.TextEnd, "another result: %+v", r)
	elements = append([]uint32{uint32(place.PatternBegin), uint32(place.TextBegin)}, elements...)
	return fill(room, elements)
}

// openSpansOnFake opens an engine of the span family on a fake GPU.
func openSpansOnFake(t testing.TB, g *fakeGPU, o align.Options) *Engine {
	t.Helper()
	options := spanOptionsOf(o)
	options.families = "span"
	g.model = o
	g.model.Cutoff = 0
	return openOnFake(t, g, options)
}

// spanCase is options for which the engine launches a kernel.
type spanCase struct {
	kernel string
	o      align.Options
	pairs  *align.Batch
}

// spanCases has a case for each kernel of the family that stores cells.
func spanCases(t *testing.T) (cases []spanCase) {
	scorings := map[string]align.Scoring{
		"linear_4": {Penalties: align.Penalties{Mismatch: 1, GapExtend: 1}, Match: 2},
		"linear_8": {Penalties: align.Penalties{Mismatch: 15, GapExtend: 4}, Match: 3},
		"affine_4": {Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1},
		"affine_8": {Penalties: align.Penalties{Mismatch: 9, GapOpen: 7, GapExtend: 1}, Match: 1},
		"two_4":    {Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, Match: 2, LongGap: align.Gap{Open: 24, Extend: 1}},
		"two_8":    {Penalties: align.Penalties{Mismatch: 9, GapOpen: 9, GapExtend: 2}, Match: 2, LongGap: align.Gap{Open: 24, Extend: 1}},
	}
	for _, v := range kernel.Variants() {
		if v.Family.Name != "span" {
			continue
		}
		for _, name := range v.Names[1:] {
			parts := strings.Split(strings.TrimPrefix(name, "wfa_span_"), "_") // gaps, ends, shape, bits
			s := scorings[parts[0]+"_"+parts[3]]
			c := spanCase{kernel: name, o: align.Options{Penalties: s.Penalties, Match: s.Match, LongGap: s.LongGap, Span: align.EndsFree}}
			c.o.Free = align.Free{PatternBegin: 20, TextBegin: align.FreeAll, TextEnd: align.FreeAll}
			if parts[1] == "any" {
				c.o.Span, c.o.Free = align.Local, align.Free{}
			}
			c.pairs = simulated(t, 2*v.Pairs+1, simulate.Options{Length: 100, ErrorRate: 0.05, Seed: 71})
			length := 2 * v.PairThreads * v.Words // narrower kernels do not take it, or waste more
			flank := simulated(t, 1, simulate.Options{Length: 2 * length, Seed: 72}).Pairs[0].Text
			for i := range c.pairs.Pairs {
				p := &c.pairs.Pairs[i]
				p.Text = append(append([]byte{}, flank[:length-len(p.Text)]...), p.Text...)
			}
			if v.PairThreads == 32 { // stripes
				last := &c.pairs.Pairs[len(c.pairs.Pairs)-1]
				last.Text = append(last.Text, flank[:length]...)
			}
			cases = append(cases, c)
		}
	}
	return cases
}

// Every kernel of the family is launched, with memory for what it stores, and its results are
// decoded.
func TestSpanCasesOnFake(t *testing.T) {
	for _, c := range spanCases(t) {
		for _, scoreOnly := range []bool{false, true} {
			c.o.ScoreOnly = scoreOnly
			g := newFakeGPU(t, 1000)
			e := openSpansOnFake(t, g, c.o)
			b := &align.Batch{Pairs: c.pairs.Pairs}
			mustAlignAll(t, e, b)
			if n := wantSpansAsOnCPU(t, c.o, b); n != len(b.Pairs) {
				t.Errorf("%s: %d of %d pairs", c.kernel, n, len(b.Pairs))
			}
			if !scoreOnly && g.launched(c.kernel) == 0 {
				t.Errorf("%s is not launched", c.kernel)
			}
		}
	}
}

// Pairs whose cells do not fit into the device's memory go to the CPU, and so do pairs of models
// that no kernel takes. Scores need little memory.
func TestSpanFallbackOnFake(t *testing.T) {
	b := simulated(t, 1, simulate.Options{Length: 15_000, ErrorRate: 0.02, Seed: 11})
	b.Pairs = append(b.Pairs, simulated(t, 60, simulate.Options{Length: 150, ErrorRate: 0.1, Seed: 12}).Pairs...)
	for name, tc := range map[string]struct {
		o              align.Options
		memory, scores int64
	}{
		"cells":  {align.Options{Penalties: align.DefaultPenalties, Span: align.EndsFree}, 1, 0},
		"scores": {align.Options{Penalties: align.DefaultPenalties, Span: align.EndsFree, ScoreOnly: true}, 0, 0},
		"model":  {align.Options{Penalties: align.Penalties{Mismatch: 251, GapOpen: 1, GapExtend: 239}, Match: 254, Span: align.Local}, 0, 61},
	} {
		t.Run(name, func(t *testing.T) {
			e := openSpansOnFake(t, newFakeGPU(t, 200), tc.o)
			b := &align.Batch{Pairs: b.Pairs}
			mustAlignAll(t, withCPU(t, e, tc.o), b)
			if n := wantSpansAsOnCPU(t, tc.o, b); n != len(b.Pairs) {
				t.Errorf("%d of %d pairs", n, len(b.Pairs))
			}
			if s := wantStats(t, e, len(b.Pairs)); s.Fallback.Memory != tc.memory || s.Fallback.Scores != tc.scores || s.Fallback.Pairs() != tc.memory+tc.scores {
				t.Errorf("%+v", s)
			}
		})
	}
}

// A cutoff is for spans with penalties, too.
func TestSpanCutoffOnFake(t *testing.T) {
	b := simulated(t, 100, simulate.Options{Length: 150, ErrorRate: 0.1, Seed: 12})
	b.Pairs = append(b.Pairs, align.Pair{Text: []byte("ACGT")}, align.Pair{Pattern: []byte("ACGTACGTACGT")})
	o := align.Options{Penalties: align.DefaultPenalties, Span: align.EndsFree, Free: align.Free{TextEnd: 3}, Cutoff: 40}
	e := openSpansOnFake(t, newFakeGPU(t, 1000), o)
	mustAlignAll(t, e, b)
	wantSpansAsOnCPU(t, o, b)
	if s := wantStats(t, e, len(b.Pairs)); s.Beyond == 0 || s.Beyond == int64(len(b.Pairs)) {
		t.Errorf("%+v", s)
	}
}

// The cases of every kernel of the family on a device: for compute-sanitizer.
func TestSanitizedSpansOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for _, c := range spanCases(t) {
		for _, scoreOnly := range []bool{false, true} {
			c.o.ScoreOnly = scoreOnly
			e, err := Open(spanOptionsOf(c.o))
			if err != nil {
				t.Fatal(err)
			}
			b := &align.Batch{Pairs: c.pairs.Pairs}
			mustAlignAll(t, e, b)
			if n := wantSpansAsOnCPU(t, c.o, b); n != len(b.Pairs) {
				t.Errorf("%s: %d of %d pairs", c.kernel, n, len(b.Pairs))
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
