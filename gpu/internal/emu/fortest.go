package emu

import (
	"errors"
	"os"
	"testing"
)

// RequireVariable is the name of an environment variable: if it is 1, tests fail in
// place of skipping if no compiler is found.
const RequireVariable = "WFAGPU_REQUIRE_EMULATION"

// ForTest returns the kernels. It skips the test if no compiler is found.
func ForTest(t testing.TB) *Kernels {
	t.Helper()
	k, err := Open()
	switch {
	case errors.Is(err, ErrNoCompiler) && os.Getenv(RequireVariable) != "1":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return k
}
