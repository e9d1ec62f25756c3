package hybrid_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/hybrid/hybridtest"
)

// beShort makes testing.Short true until the test ends.
func beShort(t *testing.T) {
	short := flag.Lookup("test.short").Value
	before := short.String()
	short.Set("true")
	t.Cleanup(func() { short.Set(before) })
}

// The engine meets the contract of all engines, with several GPUs from the start
// and with some that join. Long sequences are the engines' own matter.
func TestContract(t *testing.T) {
	beShort(t)
	for _, later := range []bool{false, true} {
		t.Run(fmt.Sprintf("later %v", later), func(t *testing.T) {
			aligntest.Run(t, func(t testing.TB, o align.Options) aligntest.Engine {
				t.Helper()
				for _, slow := range []string{"Edges/2,0,255", "Edges/255,0,1", "VeryUnequalLengths/3,1,4", "Offset16Bits/4,6,2"} {
					if strings.HasSuffix(t.Name(), slow) {
						t.Skip("takes the oracle a second or more, and is like the others")
					}
				}
				m := hybridtest.NewMachine(&hybridtest.GPU{}, &hybridtest.GPU{}, &hybridtest.GPU{})
				m.Hint = len(m.GPUs)
				options := on(t, m)
				options.CPU, options.Background = o, later
				return mustOpen(t, options)
			})
		})
	}
}
