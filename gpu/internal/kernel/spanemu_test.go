package kernel

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/emu"
	"wfagpu/gpu/internal/pack"
)

// spanModels are models of all costs of gaps; those of a kind take different ways.
func spanModel(t testing.TB, span align.Span, free align.Free, s align.Scoring) align.Model {
	m, err := align.NewModel(span, free, s)
	if err != nil {
		t.Fatal(err)
	}
	if span == align.Global {
		m.FreeLetter = 0
	}
	return m
}

var spanScorings = []align.Scoring{
	{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}},
	{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1},
	{Penalties: align.Penalties{Mismatch: 1, GapExtend: 1}, Match: 2},
	{Penalties: align.Penalties{Mismatch: 3, GapExtend: 1}},
	{Penalties: align.Penalties{Mismatch: 5, GapExtend: 2}, Match: 3},
	{Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, Match: 2, LongGap: align.Gap{Open: 24, Extend: 1}},
	{Penalties: align.Penalties{Mismatch: 4, GapOpen: 0, GapExtend: 3}, LongGap: align.Gap{Open: 9, Extend: 1}},
	{Penalties: align.Penalties{Mismatch: 30, GapOpen: 40, GapExtend: 11}, Match: 9},
	{Penalties: align.Penalties{Mismatch: 9, GapOpen: 6, GapExtend: 1}, Match: 1},
	{Penalties: align.Penalties{Mismatch: 20, GapExtend: 4}},
	{Penalties: align.Penalties{Mismatch: 15, GapExtend: 4}, Match: 3},
	{Penalties: align.Penalties{Mismatch: 9, GapOpen: 3, GapExtend: 7}, Match: 4, LongGap: align.Gap{Open: 4, Extend: 5}},
}

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

// emulated opens a device that runs the kernels on the CPU.
func emulated(t *testing.T) (*driver.Device, *driver.Module, *driver.Stream) {
	kernels := emu.ForTest(t)
	g := drivertest.New(1)
	g.Devices[0].Memory = 2 << 30
	g.Devices[0].SMs = 1
	for _, name := range kernels.Names() {
		g.Kernels[name] = drivertest.Kernel{Registers: 64}
	}
	g.Launch = func(name string, grid, block, shared int, params unsafe.Pointer) driver.Result {
		if err := kernels.Launch(name, grid, block, shared, params, int(unsafe.Sizeof(abi.Params{}))); err != nil {
			t.Errorf("%s with grid %d, block %d: %v", name, grid, block, err)
			return 700
		}
		return driver.Success
	}
	d := g.Open(t)
	m, err := d.LoadModule(drivertest.Image)
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), m.Close()); err != nil {
			t.Error(err)
		}
	})
	return d, m, s
}

type letterPair struct{ pattern, text string }

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

// runSpan runs a kernel and its traceback.
func runSpan(t *testing.T, d *driver.Device, s *driver.Stream, k *spanned, c *Config, pairs []letterPair) ([]abi.Result, []uint32) {
	words, g := 64, Group{Count: len(pairs), Bound: MaxBound}
	for _, p := range pairs {
		words += pack.Words(len(p.pattern)) + pack.Words(len(p.text))
		g.Pattern, g.Text = max(g.Pattern, len(p.pattern)), max(g.Text, len(p.text))
	}
	bases, tasks := make([]uint32, words), make([]abi.Task, len(pairs))
	results, counters := make([]abi.Result, len(pairs)), make([]uint32, 64)
	const capacity = 1 << 18
	cigars := make([]uint32, capacity)
	ptr := func(p unsafe.Pointer) driver.Ptr { return driver.Ptr(uintptr(p)) }
	at := 0
	for i, p := range pairs {
		pair := align.Pair{Pattern: []byte(p.pattern), Text: []byte(p.text)}
		if !pack.Pair(bases[at:], &pair, &pair) {
			t.Fatal("letters")
		}
		n := pack.Words(len(p.pattern))
		tasks[i] = abi.Task{
			Pattern: ptr(unsafe.Pointer(&bases[at])), Text: ptr(unsafe.Pointer(&bases[at+n])),
			PatternLength: int32(len(p.pattern)), TextLength: int32(len(p.text)), Bound: MaxBound,
		}
		at += n + pack.Words(len(p.text))
	}
	plan, ok, err := k.Plan(g, 1<<30)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	rows, err := d.Alloc(plan.Bytes(len(pairs)))
	if err != nil {
		t.Fatal(err)
	}
	a := abi.Params{
		Tasks: ptr(unsafe.Pointer(&tasks[0])), Results: ptr(unsafe.Pointer(&results[0])), Rows: rows,
		Cigars: ptr(unsafe.Pointer(&cigars[0])), Used: ptr(unsafe.Pointer(&counters[0])), Next: ptr(unsafe.Pointer(&counters[16])),
		Stop: ptr(unsafe.Pointer(&counters[32])), CigarCapacity: capacity, Count: int32(len(pairs)),
	}
	for i := range results {
		results[i].Score = -1
	}
	for _, run := range []func(*driver.Stream, abi.Params, Group, Plan) error{k.Launch, k.Trace} {
		if err := run(s, a, g, plan); err != nil {
			t.Fatal(err)
		}
		if err := s.Synchronize(); err != nil {
			t.Fatal(err)
		}
	}
	runtime.KeepAlive(bases)
	runtime.KeepAlive(tasks)
	if err := d.Free(rows); err != nil {
		t.Fatal(err)
	}
	return results, cigars
}

