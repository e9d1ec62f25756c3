package gpu

import (
	"flag"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/driver/drivertest"
)

// beShort makes testing.Short true until the test ends.
func beShort(t *testing.T) {
	short := flag.Lookup("test.short").Value
	before := short.String()
	short.Set("true")
	t.Cleanup(func() { short.Set(before) })
}

// The engine, with kernels in Go and the CPU engine behind it, meets the
// contract of all engines. TestEngineOnDevice is the same with real kernels.
func TestEngineOnFake(t *testing.T) {
	runOnFake(t, func(t testing.TB, g *fakeGPU, o Options) *Engine { return openOnFake(t, g, o) })
}

// So does one whose pairs take gated passes.
func TestGatedEngineOnFake(t *testing.T) {
	runOnFake(t, func(t testing.TB, g *fakeGPU, o Options) *Engine { return openGated(t, g, o, 0.1) })
}

func runOnFake(t *testing.T, open func(testing.TB, *fakeGPU, Options) *Engine) {
	beShort(t)
	aligntest.Run(t, func(t testing.TB, o align.Options) aligntest.Engine {
		t.Helper()
		for _, slow := range []string{"Edges/2,0,255", "Edges/255,0,1", "VeryUnequalLengths/3,1,4", "Offset16Bits/4,6,2"} {
			if strings.HasSuffix(t.Name(), slow) {
				t.Skip("takes the oracle a second or more, and is like the others")
			}
		}
		memory := 1000
		if o.Memory > 0 {
			memory = 300
		}
		e := open(t, newFakeGPU(t, memory), Options{Penalties: o.Penalties, ScoreOnly: o.ScoreOnly})
		return withCPU(t, e, o)
	})
}

// openOnDevice opens the GPU with the CPU engine behind it. change may be nil.
func openOnDevice(t testing.TB, o align.Options, change func(*Options)) *gpuAndCPU {
	t.Helper()
	drivertest.RequireDevice(t)
	g := Options{Penalties: o.Penalties, ScoreOnly: o.ScoreOnly, Approx: o.Approx}
	if change != nil {
		change(&g)
	}
	e := openReal(t, g)
	cpu, err := align.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &gpuAndCPU{GPU: e, CPU: cpu}
}

// The GPU, with the CPU engine behind it, meets the contract of all engines.
func TestEngineOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	aligntest.Run(t, func(t testing.TB, o align.Options) aligntest.Engine { return openOnDevice(t, o, nil) })
}
