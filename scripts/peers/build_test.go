package peers

import (
	"os"
	"os/exec"
	"testing"
)

// built has the drivers of the tests, which compile each once: one takes a minute.
var built = struct {
	dir     string
	drivers map[string]*Driver
}{drivers: map[string]*Driver{}}

func TestMain(m *testing.M) {
	var err error
	if built.dir, err = os.MkdirTemp("", "drivers"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(built.dir)
	os.Exit(code)
}

// driverOf returns the driver of a library, or skips the test where it cannot be compiled.
func driverOf(t *testing.T, p Peer) *Driver {
	t.Helper()
	if d := built.drivers[p.Name]; d != nil {
		return d
	}
	if err := p.Missing(); err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip(err)
	}
	if p.cplus && testing.Short() {
		t.Skip("compiling it takes long")
	}
	d, err := p.Build(t.Context(), built.dir, false)
	if err != nil {
		t.Fatal(err)
	}
	built.drivers[p.Name] = d
	return d
}