// TestEmulatedSpan: every kernel of the family gives the optimum and the alignment that the rule
// defines, of models of all kinds.
func TestEmulatedSpan(t *testing.T) {
	d, m, s := emulated(t)
	ran := map[string]bool{}
	r := rand.New(rand.NewPCG(1, 2))
	for si, scoring := range spanScorings {
		for fi, f := range spanFrees {
			if scoring.Match == 0 && (f.span == align.Local || f.span == align.Extension) {
				continue
			}
			model := spanModel(t, f.span, f.free, scoring)
			for _, scoreOnly := range []bool{false, true} {
				c := Config{Model: model, Penalties: model.Affine(), ScoreOnly: scoreOnly, CigarCapacity: cigarCapacity, Families: []string{"span"}}
				l := &loader{Config: c, module: m, device: d.Info, functions: map[string]*driver.Function{}}
				kernels, err := loadSpan(families[0], l)
				if err != nil {
					t.Fatal(err)
				}
				for ki, kernel := range kernels {
					k := kernel.(*spanned)
					if testing.Short() && k.shape.lanes >= 16 && (si+fi+ki)%4 != 0 {
						continue
					}
					name := spanName(k.domain.gaps(), k.domain.ends(), k.shape, k.bits)
					ran[name] = true
					t.Run(fmt.Sprintf("%s/%d/%d", strings.TrimPrefix(name, "wfa_span_"), si, fi), func(t *testing.T) {
						checkSpan(t, d, s, k, &c, spanPairs(r, k))
					})
				}
			}
		}
	}
	for _, v := range Variants() {
		for _, name := range v.Names {
			if v.Family.Name == spanFamily && !ran[name] && !testing.Short() {
				t.Errorf("%s has not run", name)
			}
		}
	}
}

func checkSpan(t *testing.T, d *driver.Device, s *driver.Stream, k *spanned, c *Config, pairs []letterPair) {
	results, cigars := runSpan(t, d, s, k, c, pairs)
	wrong := 0
	for i, p := range pairs {
		o := spanOracle{m: c.Model}
		cost, want, place := o.align(p.pattern, p.text)
		got := results[i]
		what := fmt.Sprintf("pair %d, %s %s, %d and %d letters, domain %+v", i, p.pattern, p.text, len(p.pattern), len(p.text), k.domain)
		if len(what) > 600 {
			what = what[:600]
		}
		if int(got.Score) != cost || got.Flags != 0 {
			t.Errorf("cost %d, flags %#x, want %d, %+v: %s", got.Score, got.Flags, cost, place, what)
			if wrong++; wrong > 3 {
				return
			}
			continue
		}
		if c.ScoreOnly {
			continue
		}
		elements := cigars[got.Cigar : got.Cigar+got.CigarLength]
		text := cigar.CIGAR(unsafe.Slice((*cigar.Elem)(unsafe.Pointer(unsafe.SliceData(elements[2:]))), len(elements)-2)).String()
		if text != want.String() || int(elements[0]) != place.PatternBegin || int(elements[1]) != place.TextBegin {
			t.Errorf("alignment %s at %v, want %s at %+v: %s", text, elements[:2], want, place, what)
			if wrong++; wrong > 3 {
				return
			}
		}
	}
}
