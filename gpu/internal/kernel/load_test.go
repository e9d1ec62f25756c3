package kernel

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// wide penalties and the wide band need a larger ring in an adaptive_block kernel
// than shared memory holds.
var (
	widePenalties = align.Penalties{Mismatch: 40, GapOpen: 60, GapExtend: 7}
	vastPenalties = align.Penalties{Mismatch: 251, GapOpen: 241, GapExtend: 239} // of which no ring fits
	wideBand      = align.AdaptiveBand{Band: 2000, Lambda: 50, MaxDrift: 300}
	narrowBand    = align.AdaptiveBand{Band: 61, Lambda: 50, MaxDrift: 10}
)

const cigarCapacity = 4 << 20

// otherKernels are those of the image that are not in Variants.
var otherKernels = []string{
	"wfa_gotoh_trace", "wfa_gotoh_free_trace", "wfa_gotoh_seeds", "wfa_gotoh_free_seeds", "wfa_gotoh_detours", "wfa_gotoh_free_outside", "wfa_probe", "wfa_edit_trace", "wfa_edit_trace_warp",
	"wfa_span_trace_4", "wfa_span_trace_8", "wfa_span_trace_4_warp", "wfa_span_trace_8_warp",
	"wfa_gated", "wfa_gated_free", "wfa_general", "wfa_trace_1", "wfa_trace_8", "wfa_trace_32", "wfa_retrace_2_3_1", "wfa_retrace_long_2_3_1", "wfa_retrace_tiles_2_3_1",
	"wfa_trace_free_1", "wfa_trace_free_8", "wfa_trace_free_32", "wfa_retrace_free_2_3_1", "wfa_retrace_long_free_2_3_1",
	"wfa_tiles_clear", "wfa_adaptive_warp_trace", "wfa_adaptive_long_trace",
	"wfa_adaptive_block_score", "wfa_adaptive_block_rows", "wfa_adaptive_block_trace",
}

// newImage returns a driver whose modules hold every kernel.
func newImage() *drivertest.Driver {
	g := drivertest.New(1)
	for _, name := range otherKernels {
		g.Kernels[name] = drivertest.Kernel{Registers: 40}
	}
	for _, v := range Variants() {
		for _, name := range v.Names {
			g.Kernels[name] = drivertest.Kernel{Registers: 64}
		}
	}
	return g
}

// load loads the kernels of a configuration from a driver.
func load(t testing.TB, g *drivertest.Driver, c Config) (*Set, error) {
	t.Helper()
	d := g.Open(t)
	m, err := d.LoadModule(drivertest.Image)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	if c.CigarCapacity == 0 {
		c.CigarCapacity = cigarCapacity
	}
	return Load(m, d.Info, withModel(t, c))
}

// withModel adds the plain model of the penalties to a configuration that has none.
func withModel(t testing.TB, c Config) Config {
	t.Helper()
	if c.Model != (align.Model{}) {
		return c
	}
	var err error
	if c.Model, err = (&align.Options{Penalties: c.Penalties}).Model(); err != nil {
		t.Fatal(err)
	}
	return c
}

