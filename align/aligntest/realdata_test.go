package aligntest_test

import (
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Every pair of real data has its stored score, and an alignment that costs
// it, in both modes. The fastest code path takes all pairs, the others a
// sample; under -short all of them do.
func TestRealData(t *testing.T) {
	names, load := aligntest.RealSets(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			set := load(t, name)
			for _, p := range aligntest.RealPenalties() {
				for i, level := range align.Levels() {
					step := sampleStep(i == 0, level)
					o := align.Options{Penalties: p, Level: level}
					for _, o.ScoreOnly = range []bool{false, true} {
						var cases []aligntest.Case
						for i := 0; i < len(set.Cases); i += step {
							cases = append(cases, set.Cases[i])
						}
						aligntest.CheckReal(t, o, set, step, alignCases(t, o, cases))
					}
				}
			}
		})
	}
}

// sampleStep is the distance between the pairs that a code path takes.
func sampleStep(fastest bool, l align.Level) int {
	switch {
	case l == align.LevelGo && testing.Short():
		return 500
	case testing.Short():
		return 100
	case fastest:
		return 1
	case l == align.LevelGo:
		return 100
	}
	return 10
}
