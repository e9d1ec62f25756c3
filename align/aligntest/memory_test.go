package aligntest_test

import (
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Real pairs have the same alignments with little memory and several threads as with much memory
// and one thread.
func TestRealDataWithLittleMemory(t *testing.T) {
	names, load := aligntest.RealSets(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			set := load(t, name)
			bases := 0
			for _, c := range set.Cases {
				bases += len(c.Pattern) + len(c.Text)
			}
			most := 1_000_000
			if testing.Short() {
				most = 300_000
			}
			var cases []aligntest.Case
			for i := 0; i < len(set.Cases); i += 1 + bases/most {
				cases = append(cases, set.Cases[i])
			}
			for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 1, GapOpen: 0, GapExtend: 1}} {
				much := align.Options{Penalties: p, Memory: 1 << 30, Threads: 1}
				want := alignCases(t, much, cases)
				for _, o := range []align.Options{
					{Penalties: p, Memory: 1, Threads: 4},
					{Penalties: p, Memory: 1 << 20, Threads: 1},
				} {
					sameBytes(t, o, cases, alignCases(t, o, cases), want)
				}
			}
		})
	}
}
