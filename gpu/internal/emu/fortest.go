package emu

import (
	"errors"
	"os"
	"testing"
)

// RequireVariable names an environment variable that, set to 1, makes tests fail
// that would be skipped for want of a compiler.
const RequireVariable = "WFAGPU_REQUIRE_EMULATION"

// ForTest returns the kernels. It skips the test where they cannot be compiled
// for want of a compiler.
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
