package aligntest

import (
	"os"
	"testing"

	"wfagpu/align"
)

// PenaltiesOfEnvironment returns the penalties of the variable PENALTIES, x,o,e, and others without it.
func PenaltiesOfEnvironment(b testing.TB, otherwise align.Penalties) align.Penalties {
	b.Helper()
	v := os.Getenv("PENALTIES")
	if v == "" {
		return otherwise
	}
	p, err := align.ParsePenalties(v)
	if err != nil {
		b.Fatal(err)
	}
	return p
}