func mustLoad(t testing.TB, g *drivertest.Driver, c Config) *Set {
	t.Helper()
	s, err := load(t, g, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A configuration loads when the image has the kernels that it can launch, and
// fails with the name of one that is missing. Every kernel of the image is needed
// by some configuration.
func TestLoadNeedsItsKernels(t *testing.T) {
	needed := map[string]bool{}
	every := everyBand(registerPenalties[0])
	for _, m := range loadModels(t) {
		for _, scoreOnly := range []bool{false, true} {
			c := Config{Penalties: m.Affine(), Model: m, ScoreOnly: scoreOnly}
			wantNeeded(t, c, wantedSpans(c), needed)
		}
	}
	for _, p := range []align.Penalties{registerPenalties[0], align.EditPenalties, {Mismatch: 3, GapOpen: 1, GapExtend: 4}, {Mismatch: 3, GapOpen: 9, GapExtend: 4}} {
		for _, scoreOnly := range []bool{false, true} {
			for _, bands := range []Config{{}, {Bands: every}, {Bounds: every}} {
				c := Config{Penalties: p, ScoreOnly: scoreOnly, Bands: bands.Bands, Bounds: bands.Bounds}
				want := wanted(c)
				maps.Copy(want, wantedWhole(withModel(t, c)))
				wantNeeded(t, c, want, needed)
			}
		}
	}
	for name, is := range needed {
		if !is {
			t.Errorf("no configuration needs %s", name)
		}
	}
	if len(needed) != len(newImage().Kernels) || len(needed) < 50 {
		t.Errorf("%d kernels", len(needed))
	}
}

// wantNeeded holds the kernels without which a configuration does not load against those that
// it wants, and notes them.
func wantNeeded(t *testing.T, c Config, want, needed map[string]bool) {
	t.Helper()
	for name := range newImage().Kernels {
		g := newImage()
		delete(g.Kernels, name)
		_, err := load(t, g, c)
		if want[name] != (err != nil) {
			t.Errorf("%+v without %s: error %v, needed %v", c, name, err, want[name])
		}
		if err != nil && (!errors.Is(err, driver.ErrNoKernels) || !strings.Contains(err.Error(), name)) {
			t.Errorf("%+v without %s: %v", c, name, err)
		}
		needed[name] = needed[name] || err != nil
	}
}

// everyBand has a band of the greatest width for each shape of the adaptive_warp and of the
// adaptive_rings family, and one that is too wide for any.
func everyBand(p align.Penalties) []align.AdaptiveBand {
	bands := []align.AdaptiveBand{wideBand}
	for _, s := range slices.Concat(adaptiveWarpShapes, adaptiveRingsShapes) {
		b := align.AdaptiveBand{Band: 2*s.half() - s.unroll(p), Lambda: 50, MaxDrift: 10}
		if !slices.Contains(bands, b) {
			bands = append(bands, b)
		}
	}
	return bands
}

// wanted are the names of the kernels that a configuration needs.
func wanted(c Config) map[string]bool {
	form := map[bool]string{false: "_rows", true: "_score"}[c.ScoreOnly]
	adaptive := map[string]bool{} // by form
	if len(c.Bands) > 0 {
		adaptive[form] = true
	}
	if len(c.Bounds) > 0 {
		adaptive["_score"] = true
	}
	want := map[string]bool{
		"wfa_general":              true,
		"wfa_gated":                len(c.Bands) == 0 && c.Penalties.LongestStep() <= 64,
		"wfa_adaptive_block_score": adaptive["_score"],
		"wfa_adaptive_block_rows":  adaptive["_rows"],
		"wfa_adaptive_block_trace": adaptive["_rows"],
	}
	rings := wantedRings(c)
	want["wfa_gotoh_trace"] = !c.ScoreOnly
	want["wfa_gotoh_seeds"], want["wfa_gotoh_detours"] = true, true
	for _, v := range Variants() {
		for _, name := range v.Names {
			its := name[strings.LastIndexByte(name, '_'):]
			switch v.Family.Name {
			case "edit":
				want[name] = c.Penalties == align.EditPenalties && its == form
				continue
			case "gotoh":
				want[name] = its == map[bool]string{true: "_score", false: "_checkpoints"}[c.ScoreOnly]
				continue
			case "adaptive_rings":
				want[name] = rings[its][v.Words]
				continue
			}
			if c.Penalties != v.Penalties || strings.HasSuffix(v.Family.Name, "_free") {
				continue
			}
			if strings.HasPrefix(v.Family.Name, "adaptive") {
				want[name] = adaptive[its]
			} else {
				want[name] = its == form
			}
		}
	}
	for _, name := range []string{"wfa_edit_trace", "wfa_edit_trace_warp"} {
		want[name] = c.Penalties == align.EditPenalties && !c.ScoreOnly
	}
	if !slices.Contains(registerPenalties, c.Penalties) {
		want["wfa_adaptive_long_trace"] = len(rings["_rows"]) > 0
		return want
	}
	want["wfa_adaptive_warp_trace"] = adaptive["_rows"]
	want["wfa_adaptive_long_trace"] = adaptive["_rows"]
	want["wfa_tiles_clear"] = true
	for _, name := range []string{"wfa_trace_1", "wfa_trace_8", "wfa_trace_32", "wfa_retrace_2_3_1", "wfa_retrace_long_2_3_1", "wfa_retrace_tiles_2_3_1"} {
		want[name] = !c.ScoreOnly
	}
	return want
}

// Variants has every shape of every family, a kernel of each for scores alone and one
// for the traceback, both twice for tiles, and no name twice.
func TestVariants(t *testing.T) {
	seen := map[string]bool{}
	families := map[string]int{}
	for _, v := range Variants() {
		families[v.Family.Name]++
		kernels := 2
		switch v.Family.Name {
		case "tiles":
			kernels = 4
		case "span":
			forms := v.Arguments[strings.LastIndex(v.Arguments, " ")+1:]
			kernels = map[string]int{"scores": 1, "traced": 2, "nibbles": 2, "bytes": 3}[forms]
		}
		if len(v.Names) != kernels {
			t.Errorf("%s, %s: names %v", v.Family.Name, v.Arguments, v.Names)
		}
		for i, name := range v.Names {
			form, prefix := []string{"_score", "_rows"}[i%2], "wfa_"+v.Family.Name+"_2_3_1_"
			switch f := v.Family.Name; f {
			case "edit":
				prefix = "wfa_edit_"
			case "adaptive_rings":
				prefix = "wfa_adaptive_rings_"
			case "gotoh", "gotoh_free":
				form, prefix = []string{"_score", "_checkpoints"}[i], "wfa_"+f+"_"
			case "span":
				forms := []string{"_score", "_4", "_8"}
				if strings.HasSuffix(v.Arguments, "traced") {
					forms = forms[1:]
				}
				form, prefix = forms[i], "wfa_"+f+"_"
			}
			if !strings.HasSuffix(name, form) {
				t.Errorf("%s, %s: kernel %d is %s", v.Family.Name, v.Arguments, i, name)
			}
			if seen[name] || !strings.HasPrefix(name, prefix) {
				t.Errorf("name %s", name)
			}
			seen[name] = true
		}
		if v.PairThreads*v.Pairs != 32*v.Warps && !strings.HasPrefix(v.Family.Name, "block") && !strings.HasPrefix(v.Family.Name, "long") && v.Macro == "" && v.Arguments[:5] != "block" {
			t.Errorf("%s: %d pairs of %d threads in %d warps", v.Names[0], v.Pairs, v.PairThreads, v.Warps)
		}
	}
	if want := map[string]int{"warp": 9, "block": 12, "long": 8, "warp_free": 3, "block_free": 8, "long_free": 3, "tiles": 1, "adaptive_warp": 9, "adaptive_long": 3, "adaptive_rings": 4, "edit": 13, "gotoh": 17, "gotoh_free": 10, "span": 38}; !maps.Equal(families, want) {
		t.Errorf("shapes by family: %v, want %v", families, want)
	}
}

// What a kernel declares in shared memory itself is missing for its look-ahead
// tables, of which the driver refuses more than an SM has.
func TestStaticSharedMemory(t *testing.T) {
	longest := func(static int32) int {
		g := newImage()
		for name, k := range g.Kernels {
			k.StaticShared = static
			g.Kernels[name] = k
		}
		set := mustLoad(t, g, Config{Penalties: registerPenalties[0]})
		n := 0
		for length := 1; length < 32_000; length++ {
			if set.Kernels[0].Takes(length, length, 0) {
				n = length
			}
		}
		return n
	}
	most := longest(0)
	if less := longest(32 << 10); most <= 0 || less <= 0 || less >= most-100 {
		t.Errorf("pairs of up to %d letters fit beside 32 KiB of static shared memory, up to %d beside none", less, most)
	}
}

// Of the block and the gotoh family, kernels come in the order of their bands. All kernels with
// cells in registers are there.
func TestOrder(t *testing.T) {
	for _, scoreOnly := range []bool{false, true} {
		c := Config{Penalties: registerPenalties[0], ScoreOnly: scoreOnly, Bands: everyBand(registerPenalties[0])}
		set := mustLoad(t, newImage(), c)
		certified, exact := map[*Family]int{}, 0
		for _, k := range set.Kernels {
			n := 0
			switch k := k.(type) {
			case *registers:
				n = k.shape.certifies(&c.Penalties, 0)
			case *gotoh:
				n = k.certifies(1_000_000, 1_000_000)
			default:
				continue
			}
			exact++
			if f := k.Family(); n < certified[f] && f.Name != "warp" {
				t.Errorf("%s certifies %d, the one before it %d", name(k), n, certified[f])
			} else {
				certified[f] = n
			}
		}
		if _, ok := set.Kernels[set.General].(*general); !ok {
			t.Errorf("the general kernel is number %d of %d", set.General, len(set.Kernels))
		}
		if want := len(warpShapes) + len(blockShapes) + len(gotohShapes) - 1 + gotohWarps - 1; exact != want {
			t.Errorf("%d exact kernels with cells in registers, want %d", exact, want)
		}
	}
}
